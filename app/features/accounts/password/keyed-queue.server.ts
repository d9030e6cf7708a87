/** How many tasks of one key may run and wait. */
const maxQueueLength = 20

/**
 * Runs the tasks of each key one after the other, in this process.
 *
 * The keys are accounts, and the tasks check a password. If a learner sends several requests at
 * once, the requests wait for each other, so that none of them counts as a wrong password. The
 * limited length of a queue keeps an attacker from occupying the server with the passwords of one
 * account.
 */
export class KeyedQueue {
  #queues = new Map<string, { previousTask: Promise<unknown>; length: number }>()

  /** @returns undefined if too many tasks of this key are running or waiting */
  async run<T>(key: string, task: () => Promise<T>): Promise<T | undefined> {
    const queue = this.#queues.get(key) ?? { previousTask: Promise.resolve(), length: 0 }
    if (queue.length >= maxQueueLength) {
      return undefined
    }

    const result = queue.previousTask.then(task)
    // The next task has to run even if this one fails.
    queue.previousTask = result.catch(() => {})
    queue.length += 1
    this.#queues.set(key, queue)

    try {
      return await result
    } finally {
      queue.length -= 1
      if (queue.length === 0) {
        this.#queues.delete(key)
      }
    }
  }
}
