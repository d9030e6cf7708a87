/** The runs of one kind of work that no request asks for. */
export type JobRuns = {
  runs: number
  failures: number
  lastSeconds: number
  /** 0 before the first. */
  lastSuccessAt: number
}

const all = new Map<string, JobRuns>()

/**
 * Runs background work and notes how it went.
 *
 * @param name one of few.
 * @throws what the work throws.
 */
export async function trackRun<T>(name: string, run: () => Promise<T>, now = Date.now): Promise<T> {
  const work = all.get(name) ?? { runs: 0, failures: 0, lastSeconds: 0, lastSuccessAt: 0 }
  all.set(name, work)
  const startedAt = performance.now()
  try {
    const result = await run()
    work.lastSuccessAt = now()
    return result
  } catch (error) {
    work.failures += 1
    throw error
  } finally {
    work.runs += 1
    work.lastSeconds = (performance.now() - startedAt) / 1000
  }
}

export function listJobRuns(): [name: string, work: Readonly<JobRuns>][] {
  return [...all]
}
