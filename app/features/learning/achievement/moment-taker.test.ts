import { expect, it } from 'vitest'
import type { EarnedMoment, TakenMoment } from './earned-moment'
import { MomentTaker } from './moment-taker'

const streak = (days: number): EarnedMoment => ({ kind: 'streak', days })

/** A learner's tab, whose server answers when the test says so. */
function openTab() {
  const answers: ((taken: TakenMoment | null) => void)[] = []
  const told: string[] = []
  const clock = { now: 0, hidden: false }
  const taker = new MomentTaker({
    ask: () => new Promise((resolve) => answers.push(resolve)),
    tell: (events) => told.push(...events),
    isHidden: () => clock.hidden,
    now: () => clock.now,
    onChange: () => {},
  })
  const answer = async (moment: EarnedMoment | null) => {
    answers.shift()?.(moment && { moment, events: ['event'] })
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { taker, clock, told, answer, asked: () => answers.length }
}

it('work that follows while the server is asked is asked for after its answer', async () => {
  const { taker, answer, asked } = openTab()
  void taker.take('ada')
  void taker.take('ada')
  expect(asked()).toBe(1)
  await answer(null)
  expect(asked()).toBe(1)
  await answer(streak(3))
  expect(taker.shown?.moment).toEqual(streak(3))
  expect(asked()).toBe(0)
})

it('a moment that was in view leaves with its page, and the next one comes', async () => {
  const { taker, clock, answer, asked } = openTab()
  taker.openPage('/Learn/python')
  void taker.take('ada')
  await answer(streak(3))
  clock.now = 3_001
  taker.openPage('/Learn/python')
  expect(taker.shown?.moment).toEqual(streak(3))
  taker.openPage('/Profile')
  expect(taker.shown).toBeNull()
  expect(asked()).toBe(1)
})

it('a moment that nobody could have read yet comes along to the next page', async () => {
  const { taker, clock, answer } = openTab()
  taker.openPage('/Learn/python')
  void taker.take('ada')
  await answer(streak(3))
  clock.now = 500
  taker.openPage('/Profile')
  expect(taker.shown?.moment).toEqual(streak(3))
})

it('the server hears once that a moment was in view, and not before', async () => {
  const { taker, clock, told, answer } = openTab()
  void taker.take('ada')
  await answer(streak(3))
  expect(told).toEqual([])
  clock.hidden = true
  taker.drawn()
  expect(told).toEqual([])
  clock.hidden = false
  taker.drawn()
  taker.drawn()
  expect(told).toEqual(['event'])
})
