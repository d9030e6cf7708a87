import { expect, it } from 'vitest'
import { BusyError, limitConcurrency } from './limit-concurrency.server'

/** Creates tasks that end one after the other when the test calls `endNext`. */
function createManualTasks() {
  const ends: (() => void)[] = []
  const startedNames: string[] = []
  const createTask = (name: string) => () => {
    startedNames.push(name)
    return new Promise<string>((resolve) => ends.push(() => resolve(name)))
  }

  return { createTask, startedNames, endNext: () => ends.shift()?.() }
}

it('runs calls up to the limit, queues some in their order, and refuses the rest at once', async () => {
  const limit = limitConcurrency(2, { name: 'test', maxWaiting: 1 })
  const { createTask, startedNames, endNext } = createManualTasks()
  const runs = ['a', 'b', 'c'].map((name) => limit.run(createTask(name)))
  await expect(limit.run(createTask('d'))).rejects.toThrow(BusyError)
  expect(limit).toMatchObject({ running: 2, waiting: 1, refused: 1, isFull: true })
  expect(startedNames).toEqual(['a', 'b'])

  endNext()
  expect(await runs[0]).toBe('a')
  await expect.poll(() => startedNames).toEqual(['a', 'b', 'c'])

  endNext()
  endNext()
  await Promise.all(runs)
  expect(limit).toMatchObject({ running: 0, waiting: 0, isFull: false })
})

it('gives the place of a failed call to the next one', async () => {
  const limit = limitConcurrency(1, { name: 'test', maxWaiting: 1 })
  const failed = limit.run(() => Promise.reject(new Error('failed')))
  const next = limit.run(async () => 'next')

  await expect(failed).rejects.toThrow('failed')
  expect(await next).toBe('next')
})

it('a wait ends when its signal is aborted, and the place goes to the next call', async () => {
  const limit = limitConcurrency(1, { name: 'test', maxWaiting: 2 })
  const release = await limit.acquire()
  const controller = new AbortController()
  const first = limit.acquire(controller.signal)
  const second = limit.acquire()
  controller.abort()
  await expect(first).rejects.toThrow(BusyError)
  await expect(limit.acquire(AbortSignal.abort())).rejects.toThrow(BusyError)

  release()
  const releaseSecond = await second
  expect(limit).toMatchObject({ running: 1, waiting: 0 })

  releaseSecond()
})

it('releasing a place twice has the effect of releasing it once', async () => {
  const limit = limitConcurrency(2, { name: 'test' })
  const [release] = await Promise.all([limit.acquire(), limit.acquire()])
  release()
  release()

  expect(limit.running).toBe(1)
})

it('refuses new calls while `refuseWhen` returns true, even if places are free', async () => {
  let isBehind = true
  const limit = limitConcurrency(1, { name: 'test', refuseWhen: () => isBehind })
  await expect(limit.run(async () => 'done')).rejects.toThrow(BusyError)

  isBehind = false
  expect(await limit.run(async () => 'done')).toBe('done')
})
