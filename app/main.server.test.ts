import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readiness } from '~/server/operations/readiness.server'
import { runProduct } from './main.server'
import { listParts, type ProductFeatures } from './product-parts.server'

vi.mock('./product-parts.server', () => ({ listParts: vi.fn() }))

type ListPartsOptions = Parameters<typeof listParts>[1]
type Part = ReturnType<typeof listParts>[number]

const signalListeners = new Map<string | symbol, () => void>()
const exit = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(process, 'exit').mockImplementation(exit as never)
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  vi.spyOn(process, 'on').mockImplementation((name, listener) => {
    signalListeners.set(name, listener)
    return process
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  exit.mockReset()
})

/** Runs a product that consists of the given parts only. */
function runParts(createParts: (options: ListPartsOptions) => Part[]) {
  vi.mocked(listParts).mockImplementation((_features, options) => createParts(options))
  void runProduct({ createFirstOwnerLink: async () => null } as unknown as ProductFeatures)
}

test('a part that hangs does not keep a process running that could not start', async () => {
  const stopHangs = () => new Promise<void>(() => {})
  const failToStart = () => {
    throw new Error('The port is in use.')
  }

  runParts(() => [
    { name: 'database', start: () => stopHangs },
    { name: 'HTTP', start: failToStart },
  ])
  await vi.advanceTimersByTimeAsync(20_000)

  expect(exit).toHaveBeenCalledWith(1)
})

test('a process that gets a SIGTERM during its start never becomes ready', async () => {
  const enter = vi.spyOn(readiness, 'enter').mockImplementation(() => {})
  let finishStart = () => {}
  const startHttp = (onListening: ListPartsOptions['onListening']) => {
    onListening({ closeConnectionsAfterResponses() {}, async close() {} })

    return new Promise<undefined>((resolve) => {
      finishStart = () => resolve(undefined)
    })
  }

  runParts(({ onListening }) => [{ name: 'HTTP', start: () => startHttp(onListening) }])
  signalListeners.get('SIGTERM')?.()
  finishStart()
  await vi.advanceTimersByTimeAsync(60_000)

  expect(enter.mock.calls).toEqual([['stopping']])
  expect(exit).toHaveBeenCalledWith(0)
})
