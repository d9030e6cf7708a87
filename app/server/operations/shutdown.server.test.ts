import { afterEach, expect, it, vi } from 'vitest'
import { log } from './log.server'
import { stopAll, watchForStop } from './shutdown.server'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Watches for a stop. Returns a function that calls the listeners of a signal to this process. */
function watchSignals(drain: () => Promise<void>) {
  const listeners = new Map<string | symbol, () => void>()
  vi.spyOn(process, 'on').mockImplementation((name, listener) => {
    listeners.set(name, listener)
    return process
  })

  return { stopSignal: watchForStop(drain), send: (signal: string) => listeners.get(signal)?.() }
}

it.each(['SIGINT', 'SIGHUP'])('%s stops the product at once', (signal) => {
  const drain = vi.fn()
  const { stopSignal, send } = watchSignals(drain)

  send(signal)

  expect(stopSignal.aborted).toBe(true)
  expect(drain).not.toHaveBeenCalled()
})

it('SIGTERM stops the product after one drain, also when it comes twice', async () => {
  let finishDrain = () => {}
  const drain = vi.fn(
    () =>
      new Promise<void>((resolve) => {
        finishDrain = resolve
      }),
  )
  const { stopSignal, send } = watchSignals(drain)

  send('SIGTERM')
  send('SIGTERM')

  expect(drain).toHaveBeenCalledTimes(1)
  expect(stopSignal.aborted).toBe(false)

  finishDrain()
  await vi.waitFor(() => expect(stopSignal.aborted).toBe(true))
})

it('parts stop in reverse order, and a part that fails does not prevent the others from stopping', async () => {
  const logged = vi.spyOn(log, 'error').mockImplementation(() => {})
  const stopped: string[] = []
  const part = (name: string) => ({ name, stop: () => void stopped.push(name) })
  const failsAtOnce = () => {
    throw new Error('at once')
  }
  await stopAll([
    part('database'),
    { name: 'search', stop: failsAtOnce },
    part('shared state'),
    { name: 'accounts', stop: () => Promise.reject(new Error('later')) },
    part('HTTP'),
  ])

  expect(stopped).toEqual(['HTTP', 'shared state', 'database'])
  expect(logged.mock.calls.map(([line]) => line)).toMatchObject([
    { part: 'accounts' },
    { part: 'search' },
  ])
})
