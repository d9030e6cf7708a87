/**
 * Limits how much expensive work runs at the same time, so that the server stays fast.
 *
 * A limit has a number of places. A call takes a place while it runs. While no place is free, calls
 * wait in a queue, first in, first out. A call that finds the queue full is refused with a
 * `BusyError`.
 */

/**
 * Means that a concurrency limit is full. The server responds with 503, unless the caller handles
 * the error with a message of its own.
 */
export class BusyError extends Error {
  override name = 'BusyError'

  constructor(readonly limitName: string) {
    super(`Too much of this work is under way: ${limitName}.`)
  }
}

type LimitOptions = {
  /** Identifies the limit in the metrics. It is lower case with hyphens. */
  name: string
  /** The number of calls that may wait in the queue. */
  maxWaiting?: number
  /**
   * New calls are refused, without waiting, while this function of the running calls returns true.
   */
  refuseWhen?: (running: number) => boolean
}

type ConcurrencyLimit = {
  readonly name: string
  readonly running: number
  readonly waiting: number
  /** The number of calls refused since the process started. */
  readonly refused: number
  /** Whether a new call would be refused, because the queue is full or `refuseWhen` says so. */
  readonly isFull: boolean
  /** @throws {BusyError} if the limit is full; the work has not been started then */
  run<T>(work: () => Promise<T>): Promise<T>
  /**
   * Takes a place for work that outlasts a function call, such as a download.
   *
   * @param signal ends the wait when it is aborted
   * @returns a function that releases the place; calling it twice has no further effect
   * @throws {BusyError} if the limit is full or the signal is aborted
   */
  acquire(signal?: AbortSignal): Promise<() => void>
}

/** All concurrency limits of this process. The metrics list them. */
export const concurrencyLimits: ConcurrencyLimit[] = []

/** Creates a limit with `maxRunning` places. The metrics list it from now on. */
export function limitConcurrency(
  maxRunning: number,
  { name, maxWaiting = 0, refuseWhen = () => false }: LimitOptions,
): ConcurrencyLimit {
  const queue: (() => void)[] = []
  let running = 0
  let refused = 0

  const isFull = () => refuseWhen(running) || (running >= maxRunning && queue.length >= maxWaiting)

  const releasePlace = () => {
    const startNext = queue.shift()
    if (startNext) {
      // The place passes to the next call, so the number of running calls stays the same.
      startNext()
    } else {
      running -= 1
    }
  }

  const acquire = async (signal?: AbortSignal) => {
    if (signal?.aborted) {
      throw new BusyError(name)
    }

    if (isFull()) {
      refused += 1
      throw new BusyError(name)
    }

    if (running < maxRunning) {
      running += 1
    } else if (!(await waitInQueue(queue, signal))) {
      throw new BusyError(name)
    }

    let isReleased = false

    return () => {
      if (!isReleased) {
        isReleased = true
        releasePlace()
      }
    }
  }

  const limit: ConcurrencyLimit = {
    name,
    get running() {
      return running
    },
    get waiting() {
      return queue.length
    },
    get refused() {
      return refused
    },
    get isFull() {
      return isFull()
    },
    acquire,
    async run(work) {
      const release = await acquire()
      try {
        return await work()
      } finally {
        release()
      }
    },
  }

  concurrencyLimits.push(limit)

  return limit
}

/** Waits for a place. Returns false if the signal ended the wait. */
function waitInQueue(queue: (() => void)[], signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const start = () => {
      signal?.removeEventListener('abort', leave)
      resolve(true)
    }
    // The listener is removed when the call starts, so the call is still in the queue here.
    const leave = () => {
      queue.splice(queue.indexOf(start), 1)
      resolve(false)
    }

    queue.push(start)
    signal?.addEventListener('abort', leave, { once: true })
  })
}
