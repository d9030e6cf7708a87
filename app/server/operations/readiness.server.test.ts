import { expect, test, vi } from 'vitest'
import { Readiness } from './readiness.server'

function serving(): Readiness {
  const readiness = new Readiness()
  readiness.enter('serving')
  return readiness
}

test('a product is ready when every part is', async () => {
  const readiness = serving()
  readiness.addCheck('database', async () => {})
  expect(await readiness.report()).toEqual({ ready: true, parts: { database: 'ok' }, warnings: {} })
})

test('one part that fails makes the product unable, and says nothing of the reason', async () => {
  const readiness = serving()
  readiness.addCheck('storage', async () => {})
  readiness.addCheck('database', async () => {
    throw new Error('connect ECONNREFUSED 10.0.0.7:5432')
  })
  expect(await readiness.report()).toEqual({
    ready: false,
    parts: { storage: 'ok', database: 'unavailable' },
    warnings: {},
  })
})

test('a part that does not answer is unable after two seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const readiness = serving()
  readiness.addCheck('database', () => new Promise(() => {}))
  const report = readiness.report()
  await vi.advanceTimersByTimeAsync(2_000)
  vi.useRealTimers()
  expect(await report).toMatchObject({ ready: false, parts: { database: 'unavailable' } })
})

test('a warning leaves the product ready until it is taken back', async () => {
  const readiness = serving()
  readiness.warn('content', 'course.yaml is broken.')
  expect(await readiness.report()).toEqual({
    ready: true,
    parts: {},
    warnings: { content: 'course.yaml is broken.' },
  })

  readiness.warn('content', null)
  expect(await readiness.report()).toMatchObject({ warnings: {} })
})

test('the parts are asked at most once a second', async () => {
  const readiness = serving()
  const check = vi.fn(async () => {})
  readiness.addCheck('database', check)
  await Promise.all([readiness.report(1_000), readiness.report(1_000), readiness.report(1_999)])
  expect(check).toHaveBeenCalledTimes(1)
  await readiness.report(2_000)
  expect(check).toHaveBeenCalledTimes(2)
})

test('a product that starts or stops is not ready', async () => {
  const readiness = new Readiness()
  expect(await readiness.report()).toMatchObject({ ready: false, parts: { product: 'starting' } })
  readiness.enter('serving')
  readiness.enter('stopping')
  expect(await readiness.report()).toMatchObject({ ready: false, parts: { product: 'stopping' } })
})

test('a part that most pages can do without leaves the product ready, with a warning while it is unable', async () => {
  const readiness = serving()
  let unable = true
  const check = async () => {
    if (unable) {
      throw new Error('The file store answered with status 503.')
    }
  }

  readiness.addCheck('storage', check, { warning: 'Photos can’t be stored.' })
  expect(await readiness.report(0)).toEqual({
    ready: true,
    parts: { storage: 'unavailable' },
    warnings: { storage: 'Photos can’t be stored.' },
  })

  unable = false
  expect(await readiness.report(2_000)).toEqual({
    ready: true,
    parts: { storage: 'ok' },
    warnings: {},
  })
})

test('a clock that is set back keeps no old answer', async () => {
  const readiness = serving()
  const check = vi.fn(async () => {})
  readiness.addCheck('database', check)
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 22, 12) })
  await readiness.report()
  vi.setSystemTime(Date.UTC(2026, 10, 22, 11))
  await vi.advanceTimersByTimeAsync(1_500)
  await readiness.report()
  vi.useRealTimers()
  expect(check).toHaveBeenCalledTimes(2)
})
