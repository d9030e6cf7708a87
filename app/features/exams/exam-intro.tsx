import { Clock, ListChecks, RotateCcw, Target } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { Form, Link, useNavigation, useRevalidator } from 'react-router'
import { Button, ButtonLink } from '~/ui/button'
import { byCount } from '~/ui/format-count'
import { Notice } from '~/ui/notice'
import { AttemptHistory } from './attempt-history'
import { CertificateProgress, LessonCounts } from './certificate-progress'
import {
  describeAnswersRule,
  describeAttemptRules,
  examMessages,
  formatNextAttemptTime,
  formatTimeLimit,
} from './exam-messages'
import { type ExamOverview, isCertificateWaiting } from './exam-page-data'
import { getPointsToPass, gradeRule } from './grade'

type ExamIntroProps = {
  overview: ExamOverview
  /** Why the last request to start the exam failed. */
  problem?: string
  waitingCertificate: ReactNode
}

/**
 * The page before and between attempts. It shows the rules, the remaining steps to the certificate,
 * and past attempts.
 */
export function ExamIntro({ overview, problem, waitingCertificate }: ExamIntroProps) {
  const { course, exam, attempts, timezone } = overview
  return (
    <div className="column max-w-4xl py-10 sm:py-14">
      <p className="eyebrow">
        <Link to={`/OneCourse/${course.id}`} className="text-inherit no-underline hover:underline">
          {course.title}
        </Link>
      </p>
      <h1 className="title mt-2">{exam.title}</h1>
      <CertificateProgress overview={overview} waitingCertificate={waitingCertificate} />
      {!overview.certificate && overview.totalLessons > 0 && <LessonCounts overview={overview} />}
      <section aria-labelledby="exam-rules" className="card mt-8 p-5 sm:p-8">
        <h2 id="exam-rules" className="font-bold text-xl">
          How it works
        </h2>
        <dl className="mt-5 grid gap-5 sm:grid-cols-2">
          <Rule icon={<ListChecks />} name={`${exam.questions} questions`}>
            Picked at random for each attempt. Your answers save automatically.
          </Rule>
          <Rule icon={<Clock />} name={formatTimeLimit(exam.timeLimitMinutes)}>
            The clock starts when you do and can’t be paused. When time runs out, your answers are
            submitted.
          </Rule>
          <Rule icon={<Target />} name={`${exam.passPercent}% to pass`}>
            {describePassRule(getPointsToPass(exam.questions, exam.passPercent), exam.questions)}{' '}
            {gradeRule}
          </Rule>
          <Rule icon={<RotateCcw />} name={formatRemainingAttempts(overview.remainingAttempts)}>
            {describeAttemptRules(exam)} {describeAnswersRule(exam.attemptsWithinDays !== null)}
          </Rule>
        </dl>
        <StartForm overview={overview} problem={problem} />
      </section>
      {attempts.length > 0 && (
        <AttemptHistory
          courseId={course.id}
          attempts={attempts}
          totalAttempts={overview.submittedAttemptCount}
          timezone={timezone}
        />
      )}
    </div>
  )
}

function Rule({ icon, name, children }: { icon: ReactNode; name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[auto_1fr] grid-rows-[auto_1fr] gap-x-3.5">
      <dt className="contents">
        <span
          aria-hidden="true"
          className="row-span-2 grid size-10 place-items-center rounded-control bg-accent-soft text-accent-strong [&>svg]:size-5"
        >
          {icon}
        </span>
        <span className="font-semibold">{name}</span>
      </dt>
      <dd className="col-start-2 text-muted">{children}</dd>
    </div>
  )
}

/** The button that starts an attempt, or the reason why the learner can't start one. */
function StartForm({ overview, problem }: Pick<ExamIntroProps, 'overview' | 'problem'>) {
  const { state } = useNavigation()
  const { nextAttemptAt, timezone } = overview
  useReloadAfter(overview.secondsToNextAttempt)

  if (overview.remainingAttempts === 0) {
    return (
      <Notice variant="info" className="mt-8">
        {examMessages.attemptsUsedUp}{' '}
        {nextAttemptAt
          ? formatNextAttemptTime(nextAttemptAt, timezone)
          : examMessages.bestResultCounts}
      </Notice>
    )
  }

  if (nextAttemptAt) {
    return (
      <Notice variant="info" className="mt-8">
        {formatNextAttemptTime(nextAttemptAt, timezone)}{' '}
        {formatPauseBetweenAttempts(overview.exam.minutesBetweenAttempts)}
      </Notice>
    )
  }

  if (!overview.isEmailConfirmed) {
    if (isCertificateWaiting(overview)) {
      return null
    }

    const confirmLink = (
      <ButtonLink to="/ConfirmEmail" variant="secondary">
        Confirm your email address
      </ButtonLink>
    )

    return (
      <Notice variant="info" className="mt-8" action={confirmLink}>
        {examMessages.confirmEmailToStart}
      </Notice>
    )
  }

  return (
    <Form method="post" className="mt-8">
      <input type="hidden" name="intent" value="start" />
      <Button type="submit" disabled={state !== 'idle'}>
        {getStartLabel(overview)}
      </Button>
      {problem && state === 'idle' && (
        <Notice variant="bad" className="mt-4">
          {problem}
        </Notice>
      )}
    </Form>
  )
}

function getStartLabel({ passed, attempts }: ExamOverview): string {
  if (passed) {
    return 'Take it again'
  }

  return attempts.length > 0 ? 'Try again' : 'Start the exam'
}

/** The longest delay that `setTimeout` accepts. */
const maxTimerMs = 2 ** 31 - 1

/** Reloads the page's data once the pause between attempts is over by the server's clock. */
function useReloadAfter(seconds: number | null) {
  const { revalidate } = useRevalidator()
  const reload = useEffectEvent(() => void revalidate())
  useEffect(() => {
    if (seconds === null) {
      return
    }

    const timer = setTimeout(reload, Math.min(seconds * 1000 + 500, maxTimerMs))
    return () => clearTimeout(timer)
  }, [seconds])
}

function formatRemainingAttempts(count: number): string {
  return count === 0
    ? 'No attempts left'
    : byCount(count, '1 attempt left', `${count} attempts left`)
}

function describePassRule(points: number, questions: number): string {
  return byCount(
    points,
    `1 of ${questions} correct answers needed.`,
    `${points} of ${questions} correct answers needed.`,
  )
}

function formatPauseBetweenAttempts(minutes: number): string {
  return byCount(
    minutes,
    'Attempts must be at least 1 minute apart.',
    `Attempts must be at least ${minutes} minutes apart.`,
  )
}
