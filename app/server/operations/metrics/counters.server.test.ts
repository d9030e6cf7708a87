import { expect, it } from 'vitest'
import { counters, trackRun } from './counters.server'

it('a failed run of background work is counted as failed, and the time of the last success does not change', async () => {
  const run = (work: () => Promise<void>) => trackRun('work of this test', work, () => 1_500)
  await run(async () => {})
  await expect(run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')

  const text = await counters.metrics()
  const readMetric = (name: string) =>
    Number(new RegExp(`^${name}{task="work of this test"} (.*)$`, 'm').exec(text)?.[1])
  expect(readMetric('learnify_job_runs_total')).toBe(2)
  expect(readMetric('learnify_job_failures_total')).toBe(1)
  expect(readMetric('learnify_job_last_success_timestamp_seconds')).toBe(1.5)
  expect(readMetric('learnify_job_last_duration_seconds')).toBeGreaterThanOrEqual(0)
})
