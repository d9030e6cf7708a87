import { expect, it } from 'vitest'
import { listJobRuns, trackRun } from './job-runs.server'

it('background work that failed counts as failed, and keeps the time of its last success', async () => {
  let now = 1_000
  const run = (work: () => Promise<void>) => trackRun('work of this test', work, () => now)
  await run(async () => {
    now += 500
  })
  await expect(run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const runs = new Map(listJobRuns()).get('work of this test')
  expect(runs).toEqual({ runs: 2, failures: 1, lastSeconds: expect.any(Number), lastSuccessAt: 1_500 })
  await run(async () => {
    now -= 3_600_000
  })
  expect(runs?.lastSeconds).toBeGreaterThanOrEqual(0)
})
