import { expect, test, vi } from 'vitest'
import { Readiness } from './readiness.server'

function createServingReadiness(): Readiness {
  const readiness = new Readiness()
  readiness.enter('serving')
  return readiness
}

test('the product is ready when every part is available', async () => {
  const readiness = createServingReadiness()
  readiness.addCheck('database', async () => {})

  expect(await readiness.report()).toEqual({ ready: true, parts: { database: 'ok' }, warnings: {} })
})

test('the product is not ready while one part fails, and the report does not contain the reason', async () => {
  const readiness = createServingReadiness()
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

test('a part whose check takes longer than two seconds is unavailable', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const readiness = createServingReadiness()
  readiness.addCheck('database', () => new Promise(() => {}))
  const report = readiness.report()
  await vi.advanceTimersByTimeAsync(2_000)
  vi.useRealTimers()

  expect(await report).toMatchObject({ ready: false, parts: { database: 'unavailable' } })
})

test('the report contains a warning until it is removed, and the product stays ready', async () => {
  const readiness = createServingReadiness()
  readiness.setWarning('content', 'course.yaml is broken.')
  expect(await readiness.report()).toEqual({
    ready: true,
    parts: {},
    warnings: { content: 'course.yaml is broken.' },
  })

  readiness.setWarning('content', null)
  expect(await readiness.report()).toMatchObject({ warnings: {} })
})

test('a warning that is looked for ends when its cause is repaired elsewhere', async () => {
  const readiness = createServingReadiness()
  let warning: string | null = 'There is no backup yet.'
  readiness.addWarningCheck('backup', async () => warning)
  readiness.addWarningCheck('mail', async () => {
    throw new Error('The database is down.')
  })
  expect(await readiness.report(0)).toEqual({
    ready: true,
    parts: {},
    warnings: { backup: 'There is no backup yet.' },
  })

  warning = null
  expect(await readiness.report(1_000)).toEqual({ ready: true, parts: {}, warnings: {} })
})

test('the checks run at most once a second', async () => {
  const readiness = createServingReadiness()
  const check = vi.fn(async () => {})
  readiness.addCheck('database', check)
  await Promise.all([readiness.report(1_000), readiness.report(1_000), readiness.report(1_999)])
  expect(check).toHaveBeenCalledTimes(1)

  await readiness.report(2_000)
  expect(check).toHaveBeenCalledTimes(2)
})

test('the product is not ready while it starts or stops', async () => {
  const readiness = new Readiness()
  expect(await readiness.report()).toMatchObject({ ready: false, parts: { product: 'starting' } })

  readiness.enter('serving')
  readiness.enter('stopping')
  expect(await readiness.report()).toMatchObject({ ready: false, parts: { product: 'stopping' } })
})

test('the product stays ready while a part that most pages do not need is unavailable, with a warning', async () => {
  const readiness = createServingReadiness()
  let isUnavailable = true
  const check = async () => {
    if (isUnavailable) {
      throw new Error('The file store answered with status 503.')
    }
  }

  readiness.addCheck('storage', check, { warning: 'Photos can’t be stored.' })
  expect(await readiness.report(0)).toEqual({
    ready: true,
    parts: { storage: 'unavailable' },
    warnings: { storage: 'Photos can’t be stored.' },
  })

  isUnavailable = false
  expect(await readiness.report(2_000)).toEqual({
    ready: true,
    parts: { storage: 'ok' },
    warnings: {},
  })
})

test('old results are not reused when the clock is set back', async () => {
  const readiness = createServingReadiness()
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
