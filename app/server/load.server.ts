import { poolFigures } from './database/client.server'
import { eventLoopDelayMs } from './event-loop.server'

/** How far this process is behind with its work; costs next to nothing to ask. */
export function currentLoad() {
  return {
    /** For how long the main thread was held up in the last whole second. */
    eventLoopDelayMs: eventLoopDelayMs(),
    /** Null before the database is open. */
    pool: poolFigures(),
  }
}
