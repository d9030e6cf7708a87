import { expect, it } from 'vitest'
import { Pace } from './pace'

/** @param idleShare of the thread's time. @returns after how many milliseconds the next one begins. */
async function nextAfter(idleShare: number, workMs: number): Promise<number> {
  let ms = 0
  const pause = async (passed: number) => {
    ms += passed
  }
  const nextBegins = new Pace({ now: () => ms, idleMs: () => ms * idleShare, pause }).begin()
  await pause(workMs)
  await nextBegins()
  return ms
}

it('the next hash begins once the thread was idle for a while since the last one began', async () => {
  expect(await nextAfter(1, 14)).toBe(25)
  expect(await nextAfter(0.5, 14)).toBeCloseTo(50, -1)
  expect(await nextAfter(0.01, 14)).toBe(100)
})

it('after a hash that took as long anyway it begins at once', async () => {
  expect(await nextAfter(1, 30)).toBe(30)
  expect(await nextAfter(0, 120)).toBe(120)
})
