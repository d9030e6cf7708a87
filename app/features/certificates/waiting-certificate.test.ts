import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { mostPolls, poll, pollEveryMs } from './waiting-certificate'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * pollEveryMs)

it('a page that waits looks once a second, and no more after its last look', async () => {
  let looks = 0
  poll(
    async () => void looks++,
    () => true,
  )
  await pass(3)
  expect(looks).toBe(3)
  await pass(100)
  expect(looks).toBe(mostPolls)
})

it('a slow look is waited for, and one that fails is not the last', async () => {
  const answers: (() => void)[] = []
  let looks = 0
  poll(
    () =>
      new Promise((resolve, reject) => {
        looks++
        answers.push(looks === 1 ? reject : resolve)
      }),
    () => true,
  )
  await pass(10)
  expect(looks).toBe(1)
  answers[0]?.()
  await pass(1)
  expect(looks).toBe(2)
})

it('without a connection it puts its looks off', async () => {
  let [looks, online] = [0, false]
  poll(
    async () => void looks++,
    () => online,
  )
  await pass(60)
  expect(looks).toBe(0)
  online = true
  await pass(2)
  expect(looks).toBe(2)
})

it('a page that is left looks no more, also not after the look under way', async () => {
  let [looks, answer] = [0, () => {}]
  const stop = poll(
    () => {
      looks++
      return new Promise((resolve) => {
        answer = resolve
      })
    },
    () => true,
  )
  await pass(1)
  stop()
  answer()
  await pass(5)
  expect(looks).toBe(1)
})
