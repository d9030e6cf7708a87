/**
 * When things happen in a scene. Storyboards count time in captions: 1 is when the first caption
 * appears, 2.5 is halfway through the second. A caption stays for as long as its share of the
 * scene's letters, so all of a scene are read equally fast, and a drawing keeps step with its words
 * whatever its length.
 */
import type { DrawnPart, Scene } from './storyboard.ts'
import { mix } from './svg.ts'

export type Captioned = Pick<Scene, 'seconds' | 'caption'>
/** From a time in captions to seconds. */
export type Clock = (moment: number) => number
type Part = Omit<DrawnPart, 'each'>
/** A part as it is at one moment; `shown` from 0 to 1. */
export type PartState = Omit<Part, 'changes' | 'show' | 'hide'> & { fade: number; shown: number }

const clamp = (value: number) => Math.max(0, Math.min(1, value))
/** 0 before `start`, 1 after `start + length`; starts and ends slowly. */
export const glide = (time: number, start: number, length: number) => {
  const share = length > 0 ? clamp((time - start) / length) : Number(time >= start)
  return share * share * (3 - 2 * share)
}

/**
 * @returns each caption with the seconds at which it starts and ends, counted from the start of the
 * scene.
 */
export function cuesOf({
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

export function clockOf(scene: Captioned): Clock {
  const cues = cuesOf(scene)
  return (moment) => {
    const place = Math.min(cues.length, Math.max(1, Math.floor(moment))) - 1
    const { start, end } = cues[place] ?? { start: 0, end: 0 }
    return start + (moment - 1 - place) * (end - start)
  }
}

/** A part with `each` stands for several: one for each place in its lists. */
export function partsOf(drawing: readonly DrawnPart[]): Part[] {
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

/** A value between two of the same kind; what can't be mixed switches halfway. */
function between(from: unknown, to: unknown, share: number): unknown {
  if (typeof from === 'number' && typeof to === 'number') {
    return from + (to - from) * share
  }

  if (isColor(from) && isColor(to)) {
    return mix(from, to, share)
  }

  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length) {
    return from.map((value, i) => between(value, to[i], share))
  }

  return share < 0.5 ? from : to
}

const isColor = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('#')

/**
 * A part at a moment: its values after the changes of `changes`, with `shown` from 0 to 1.
 *
 * @param clock of its scene.
 * @param named turns the name of a color into the color.
 */
export function stateAt(
  part: Part,
  time: number,
  clock: Clock,
  named: (color: string) => string,
): PartState {
  const { changes = [], show = 1, hide, fade = 1, ...start } = part
  const state: Record<string, unknown> = { ...start, fade }
  for (const name of ['fill', 'line', 'color']) {
    if (state[name]) {
      state[name] = named(String(state[name]))
    }
  }

  for (const { when, over = 0.9, ...values } of changes) {
    const share = glide(time, clock(when), over)
    if (share === 0) {
      continue
    }

    for (const [key, value] of Object.entries(values)) {
      const wanted = ['fill', 'line', 'color'].includes(key) ? named(String(value)) : value
      // Cells are lit or not: a light that slides from one to the next would pass those between.
      state[key] =
        key === 'lit' && Array.isArray(wanted) ? wanted : between(state[key], wanted, share)
    }
  }

  const shown = show === 0 ? 1 : glide(time, clock(show), 0.7)

  return {
    ...(state as Omit<PartState, 'shown'>),
    shown: shown * (hide === undefined ? 1 : 1 - glide(time, clock(hide), 0.5)),
  }
}
