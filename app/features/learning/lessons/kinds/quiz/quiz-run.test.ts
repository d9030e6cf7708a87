import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  chooseOption,
  getOptionVerdict,
  getQuizScore,
  getRunStage,
  isRightChoice,
  newRun,
} from './quiz-run'

const runWithTries = (...tries: boolean[]) => ({ ...newRun, tries })

describe('a quiz question', () => {
  it('gets a second try after a wrong answer, and shows the solution after the second', () => {
    expect(getRunStage(runWithTries())).toBe('open')
    expect(getRunStage(runWithTries(false))).toBe('second-try')
    expect(getRunStage(runWithTries(false, false))).toBe('solution')

    expect(getRunStage(runWithTries(true))).toBe('right')
    expect(getRunStage(runWithTries(false, true))).toBe('right')
  })

  it('shows the solution as soon as the learner asks for it', () => {
    expect(getRunStage({ ...newRun, solutionAsked: true })).toBe('solution')
  })

  it('replaces the chosen option in a single choice', () => {
    const run = { ...runWithTries(false), chosen: ['a'], judged: true }

    expect(chooseOption(run, 'b', false)).toEqual({ ...runWithTries(false), chosen: ['b'] })
  })

  it('toggles the chosen option in a multiple choice', () => {
    expect(chooseOption({ ...newRun, chosen: ['a'] }, 'b', true).chosen).toEqual(['a', 'b'])
    expect(chooseOption({ ...newRun, chosen: ['a', 'b'] }, 'a', true).chosen).toEqual(['b'])
  })

  it('starts a new run with a choice after a finished one', () => {
    const finishedRun = { ...runWithTries(true), chosen: ['a'], judged: true }

    expect(chooseOption(finishedRun, 'b', true)).toEqual({ ...newRun, chosen: ['b'] })
  })

  it('is right with every correct option and no other', () => {
    const options = [
      { text: '0', correct: true },
      { text: '1', correct: false },
      { text: '2', correct: true },
    ]

    expect(isRightChoice(options, ['0', '2'])).toBe(true)

    for (const wrongChoice of [[], ['0'], ['0', '1', '2'], ['1']]) {
      expect(isRightChoice(options, wrongChoice)).toBe(false)
    }
  })

  it('never shows which option is correct before the solution', () => {
    const anyOption = fc.record({
      isCorrect: fc.boolean(),
      isChosen: fc.boolean(),
      isMultipleChoice: fc.boolean(),
    })

    fc.assert(
      fc.property(anyOption, (option) => {
        expect(getOptionVerdict('open', option)).toBeNull()
        expect(getOptionVerdict('second-try', option)).not.toBe('right')
        expect(getOptionVerdict('second-try', { ...option, isMultipleChoice: true })).toBeNull()
        expect(getOptionVerdict('solution', option) === 'right').toBe(option.isCorrect)
      }),
    )
  })
})

describe('the score of a quiz', () => {
  it('counts right answers on the first and the second try', () => {
    const runs = [
      runWithTries(true),
      runWithTries(false, true),
      runWithTries(false, false),
      { ...newRun, solutionAsked: true },
    ]

    expect(getQuizScore(runs)).toEqual({ rightCount: 2, secondTryCount: 1, triedCount: 3 })
  })

  it('never counts more right answers than tries', () => {
    const anyRun = fc.record({
      tries: fc.array(fc.boolean(), { maxLength: 4 }),
      solutionAsked: fc.boolean(),
      chosen: fc.constant([]),
      judged: fc.boolean(),
    })

    fc.assert(
      fc.property(fc.array(anyRun), (runs) => {
        const { rightCount, secondTryCount, triedCount } = getQuizScore(runs)
        expect(secondTryCount).toBeLessThanOrEqual(rightCount)
        expect(rightCount).toBeLessThanOrEqual(triedCount)
        expect(triedCount).toBeLessThanOrEqual(runs.length)
      }),
    )
  })
})
