import { expect, it, vi } from 'vitest'
import { log } from './log.server'
import { stopAll } from './shutdown.server'

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
  vi.restoreAllMocks()
})
