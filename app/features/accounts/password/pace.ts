/** For so long, in all, this thread has to have had nothing to do since the last one began. */
const leastIdleMs = 25
/** After so long the next one begins anyway, so that nobody waits forever on a machine that is never idle. */
const longestPauseMs = 100

type Parts = { now(): number; idleMs(): number; pause(ms: number): Promise<unknown> }

/**
 * How fast one sign-in may follow another. What surrounds a hash is done by the thread that answers pages: the more it has
 * to do for them, the longer the next one waits.
 */
export class Pace {
  constructor(private parts: Parts) {}

  /** @returns what waits until the next one may begin, counted from now. */
  begin(): () => Promise<void> {
    const { now, idleMs, pause } = this.parts
    const [startedAt, idleBefore] = [now(), idleMs()]
    return async () => {
      for (;;) {
        const missing = Math.min(leastIdleMs - (idleMs() - idleBefore), longestPauseMs - (now() - startedAt))
        if (missing <= 0) return
        await pause(Math.max(1, missing))
      }
    }
  }
}
