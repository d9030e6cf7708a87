/** One card, 300 px wide, and the gap of 20 px after it (specification, section 9). */
export const stepPx = 320
/** Milliseconds that a card leads (specification, section 9). */
const intervalMs = 3000

/** The state that decides whether the cards move automatically. */
export type Rotation = {
  /** Paused with the button, or from the start under reduced motion. */
  paused: boolean
  /** 'Play' was pressed while the pointer or focus was inside: it holds until they leave. */
  resumed: boolean
  hovered: boolean
  /** By keyboard; a mouse click does not count. */
  focused: boolean
  tabHidden: boolean
}

export function isRotating({ paused, resumed, hovered, focused, tabHidden }: Rotation): boolean {
  return !paused && !tabHidden && (resumed || !(hovered || focused))
}

/** The action of the pause and play button. */
export function togglePaused(rotation: Rotation): Rotation {
  const paused = !rotation.paused
  return { ...rotation, paused, resumed: !paused }
}

/** The pointer or focus entered or left. */
export function noticeAttention(
  rotation: Rotation,
  change: Partial<Pick<Rotation, 'hovered' | 'focused'>>,
): Rotation {
  const next = { ...rotation, ...change }
  return { ...next, resumed: next.resumed && (next.hovered || next.focused) }
}

/** The card after `by` steps; both ends wrap around. */
export function cardAfter(index: number, by: number, count: number): number {
  return (((index + by) % count) + count) % count
}

/** The position of the track when card `index` leads. */
export function trackShiftPx(index: number): number {
  return index === 0 ? 0 : -stepPx * index
}

/**
 * How far one card is moved within the track, so that the row never ends: of three or more, one
 * card stands before the leading one, all others after it. A whole number of rounds of the track.
 */
export function cardShiftPx(card: number, leading: number, count: number): number {
  const first = count > 2 ? leading - 1 : leading
  const place = first + cardAfter(card - first, 0, count)
  return (place - card) * stepPx
}

type Clock = Pick<typeof globalThis, 'setInterval' | 'clearInterval'>

/** Advances every `intervalMs`. @returns a function that stops it. */
export function startRotation(advance: () => void, clock: Clock = globalThis): () => void {
  const timer = clock.setInterval(advance, intervalMs)
  return () => clock.clearInterval(timer)
}
