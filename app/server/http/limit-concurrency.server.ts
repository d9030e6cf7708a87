/**
 * The work can't be started now. It is answered with 503, unless the caller says it in its own
 * words.
 */
export class BusyError extends Error {
  override name = 'BusyError'

  constructor(readonly work: string) {
    super(`Too much of this work is under way: ${work}.`)
  }
}

type Options = {
  /** For the metrics: lower case with hyphens. */
  name: string
  /** How many more may wait for their turn. */
  waiting?: number
  /** Refuses new work at once while it returns true. */
  refuseWhen?: () => boolean
}

export type ConcurrencyLimit = {
  readonly name: string
  readonly running: number
  readonly waiting: number
  /** Since the start. */
  readonly refused: number
  /** New work would be refused. */
  readonly isFull: boolean
  /** @throws {BusyError} without having started the work. */
  run<T>(work: () => Promise<T>): Promise<T>
  /**
   * For work that outlasts a function call, like a download.
   *
   * @param signal ends the wait.
   * @returns releases the place. Idempotent.
   * @throws {BusyError}
   */
  acquire(signal?: AbortSignal): Promise<() => void>
}

/** Every limit of this process, for the metrics. */
export const concurrencyLimits: ConcurrencyLimit[] = []

/** Lets `most` run at a time. Some more wait, first come, first served; the rest are refused. */
export function limitConcurrency(
  most: number,
  { name, waiting: mostWaiting = 0, refuseWhen = () => false }: Options,
): ConcurrencyLimit {
  const queue: (() => void)[] = []
  let running = 0
  let refused = 0

  const isFull = () => refuseWhen() || (running >= most && queue.length >= mostWaiting)

  const startNext = () => {
    const next = queue.shift()
    if (next) {
      next()
    } else {
      running -= 1
    }
  }

  const acquire = async (signal?: AbortSignal) => {
    if (isFull()) {
      refused += 1
      throw new BusyError(name)
    }

    if (running < most) {
      running += 1
    } else if (!(await waitInLine(queue, signal))) {
      refused += 1
      throw new BusyError(name)
    }

    let released = false

    return () => {
      if (!released) {
        startNext()
      }

      released = true
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

/** @returns false if the signal ended the wait. */
function waitInLine(queue: (() => void)[], signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const start = () => {
      signal?.removeEventListener('abort', leave)
      resolve(true)
    }
    const leave = () => {
      queue.splice(queue.indexOf(start), 1)
      resolve(false)
    }
    if (signal?.aborted) {
      return resolve(false)
    }

    queue.push(start)
    signal?.addEventListener('abort', leave, { once: true })
  })
}
