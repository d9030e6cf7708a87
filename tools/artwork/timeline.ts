/**
 * When things happen in a scene. Storyboards count time in captions: 1 is when the first caption
 * appears, 2.5 is halfway through the second. A caption stays for as long as its share of the
 * scene's letters, so that all captions of a scene are read equally fast, and a drawing keeps step with its
 * text.
 */
import type { DrawnPart, Scene } from './storyboard.ts'
import { mix } from './svg.ts'

export type Captioned = Pick<Scene, 'seconds' | 'caption'>
/** Converts a time in captions to seconds. */
export type Clock = (captionTime: number) => number
type Part = Omit<DrawnPart, 'each'>
/** A part as it is at one time. `shown` is 0 if the part is invisible, and 1 if it is fully visible. */
export type PartState = Omit<Part, 'changes' | 'show' | 'hide'> & { fade: number; shown: number }

const clamp = (value: number) => Math.max(0, Math.min(1, value))
/** Returns 0 before `start`, 1 after `start + length`, and a value that grows smoothly in between. */
export const easeInOut = (time: number, start: number, length: number) => {
  const share = length > 0 ? clamp((time - start) / length) : Number(time >= start)
  return share * share * (3 - 2 * share)
}

/** Lists the captions of a scene with their start and end, in seconds from the start of the scene. */
export function listCues({
  seconds,
  caption,
}: Captioned): { text: string; start: number; end: number }[] {
  const texts = [caption].flat()
  const letters = texts.reduce((sum, text) => sum + text.length, 0)
  let end = 0

  return texts.map((text) => {
    const start = end
    end += (seconds * text.length) / letters
    return { text, start, end }
  })
}

export function createClock(scene: Captioned): Clock {
  const cues = listCues(scene)
  return (captionTime) => {
    const index = Math.min(cues.length, Math.max(1, Math.floor(captionTime))) - 1
    const { start, end } = cues[index] ?? { start: 0, end: 0 }
    return start + (captionTime - 1 - index) * (end - start)
  }
}

/** Expands the parts with `each`, which stand for several parts: one for each index of the lists. */
export function expandParts(drawing: readonly DrawnPart[]): Part[] {
  return drawing.flatMap(({ each, ...part }): Part[] => {
    if (!each) {
      return [part]
    }

    const lists = Object.entries(each) as [string, readonly unknown[]][]
    const count = Math.max(...lists.map(([, list]) => list.length))

    return Array.from({ length: count }, (_, i) => ({
      ...part,
      ...Object.fromEntries(lists.map(([key, list]) => [key, list[i]])),
    }))
  })
}

/** Returns the value between two values of the same type. Other values switch halfway. */
function interpolate(from: unknown, to: unknown, share: number): unknown {
  if (typeof from === 'number' && typeof to === 'number') {
    return from + (to - from) * share
  }

  if (isColor(from) && isColor(to)) {
    return mix(from, to, share)
  }

  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length) {
    return from.map((value, i) => interpolate(value, to[i], share))
  }

  return share < 0.5 ? from : to
}

const isColor = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('#')

/** The seconds that a change takes, unless the storyboard says otherwise. */
const changeSeconds = 0.9
const showSeconds = 0.7
const hideSeconds = 0.5
const colorKeys = ['fill', 'line', 'color']

/**
 * Returns a part as it is at a time: its values after its changes, and how visible it is.
 *
 * @param clock the clock of the part's scene
 * @param readColor returns the color with a name
 */
export function computePartState(
  part: Part,
  time: number,
  clock: Clock,
  readColor: (name: string) => string,
): PartState {
  const { changes = [], show = 1, hide, fade = 1, ...start } = part
  const parseSiteValue = (key: string, value: unknown) =>
    value && colorKeys.includes(key) ? readColor(String(value)) : value

  const values: Record<string, unknown> = { fade }
  for (const [key, value] of Object.entries(start)) {
    values[key] = parseSiteValue(key, value)
  }

  for (const { when, over = changeSeconds, ...newValues } of changes) {
    const share = easeInOut(time, clock(when), over)
    if (share > 0) {
      for (const [key, value] of Object.entries(newValues)) {
        values[key] = changeValue(key, values[key], parseSiteValue(key, value), share)
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

/** Returns the value between two values of a property. `share` is 0 at the first, and 1 at the second. */
function changeValue(key: string, from: unknown, to: unknown, share: number): unknown {
  // Cells are lit or not. A light that moves from one cell to another must not pass the cells between.
  if (key === 'lit' && Array.isArray(to)) {
    return to
  }

  return interpolate(from, to, share)
}
