import { type ReactNode, useRef } from 'react'
import { renderToString } from 'react-dom/server'
import { createMemoryRouter, MemoryRouter, RouterProvider } from 'react-router'
import { describe, expect, it } from 'vitest'
import { OrderingField } from '~/features/courses/questions/kinds/ordering'
import type { QuestionWithType } from '~/features/courses/questions/question-kinds'
import { Formulas } from '~/ui/formula-text'
import { ExamBar } from './attempt/exam-bar'
import { ExamReview, LeaveExam } from './attempt/exam-review'
import { RunningExamsContext, useRunningExam } from './attempt/running-exams'
import { ExamIntro } from './exam-intro'
import type { AnswerStatus, ExamOverview } from './exam-page-data'

const html = (part: ReactNode) => renderToString(<MemoryRouter>{part}</MemoryRouter>)

function Review() {
  const questions = [{ prompt: '$x^2$' }] as unknown as QuestionWithType[]
  const rest = { headingRef: useRef(null), attemptId: 'a', onSubmit: async () => {} }
  return <ExamReview questions={questions} isAnswered={() => true} {...rest} />
}

function Leave({ status }: { status: AnswerStatus }) {
  const deadlineAt = '2026-11-22T12:00:00.000Z'
  return (
    <LeaveExam
      headingRef={useRef(null)}
      deadlineAt={deadlineAt}
      timezone="UTC"
      returnStep="3"
      status={status}
    />
  )
}

function Course() {
  return useRunningExam('python') ? 'runs' : 'open'
}

describe('a formula in an exam', () => {
  const square = '<math><msup><mi>x</mi><mn>2</mn></msup></math>'
  const drawn = (part: ReactNode) => html(<Formulas html={{ '$x^2$': square }}>{part}</Formulas>)

  it('is drawn in the review of all questions', () => {
    expect(drawn(<Review />)).toContain(square)
    expect(drawn(<Review />)).not.toContain('$x^2$')
  })

  it('is no part of the name of a button that moves its item', () => {
    const list = drawn(
      <OrderingField
        question={{ prompt: 'Sort', options: ['$x^2$', 'x'], unit: null }}
        value={[0, 1]}
        onAnswer={() => {}}
        hintId="hint"
      />,
    )

    expect(list).toContain('aria-label="Move item 2 up"')
    expect(list).not.toContain('$x^2$')
  })
})

describe('the way out of an exam', () => {
  const openAttempt = { deadlineAt: '2026-11-22T12:00:00.000Z', secondsLeft: 600 } as Parameters<
    typeof ExamBar
  >[0]['openAttempt']
  const bar = (leaving: boolean) =>
    html(
      <ExamBar
        title="Final exam"
        position="Question 3 of 8"
        status="saved"
        isOnline
        openAttempt={openAttempt}
        formId={null}
        isLeaving={leaving}
        onTimeUp={() => {}}
      />,
    )

  it('is in the bar, but not on the page that it leads to', () => {
    expect(bar(false)).toContain('Leave')
    expect(bar(true)).not.toContain('Leave')
  })

  it.each<[AnswerStatus, string]>([
    ['saved', 'Your answers so far are saved.'],
    ['closed', ''],
    ['saving', 'Saving your answers...'],
    ['offline', 'Come back on this device before time runs out.'],
    ['signed-out', 'Come back on this device before time runs out.'],
    ['refused', 'Go back and enter them again.'],
  ])('tells a learner whose answers are %s: %s', (status, sentence) => {
    const page = html(<Leave status={status} />)

    expect(page).toContain(sentence)
    expect(page.includes('this device')).toBe(sentence.includes('this device'))
    expect(page.includes('text-warn')).toBe(['offline', 'signed-out', 'refused'].includes(status))
  })
})

it('an exam is under way until its time is over', () => {
  const course = (endsAt: number) =>
    html(
      <RunningExamsContext value={[{ courseId: 'python', endsAt }]}>
        <Course />
      </RunningExamsContext>,
    )

  expect(course(performance.now() + 60_000)).toBe('runs')
  expect(course(performance.now() - 1)).toBe('open')
})

describe('an exam’s first page', () => {
  const overview = {
    timezone: 'America/New_York',
    course: { id: 'python', title: 'Python', published: true },
    exam: {
      title: 'Final exam',
      questions: 8,
      timeLimitMinutes: 15,
      passPercent: 80,
      maxAttempts: 3,
      attemptsWithinDays: 7,
      minutesBetweenAttempts: 10,
    },
    remainingAttempts: 3,
    nextAttemptAt: null,
    secondsToNextAttempt: null,
    passed: false,
    canSeeAnswers: false,
    totalLessons: 6,
    remainingLessons: 2,
    notCounted: [{ id: 'names', title: 'Names Are Labels', kind: 'video' }],
    completed: false,
    certificate: null,
    isEmailConfirmed: true,
    attempts: [],
    submittedAttemptCount: 0,
    openAttemptId: null,
  } satisfies ExamOverview
  const page = (more: Partial<ExamOverview> = {}) => {
    const intro = <ExamIntro overview={{ ...overview, ...more }} waitingCertificate={null} />
    const router = createMemoryRouter([{ path: '/', element: intro }])
    return renderToString(<RouterProvider router={router} />).replaceAll('<!-- -->', '')
  }

  it('has the lessons that are done, those that the certificate counts, and what the others lack', () => {
    expect(page()).toMatch(
      /Lessons done<.*4 of 6.*Lessons your certificate counts<.*3 of 6.*Names Are Labels/,
    )
    expect(page()).toContain('Watch 90% of it')
    expect(page({ certificate: { id: 'a', revoked: false } })).not.toContain('certificate counts')
  })

  it('has the next attempt in the learner’s time', () => {
    expect(page({ nextAttemptAt: '2026-11-26T02:30:00.000Z' })).toContain(
      'Nov 25, 2026, 9:30 PM EST',
    )
  })
})
