/** How many tasks of one key may run and wait. */
const maxQueueLength = 20

/**
 * Runs the tasks of each key one after the other, in this process. A learner's parallel requests
 * with the right password wait for each other instead of counting as wrong ones, and nobody can keep
 * the server busy with the passwords of one account.
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
