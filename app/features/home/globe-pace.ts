const frameMs = 1000 / 30
/** A frame may keep the graphics card busy for a third of the time at most. */
const restPerWork = 2

/**
 * Decides when the next frame is due: thirty a second, fewer where drawing is slow, so that a machine without a graphics
 * card stays quick. Times are those of requestAnimationFrame, in milliseconds.
 */
export function createPacer() {
  let startedAt = Number.NEGATIVE_INFINITY
  let dueAt = Number.NEGATIVE_INFINITY
  return {
    /** Frames come with the screen's rhythm, so half a frame early counts as due. */
    isDue: (now: number) => now >= dueAt - frameMs / 4,
    started(now: number) {
      startedAt = now
      dueAt = now + frameMs
    },
    finished(now: number) {
      const workMs = now - startedAt
      dueAt = workMs <= frameMs ? startedAt + frameMs : now + workMs * restPerWork
    },
  }
}
