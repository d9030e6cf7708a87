export type PlaybackTime = ReturnType<typeof createPlaybackTime>

/**
 * Creates a store for the position of the video, in seconds. The position changes several times a
 * second, so it is not a React state of the page.
 */
export function createPlaybackTime() {
  let currentSeconds = 0
  const listeners = new Set<() => void>()

  return {
    now: () => currentSeconds,

    set(seconds: number) {
      currentSeconds = seconds
      for (const listener of listeners) {
        listener()
      }
    },

    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
