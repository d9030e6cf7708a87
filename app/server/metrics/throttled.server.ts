import { inTime } from '../in-time.server'

/**
 * Asks at most once in a while, however often it is called, and waits no longer than its patience.
 *
 * @param ask never throws.
 * @returns what was answered last; null if nothing was in time.
 */
export function throttled<T>(
  ask: () => Promise<T | null>,
  everyMs: number,
  patienceMs: number,
  now = () => performance.now(),
): () => Promise<T | null> {
  let last: { at: number; answer: Promise<T | null> } | null = null
  return () => {
    if (!last || now() - last.at >= everyMs) last = { at: now(), answer: inTime(ask(), patienceMs) }
    return last.answer
  }
}
