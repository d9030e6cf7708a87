/**
 * The rules of the testimonial slider: when the cards move by themselves, and which positions they
 * have.
 *
 * The leading card is the first one that is completely visible. The row has no end, because cards
 * from one end are shifted to the other end.
 */

/** The width of a card, 300 px, and the gap of 20 px after it (specification, section 9). */
export const stepPx = 320
/** The time after which the next card leads (specification, section 9). */
const intervalMs = 3000

/** The conditions that decide whether the cards move by themselves. */
export type Rotation = {
  /** Whether the viewer paused the cards. Under reduced motion, they are paused from the start. */
  isPaused: boolean
  /**
   * Whether the viewer pressed "Play" with the pointer or the focus inside. The cards then move
   * although the pointer or the focus is inside. Once both have left, this is false again.
   */
  isResumed: boolean
  isHovered: boolean
  /** Whether the keyboard moved the focus inside. A click doesn't count. */
  isFocused: boolean
  isTabHidden: boolean
}

export function isRotating(rotation: Rotation): boolean {
  const { isPaused, isResumed, isHovered, isFocused, isTabHidden } = rotation
  if (isPaused || isTabHidden) {
    return false
  }

  return isResumed || !(isHovered || isFocused)
}

/** Returns the rotation after the button "Pause" or "Play" was pressed. */
export function togglePaused(rotation: Rotation): Rotation {
  const isPaused = !rotation.isPaused
  return { ...rotation, isPaused, isResumed: !isPaused }
}

/** Returns the rotation after the pointer or the focus has entered or left. */
export function changeAttention(
  rotation: Rotation,
  change: Partial<Pick<Rotation, 'isHovered' | 'isFocused'>>,
): Rotation {
  const newRotation = { ...rotation, ...change }
  const hasAttention = newRotation.isHovered || newRotation.isFocused
  return { ...newRotation, isResumed: newRotation.isResumed && hasAttention }
}

/** Returns the index after a number of steps, which may be negative. Both ends wrap around. */
export function stepIndex(index: number, steps: number, count: number): number {
  return (((index + steps) % count) + count) % count
}

/** Returns how far the row is shifted while a card leads. */
export function getRowShiftPx(leadingIndex: number): number {
  return leadingIndex === 0 ? 0 : -stepPx * leadingIndex
}

/**
 * Returns how far a card is shifted within the row. If there are three or more cards, one card is
 * before the leading card, and all others are after it.
 */
export function getCardShiftPx(cardIndex: number, leadingIndex: number, count: number): number {
  const firstPosition = count > 2 ? leadingIndex - 1 : leadingIndex
  const position = firstPosition + stepIndex(cardIndex - firstPosition, 0, count)
  return (position - cardIndex) * stepPx
}

type Clock = Pick<typeof globalThis, 'setInterval' | 'clearInterval'>

/**
 * Advances the cards every `intervalMs`.
 *
 * @returns a function that stops the rotation
 */
export function startRotation(advance: () => void, clock: Clock = globalThis): () => void {
  const timer = clock.setInterval(advance, intervalMs)
  return () => clock.clearInterval(timer)
}
