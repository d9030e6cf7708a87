import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import type { ActionResult } from '~/ui/action-result'
import { WishPresses } from './wish-presses'

it('however fast a heart is pressed, and whatever is lost, it ends as the account has it', async () => {
  const press = fc.record({ soon: fc.boolean(), outcome: fc.constantFrom('stored', 'refused', 'lost') })
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(press, { minLength: 1, maxLength: 8 }), async (network, presses) => {
      let [stored, shown] = [false, false]
      const heart = new WishPresses()
      for (const { soon, outcome } of presses) {
        shown = !shown
        const wished = shown
        const done = heart
          .press(wished, async () => {
            await network.schedule(Promise.resolve())
            if (outcome === 'stored') stored = wished
            const answers = { stored: { done: true }, refused: { done: false, errors: {} }, lost: undefined } as const
            return answers[outcome] as ActionResult | undefined
          })
          .then((end) => {
            if (end) shown = end.wished
          })
        if (soon) await new Promise(setImmediate)
        else await network.waitFor(done)
      }
      await network.waitIdle()
      expect(shown).toBe(stored)
      if (presses.every(({ outcome }) => outcome === 'stored')) expect(stored).toBe(presses.length % 2 === 1)
    }),
  )
})

it('of presses that wait only the last is sent, and only the last tells how it ended', async () => {
  const sent: boolean[] = []
  const answers: (() => void)[] = []
  const send = (wished: boolean) =>
    new Promise<ActionResult>((resolve) => {
      sent.push(wished)
      answers.push(() => resolve({ done: true }))
    })
  const heart = new WishPresses()
  const first = heart.press(true, send)
  await vi.waitFor(() => expect(sent).toEqual([true]))
  const [second, third] = [heart.press(false, send), heart.press(true, send)]
  answers[0]?.()
  expect([await first, await second]).toEqual([null, null])
  await vi.waitFor(() => expect(sent).toEqual([true, true]))
  answers[1]?.()
  expect(await third).toEqual({ wished: true, answer: { done: true } })
})
