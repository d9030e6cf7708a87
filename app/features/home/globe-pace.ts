const frameMs = 1000 / 30
/** A frame may keep the graphics card busy for a third of the time at most. */
const restPerWork = 2
/** Where drawing is slow, the answer to a press or a letter comes first. */
const restAfterPressMs = 1000

/**
 * Decides when the next frame is due: thirty a second, fewer where drawing is slow, so that a machine without a graphics
 * card stays quick. Times are those of requestAnimationFrame, in milliseconds.
 */
export function createPacer() {
  let startedAt = Number.NEGATIVE_INFINITY
  let dueAt = Number.NEGATIVE_INFINITY
  /** Until a frame has shown how quick it is. */
  let slow = true
  return {
    /** Frames come with the screen's rhythm, so half a frame early counts as due. */
    isDue: (now: number) => now >= dueAt - frameMs / 4,
    started(now: number) {
      startedAt = now
      dueAt = now + frameMs
    },
    finished(now: number) {
      const workMs = now - startedAt
      slow = workMs > frameMs
      dueAt = Math.max(dueAt, slow ? now + workMs * restPerWork : startedAt + frameMs)
    },
    pressed(now: number) {
      if (slow) dueAt = Math.max(dueAt, now + restAfterPressMs)
    },
  }
}
