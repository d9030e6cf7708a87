import { expect, it, vi } from 'vitest'
import { log } from './log.server'
import { stopAll } from './shutdown.server'

it('a part that fails to stop, at once or later, keeps none of the others', async () => {
  const logged = vi.spyOn(log, 'error').mockImplementation(() => {})
  const stopped: string[] = []
  await stopAll([
    () => void stopped.push('database'),
    () => {
      throw new Error('at once')
    },
    async () => {
      stopped.push('changes')
    },
    () => Promise.reject(new Error('later')),
    () => void stopped.push('HTTP'),
  ])
  expect(stopped).toEqual(['HTTP', 'changes', 'database'])
  expect(logged).toHaveBeenCalledTimes(2)
  vi.restoreAllMocks()
})
