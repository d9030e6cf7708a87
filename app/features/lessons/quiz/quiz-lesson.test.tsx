import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readRuns, runsKey, storeRuns } from './quiz-lesson'
import { QuizQuestion } from './quiz-question'
import { newRun, type QuestionRun } from './quiz-rules'

const question = {
  id: 'aaaaaaaaaaaa',
  question: 'What does a name hold?',
  explanation: 'It refers to an object.',
  options: [
    { text: 'A value', correct: true },
    { text: 'A box', correct: false },
  ],
}

/** A question as it is opened again. */
const shown = (run: QuestionRun) =>
  renderToStaticMarkup(
    <QuizQuestion
      question={question}
      number={1}
      count={1}
      answered
      run={run}
      explainedIn={null}
      onTry={() => {}}
      onChooseAgain={() => {}}
      onSolution={() => {}}
      onRestart={() => {}}
    />,
  )

/** The input of an option. */
const input = (html: string, option: string) => html.match(new RegExp(`<input[^>]*value="${option}"[^>]*>`))?.[0]

const right: QuestionRun = { tries: [false, true], solutionAsked: false, chosen: ['A value'] }
const wrong: QuestionRun = { tries: [false, false], solutionAsked: false, chosen: ['A box'] }

describe('a question that was answered on an earlier visit', () => {
  it('shows the choice, the judgment and the explanation', () => {
    expect(input(shown(right), 'A value')).toContain('checked')
    expect(shown(right)).toContain('Correct this time.')
    expect(input(shown(wrong), 'A box')).toContain('checked')
    expect(input(shown(wrong), 'A value')).not.toContain('checked')
    expect(shown(wrong)).toContain('Not quite.')
    for (const run of [right, wrong]) expect(shown(run)).toContain('It refers to an object.')
  })

  it('shows “Answered” as a success only where the answer was right', () => {
    const mark = (run: QuestionRun) => shown(run).match(/<span class="([^"]*)">(<svg[\s\S]*?<\/svg>)? ?Answered/)
    expect(mark(right)?.[1]).toContain('text-good')
    expect(mark(right)?.[2]).toBeDefined()
    for (const run of [wrong, newRun]) {
      expect(mark(run)?.[1]).not.toContain('text-good')
      expect(mark(run)?.[2]).toBeUndefined()
    }
  })
})

describe('the answers of a quiz', () => {
  const stored = new Map<string, string>()
  beforeEach(() => {
    stored.clear()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    })
  })
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('are there after a reload, for this learner and this quiz only', () => {
    storeRuns(runsKey('ada', 'python', 'quiz'), { [question.id]: wrong })
    expect(readRuns(runsKey('ada', 'python', 'quiz'))).toEqual({ [question.id]: wrong })
    expect(readRuns(runsKey('grace', 'python', 'quiz'))).toEqual({})
    expect(readRuns(runsKey('ada', 'python', 'other-quiz'))).toEqual({})
  })

  it('that cannot be read count as none', () => {
    for (const text of ['{', '[]', '{"a":{"tries":"yes"}}', '{"a":null}']) {
      stored.set('quiz', text)
      expect(readRuns('quiz')).toEqual({})
    }
  })
})
