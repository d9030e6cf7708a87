import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

const ids = new AsyncLocalStorage<string>()

/** Runs the answer to one request under a number of its own, which its log lines and its answer carry. */
export function withRequestId<T>(answer: (id: string) => T): T {
  const id = randomUUID()
  return ids.run(id, () => answer(id))
}

/** The number of the request under way. */
export function requestId(): string | undefined {
  return ids.getStore()
}
