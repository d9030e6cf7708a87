type Task = () => Promise<boolean>

/**
 * Runs tasks with the same name one after the other. With HTTPS, browsers have locks, which order
 * the tasks of all tabs. Without locks, only the tasks of this page are ordered.
 */
export class ExclusiveTasks {
  /** The last task of each name, started or not. Only browsers without locks need it. */
  readonly #lastTasks = new Map<string, Promise<boolean>>()

  async run(name: string, task: Task): Promise<boolean> {
    // The caller gets its promise before the task starts, even if the lock is free.
    await Promise.resolve()

    if (!globalThis.navigator?.locks) {
      return this.#runAfterLastTask(name, task)
    }

    let hasStarted = false
    try {
      return await navigator.locks.request(name, () => {
        hasStarted = true
        return task()
      })
    } catch (error) {
      if (hasStarted) {
        throw error
      }

      // The browser refuses the lock, as in a sandboxed frame. The task runs nevertheless.
      return this.#runAfterLastTask(name, task)
    }
  }

  #runAfterLastTask(name: string, task: Task): Promise<boolean> {
    const lastTask = this.#lastTasks.get(name) ?? Promise.resolve()
    // The task also runs after one that failed.
    const nextTask = lastTask.then(task, task)
    this.#lastTasks.set(name, nextTask)

    return nextTask
  }
}
