/**
 * Computes when the parts of a scene appear, change and leave. Storyboards count time in captions:
 * 1 is when the first caption appears, and 2.5 is halfway through the second. A caption stays for
 * as long as its share of the scene's letters. All captions of a scene are therefore read equally
 * fast, and a drawing keeps pace with its text.
 */
import type { DrawnPart, Scene } from './storyboard.ts'
import { mix } from './svg.ts'

export type Captioned = Pick<Scene, 'seconds' | 'caption'>
type Cue = { text: string; start: number; end: number }

/**
 * Lists the captions of a scene with their start and end, in seconds from the start of the scene.
 */
export function listCues({ seconds, caption }: Captioned): Cue[] {
  const texts = [caption].flat()
  const letters = texts.reduce((sum, text) => sum + text.length, 0)
  let end = 0

  return texts.map((text) => {
    const start = end
    end += (seconds * text.length) / letters
    return { text, start, end }
  })
}

/** Converts a time in captions to seconds. */
export type Clock = (captionTime: number) => number

export function createClock(scene: Captioned): Clock {
  const cues = listCues(scene)
  return (captionTime) => {
    const index = Math.min(cues.length, Math.max(1, Math.floor(captionTime))) - 1
    const { start, end } = cues[index] ?? { start: 0, end: 0 }
    return start + (captionTime - 1 - index) * (end - start)
  }
}

type Part = Omit<DrawnPart, 'each'>

/**
 * Expands the parts with `each`, which stand for several parts: one for each index of the lists.
 */
export function expandParts(drawing: readonly DrawnPart[]): Part[] {
  return drawing.flatMap(({ each, ...part }): Part[] => {
    if (!each) {
      return [part]
    }

    const lists = Object.entries(each) as [string, readonly unknown[]][]
    const count = Math.max(...lists.map(([, list]) => list.length))

    return Array.from({ length: count }, (_, index) => ({
      ...part,
      ...Object.fromEntries(lists.map(([key, list]) => [key, list[index]])),
    }))
  })
}

/** The seconds that a change takes, unless the storyboard says otherwise. */
const changeSeconds = 0.9
/** The seconds in which a part appears and leaves. */
const showSeconds = 0.7
const hideSeconds = 0.5
const colorKeys = ['fill', 'line', 'color']

/**
 * A part as it is at one time. `shown` is 0 if the part is invisible, and 1 if it is fully visible.
 */
export type PartState = Omit<Part, 'changes' | 'show' | 'hide'> & { fade: number; shown: number }

/**
 * Returns a part as it is at a time: its values after its changes, and how visible it is.
 *
 * @param clock the clock of the part's scene
 * @param resolveColor returns the color that has a name in the course's palette
 */
export function computePartState(
  part: Part,
  time: number,
  clock: Clock,
  resolveColor: (name: string) => string,
): PartState {
  const { changes = [], show = 1, hide, fade = 1, ...start } = part
  const resolveValue = (key: string, value: unknown) =>
    value && colorKeys.includes(key) ? resolveColor(String(value)) : value

  const values: Record<string, unknown> = { fade }
  for (const [key, value] of Object.entries(start)) {
    values[key] = resolveValue(key, value)
  }

  for (const { when, over = changeSeconds, ...newValues } of changes) {
    const share = easeInOut(time, clock(when), over)
    if (share > 0) {
      for (const [key, value] of Object.entries(newValues)) {
        values[key] = changeValue(key, values[key], resolveValue(key, value), share)
      }
    }
  }

  const showShare = show === 0 ? 1 : easeInOut(time, clock(show), showSeconds)
  const hideShare = hide === undefined ? 0 : easeInOut(time, clock(hide), hideSeconds)

  return {
    ...(values as Omit<PartState, 'shown'>),
    shown: showShare * (1 - hideShare),
  }
}

/**
 * Returns the value between two values of a property. `share` is 0 at the first, and 1 at the
 * second.
 */
function changeValue(key: string, from: unknown, to: unknown, share: number): unknown {
  // Cells are lit or not. A light that moves from one cell to another must not pass the cells
  // between.
  if (key === 'lit' && Array.isArray(to)) {
    return to
  }

  return interpolate(from, to, share)
}

/** Interpolates between two numbers, colors or lists of them. Other values switch halfway. */
function interpolate(from: unknown, to: unknown, share: number): unknown {
  if (typeof from === 'number' && typeof to === 'number') {
    return from + (to - from) * share
  }

  if (isColor(from) && isColor(to)) {
    return mix(from, to, share)
  }

  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length) {
    return from.map((value, index) => interpolate(value, to[index], share))
  }

  return share < 0.5 ? from : to
}

function isColor(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('#')
}

/**
 * Returns 0 before `start`, 1 after `start + length`, and a value that grows smoothly in between.
 */
function easeInOut(time: number, start: number, length: number): number {
  const progress = length > 0 ? (time - start) / length : Number(time >= start)
  const share = Math.max(0, Math.min(1, progress))
  return share * share * (3 - 2 * share)
}
