import { Worker } from 'node:worker_threads'

/** To hash without `hashed`, or to compare with it. */
export type HashingTask = { password: string; hashed?: string }
type Answer = { result: string | boolean } | { error: Error }
type Thread = { worker: Worker; settle: ((answer: Answer) => void) | null }

/**
 * OWASP's first choice for Argon2id (the library's default algorithm): 19 MiB, 2 passes, 1 lane; about 30 ms.
 */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Below the product's own priority. On a busy core a sign-in still gets about a quarter. */
const niceness = 5

/**
 * Threads that only hash, one task at a time each. They have a lower priority than the thread that answers, so that a storm
 * of sign-ins leaves public pages as fast as they are, and they hold up no file that is read.
 */
export class HashingThreads {
  readonly #threads: Thread[] = []

  /** @param task goes to a thread that is free, or to a new one. */
  async run(task: HashingTask): Promise<string | boolean> {
    const thread = this.#threads.find(({ settle }) => settle === null) ?? this.#start()
    const answer = await new Promise<Answer>((resolve) => {
      thread.settle = resolve
      thread.worker.ref()
      thread.worker.postMessage(task)
    })
    if ('error' in answer) throw answer.error
    return answer.result
  }

  #start(): Thread {
    const worker = new Worker(`(${hashTasks})()`, {
      eval: true,
      workerData: { productFile: import.meta.url, cost, niceness },
    })
    const thread: Thread = { worker, settle: null }
    const settle = (answer: Answer) => {
      const waiting = thread.settle
      thread.settle = null
      // A thread without work keeps no process alive.
      worker.unref()
      waiting?.(answer)
    }
    worker.on('message', settle)
    worker.on('error', (error: Error) => {
      this.#threads.splice(this.#threads.indexOf(thread), 1)
      settle({ error })
    })
    this.#threads.push(thread)
    return thread
  }
}

/** The thread's program. It travels as text, so that it sees nothing outside itself. */
function hashTasks() {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads')
  const { hashSync, verifySync } = process.getBuiltinModule('node:module').createRequire(workerData.productFile)(
    '@node-rs/argon2',
  )
  try {
    // Linux knows a thread by a number of its own; elsewhere it keeps its priority.
    const thread = process.getBuiltinModule('node:fs').readlinkSync('/proc/thread-self').split('/').at(-1)
    const { getPriority, setPriority } = process.getBuiltinModule('node:os')
    setPriority(Number(thread), Math.min(19, getPriority(process.pid) + workerData.niceness))
  } catch {}
  parentPort?.on('message', ({ password, hashed }: HashingTask) => {
    try {
      const result = hashed === undefined ? hashSync(password, workerData.cost) : verifySync(hashed, password)
      parentPort.postMessage({ result })
    } catch (error) {
      parentPort.postMessage({ error })
    }
  })
}
