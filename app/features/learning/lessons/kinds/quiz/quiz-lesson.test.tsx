import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { emptyProgress } from '../../../progress/lesson-progress'
import { findDisplayedIndex, QuizLesson } from './quiz-lesson'
import { QuizQuestion } from './quiz-question'
import { newRun, type QuestionRun } from './quiz-run'
import { getQuizStorageKey, readQuizState, storeQuizState } from './quiz-state'

const question = {
  id: 'aaaaaaaaaaaa',
  question: 'What does a name hold?',
  explanation: 'It refers to an object.',
  options: [
    { text: 'A value', correct: true },
    { text: 'A box', correct: false },
  ],
}

const rightRun: QuestionRun = {
  tries: [false, true],
  solutionAsked: false,
  chosen: ['A value'],
  judged: true,
}
const wrongRun: QuestionRun = {
  tries: [false, false],
  solutionAsked: false,
  chosen: ['A box'],
  judged: true,
}

/** Renders the question with a run of an earlier visit. */
function renderQuestion(run: QuestionRun): string {
  return renderToStaticMarkup(
    <QuizQuestion
      question={question}
      number={1}
      count={1}
      isAnswered
      run={run}
      explanationLink={null}
      onChange={() => {}}
      onTry={() => {}}
      onContinue={() => {}}
    />,
  )
}

const findOptionInput = (html: string, option: string) =>
  html.match(new RegExp(`<input[^>]*value="${option}"[^>]*>`))?.[0]

describe('a question that was answered on an earlier visit', () => {
  it('shows the choice, the judgment and the explanation', () => {
    const rightHtml = renderQuestion(rightRun)
    expect(findOptionInput(rightHtml, 'A value')).toContain('checked')
    expect(rightHtml).toContain('Correct this time.')
    expect(rightHtml).toContain('It refers to an object.')

    const wrongHtml = renderQuestion(wrongRun)
    expect(findOptionInput(wrongHtml, 'A box')).toContain('checked')
    expect(findOptionInput(wrongHtml, 'A value')).not.toContain('checked')
    expect(wrongHtml).toContain('Not quite.')
    expect(wrongHtml).toContain('It refers to an object.')
  })

  it('has one button to continue once its run is finished', () => {
    for (const finishedRun of [rightRun, wrongRun]) {
      expect(renderQuestion(finishedRun).match(/>Continue/g)).toHaveLength(1)
    }

    const runBeforeSecondTry = { ...wrongRun, tries: [false] }
    for (const openRun of [newRun, runBeforeSecondTry]) {
      expect(renderQuestion(openRun)).not.toContain('Continue')
    }
  })

  it('shows “Answered” as a success only if the answer was right', () => {
    const findMark = (run: QuestionRun) => {
      const match = renderQuestion(run).match(
        /<span class="([^"]*)">(<svg[\s\S]*?<\/svg>)? ?Answered/,
      )
      return { classes: match?.[1], icon: match?.[2] }
    }

    const rightMark = findMark(rightRun)
    expect(rightMark.classes).toContain('text-good')
    expect(rightMark.icon).toBeDefined()

    for (const run of [wrongRun, newRun]) {
      const mark = findMark(run)
      expect(mark.classes).not.toContain('text-good')
      expect(mark.icon).toBeUndefined()
    }
  })
})

describe('the stored state of a quiz', () => {
  const storage = new Map<string, string>()

  beforeEach(() => {
    storage.clear()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => void storage.set(key, value),
    })
  })

  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('survives a reload, for this learner and this quiz only', () => {
    const quizState = { displayedId: question.id, runs: { [question.id]: wrongRun } }

    storeQuizState(getQuizStorageKey('ada', 'python', 'quiz'), quizState)

    expect(readQuizState(getQuizStorageKey('ada', 'python', 'quiz'))).toEqual(quizState)
    expect(readQuizState(getQuizStorageKey('grace', 'python', 'quiz')).runs).toEqual({})
    expect(readQuizState(getQuizStorageKey('ada', 'python', 'other-quiz')).runs).toEqual({})
  })

  it('keeps runs that another tab has stored in the meantime', () => {
    storeQuizState('quiz', { displayedId: 'b', runs: { a: rightRun, b: wrongRun } })

    const storedState = storeQuizState('quiz', { displayedId: 'a', runs: { a: wrongRun } })

    expect(storedState).toEqual({ displayedId: 'a', runs: { a: wrongRun, b: wrongRun } })
    expect(readQuizState('quiz')).toEqual(storedState)
  })

  it('is read in the format of earlier versions, too', () => {
    storage.set('quiz', JSON.stringify({ a: rightRun, b: wrongRun }))

    expect(readQuizState('quiz')).toEqual({
      displayedId: null,
      runs: { a: rightRun, b: wrongRun },
    })
  })

  it.each(['{', '[]', 'null', '{"runs":{"a":{"tries":"yes"}}}', '{"runs":{"a":null},"at":1}'])(
    'is empty if %s is stored',
    (unreadableText) => {
      storage.set('quiz', unreadableText)

      expect(readQuizState('quiz')).toEqual({ displayedId: null, runs: {} })
    },
  )
})

const silentReporter = {
  recordPlayed() {},
  recordReadToEnd() {},
  recordMark() {},
  recordAnswer() {},
  recordMissedQuestion() {},
  async flush() {},
}

describe('the questions of a quiz', () => {
  const questions = ['a', 'b', 'c'].map((id) => ({ ...question, id, question: `Question ${id}?` }))

  it('start with the first open one', () => {
    expect(findDisplayedIndex(questions, [], null)).toBe(0)
    expect(findDisplayedIndex(questions, ['a'], null)).toBe(1)
  })

  it('continue with the one that was displayed last, if the quiz still has it', () => {
    expect(findDisplayedIndex(questions, ['a'], 'a')).toBe(0)
    expect(findDisplayedIndex(questions, ['a'], 'a question that was removed')).toBe(1)
  })

  it('are followed by the review', () => {
    expect(findDisplayedIndex(questions, ['a'], 'review')).toBe(3)
    expect(findDisplayedIndex(questions, ['a', 'b', 'c'], null)).toBe(3)
  })

  it('are all displayed without scripts', () => {
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

    const items = [...html.matchAll(/<li data-current="(true|false)" class="([^"]*)"/g)]
    expect(items.map(([, isCurrent]) => isCurrent)).toEqual(['false', 'true', 'false'])

    for (const [, , classes] of items) {
      expect(classes).toContain('noscript:block!')
    }
    expect(html).toContain('2 of 3 questions left')
  })
})
