/** Where the film is, for what follows it: told several times a second, so that nothing else has to be rendered anew. */
export type FilmTime = ReturnType<typeof createFilmTime>

export function createFilmTime() {
  let seconds = 0
  const listeners = new Set<() => void>()
  return {
    now: () => seconds,
    tell(to: number) {
      seconds = to
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
