import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { emptyProgress } from '../../../progress/lesson-progress'
import { findDisplayedQuestion, QuizLesson, quizKey, readQuiz, storeQuiz } from './quiz-lesson'
import { QuizQuestion } from './quiz-question'
import { newRun, type QuestionRun } from './quiz-run'

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
      onChange={() => {}}
      onTry={() => {}}
      onContinue={() => {}}
    />,
  )

/** The input of an option. */
const input = (html: string, option: string) =>
  html.match(new RegExp(`<input[^>]*value="${option}"[^>]*>`))?.[0]

const right: QuestionRun = {
  tries: [false, true],
  solutionAsked: false,
  chosen: ['A value'],
  judged: true,
}
const wrong: QuestionRun = {
  tries: [false, false],
  solutionAsked: false,
  chosen: ['A box'],
  judged: true,
}

describe('a question that was answered on an earlier visit', () => {
  it('shows the choice, the judgment and the explanation', () => {
    expect(input(shown(right), 'A value')).toContain('checked')
    expect(shown(right)).toContain('Correct this time.')
    expect(input(shown(wrong), 'A box')).toContain('checked')
    expect(input(shown(wrong), 'A value')).not.toContain('checked')
    expect(shown(wrong)).toContain('Not quite.')
    for (const run of [right, wrong]) {
      expect(shown(run)).toContain('It refers to an object.')
    }
  })

  it('leads on by one button once it is over', () => {
    for (const run of [right, wrong]) {
      expect(shown(run).match(/>Continue/g)).toHaveLength(1)
    }

    expect(shown(newRun)).not.toContain('Continue')
    expect(shown({ ...wrong, tries: [false] })).not.toContain('Continue')
  })

  it('shows “Answered” as a success only where the answer was right', () => {
    const mark = (run: QuestionRun) =>
      shown(run).match(/<span class="([^"]*)">(<svg[\s\S]*?<\/svg>)? ?Answered/)
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
    const state = { at: question.id, runs: { [question.id]: wrong } }
    storeQuiz(quizKey('ada', 'python', 'quiz'), state)
    expect(readQuiz(quizKey('ada', 'python', 'quiz'))).toEqual(state)
    expect(readQuiz(quizKey('grace', 'python', 'quiz')).runs).toEqual({})
    expect(readQuiz(quizKey('ada', 'python', 'other-quiz')).runs).toEqual({})
  })

  it('stay beside those that another tab has stored since', () => {
    storeQuiz('quiz', { at: 'b', runs: { a: right, b: wrong } })
    const state = { at: 'a', runs: { a: wrong, b: wrong } }
    expect(storeQuiz('quiz', { at: 'a', runs: { a: wrong } })).toEqual(state)
    expect(readQuiz('quiz')).toEqual(state)
  })

  it('that were stored before the place was are read, too', () => {
    stored.set('quiz', JSON.stringify({ a: right, b: wrong }))
    expect(readQuiz('quiz')).toEqual({ at: null, runs: { a: right, b: wrong } })
  })

  it('that cannot be read count as none', () => {
    for (const text of [
      '{',
      '[]',
      'null',
      '{"runs":{"a":{"tries":"yes"}}}',
      '{"runs":{"a":null},"at":1}',
    ]) {
      stored.set('quiz', text)
      expect(readQuiz('quiz')).toEqual({ at: null, runs: {} })
    }
  })
})

const silentReporter = {
  recordPlayed() {},
  recordReadToEnd() {},
  recordMark() {},
  recordAnswer() {},
  recordMissed() {},
  async flush() {},
}

describe('the questions of a quiz', () => {
  const questions = ['a', 'b', 'c'].map((id) => ({ ...question, id, question: `Question ${id}?` }))

  it('come one at a time: where the learner was, else the first that is open, and at the end a list of all', () => {
    expect(findDisplayedQuestion(questions, [], null)).toBe(0)
    expect(findDisplayedQuestion(questions, ['a'], null)).toBe(1)
    expect(findDisplayedQuestion(questions, ['a'], 'a')).toBe(0)
    expect(findDisplayedQuestion(questions, ['a'], 'review')).toBe(3)
    expect(findDisplayedQuestion(questions, ['a', 'b', 'c'], null)).toBe(3)
    expect(findDisplayedQuestion(questions, ['a'], 'a question that was taken out')).toBe(1)
  })

  it('are all shown without scripts', () => {
    const element = (
      <QuizLesson
        courseId="python"
        lesson={{ id: 'quiz' }}
        material={{ questions, formulas: {} }}
        lessons={[]}
        progress={{ ...emptyProgress, answered: ['a'] }}
        isDone={false}
        reporter={silentReporter}
      />
    )
    const html = renderToStaticMarkup(
      <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />,
    )
    const shownNow = [...html.matchAll(/<li data-current="(true|false)" class="([^"]*)"/g)]
    expect(shownNow.map(([, current]) => current)).toEqual(['false', 'true', 'false'])
    for (const [, , classes] of shownNow) {
      expect(classes).toContain('noscript:block!')
    }

    expect(html).toContain('2 of 3 questions left')
  })
})
