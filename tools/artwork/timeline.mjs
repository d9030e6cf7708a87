/**
 * When things happen in a scene. Storyboards count time in captions: 1 is when the first caption appears, 2.5 is halfway
 * through the second. A caption stays for as long as its share of the scene's letters, so all of a scene are read equally
 * fast, and a drawing keeps step with its words whatever its length.
 */
import { mix } from './svg.mjs'

const clamp = (value) => Math.max(0, Math.min(1, value))
/** 0 before `start`, 1 after `start + length`; starts and ends slowly. */
export const glide = (time, start, length) => {
  const share = length > 0 ? clamp((time - start) / length) : Number(time >= start)
  return share * share * (3 - 2 * share)
}

/** @returns each caption with the seconds at which it starts and ends, counted from the start of the scene. */
export function cuesOf({ seconds, caption }) {
  const texts = [caption].flat()
  const letters = texts.reduce((sum, text) => sum + text.length, 0)
  let end = 0
  return texts.map((text) => {
    const start = end
    end += (seconds * text.length) / letters
    return { text, start, end }
  })
}

/** @returns a function from a time in captions to seconds. */
export function clockOf(scene) {
  const cues = cuesOf(scene)
  return (moment) => {
    const cue = cues[Math.min(cues.length, Math.max(1, Math.floor(moment))) - 1]
    return cue.start + (moment - 1 - cues.indexOf(cue)) * (cue.end - cue.start)
  }
}

/** A part with `each` stands for several: one for each place in its lists. */
export function partsOf(drawing) {
  return drawing.flatMap(({ each, ...part }) => {
    if (!each) return [part]
    const count = Math.max(...Object.values(each).map((list) => list.length))
    return Array.from({ length: count }, (_, i) => ({
      ...part,
      ...Object.fromEntries(Object.entries(each).map(([key, list]) => [key, list[i]])),
    }))
  })
}

/** A value between two of the same kind; what can't be mixed switches halfway. */
function between(from, to, share) {
  if (typeof from === 'number' && typeof to === 'number') return from + (to - from) * share
  if (/^#/.test(from) && /^#/.test(to)) return mix(from, to, share)
  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length)
    return from.map((value, i) => between(value, to[i], share))
  return share < 0.5 ? from : to
}

/**
 * A part at a moment: its values after the changes of `changes`, with `shown` from 0 to 1.
 *
 * @param clock of its scene.
 * @param named turns the name of a color into the color.
 */
export function stateAt(part, time, clock, named) {
  const { changes = [], show = 1, hide, fade = 1, ...start } = part
  const state = { ...start, fade }
  for (const name of ['fill', 'line', 'color']) if (state[name]) state[name] = named(state[name])
  for (const { when, over = 0.9, ...values } of changes) {
    const share = glide(time, clock(when), over)
    if (share === 0) continue
    for (const [key, value] of Object.entries(values)) {
      const wanted = ['fill', 'line', 'color'].includes(key) ? named(value) : value
      // Cells are lit or not: a light that slides from one to the next would pass those between.
      state[key] = key === 'lit' && Array.isArray(wanted) ? wanted : between(state[key], wanted, share)
    }
  }
  const shown = show === 0 ? 1 : glide(time, clock(show), 0.7)
  return { ...state, shown: shown * (hide === undefined ? 1 : 1 - glide(time, clock(hide), 0.5)) }
}
