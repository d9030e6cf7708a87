import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseOption, getRunStage, getVerdict, isRightChoice, newRun, quizScore } from './quiz-run'

const run = (...tries: boolean[]) => ({ ...newRun, tries })
const runs = fc.array(
  fc.record({
    tries: fc.array(fc.boolean(), { maxLength: 4 }),
    solutionAsked: fc.boolean(),
    chosen: fc.constant([]),
    judged: fc.boolean(),
  }),
)

describe('a quiz question', () => {
  it('gets a second try after a wrong answer, and shows the solution after the second', () => {
    expect([run(), run(false), run(false, false)].map(getRunStage)).toEqual([
      'open',
      'second-try',
      'solution',
    ])

    expect([run(true), run(false, true)].map(getRunStage)).toEqual(['right', 'right'])
    expect(getRunStage({ ...newRun, solutionAsked: true })).toBe('solution')
  })

  it('takes one option or several, and begins anew with a choice after its end', () => {
    expect(chooseOption({ ...run(false), chosen: ['a'], judged: true }, 'b', false)).toEqual({
      ...run(false),
      chosen: ['b'],
    })
    expect(chooseOption({ ...newRun, chosen: ['a'] }, 'b', true).chosen).toEqual(['a', 'b'])
    expect(chooseOption({ ...newRun, chosen: ['a', 'b'] }, 'a', true).chosen).toEqual(['b'])
    expect(chooseOption({ ...run(true), chosen: ['a'], judged: true }, 'b', true)).toEqual({
      ...newRun,
      chosen: ['b'],
    })
  })

  it('is right with every correct option and no other', () => {
    const options = [true, false, true].map((correct, index) => ({ text: `${index}`, correct }))
    expect(isRightChoice(options, ['0', '2'])).toBe(true)
    for (const chosen of [[], ['0'], ['0', '1', '2'], ['1']]) {
      expect(isRightChoice(options, chosen)).toBe(false)
    }
  })

  it('never shows which option is correct before the solution', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), fc.boolean(), (correct, chosen, several) => {
        const option = { correct, chosen, several }
        expect(getVerdict('open', option)).toBeNull()
        expect(getVerdict('second-try', option)).not.toBe('right')
        expect(getVerdict('second-try', { ...option, several: true })).toBeNull()
        expect(getVerdict('solution', option) === 'right').toBe(correct)
      }),
    )
  })
})

describe('the score of a quiz', () => {
  it('counts what was right, on the first or the second try', () => {
    const asked = { ...newRun, solutionAsked: true }
    const score = { right: 2, onSecondTry: 1, tried: 3 }
    expect(quizScore([run(true), run(false, true), run(false, false), asked])).toEqual(score)
  })

  it('never counts more right than tried', () => {
    fc.assert(
      fc.property(runs, (all) => {
        const { right, onSecondTry, tried } = quizScore(all)
        expect(onSecondTry).toBeLessThanOrEqual(right)
        expect(right).toBeLessThanOrEqual(tried)
        expect(tried).toBeLessThanOrEqual(all.length)
      }),
    )
  })
})
