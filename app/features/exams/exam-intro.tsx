import { Award, Clock, ListChecks, RotateCcw, Target } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { Form, Link, useNavigation, useRevalidator } from 'react-router'
import { lessonRules } from '~/features/learning/lessons/kinds/lesson-rules'
import { Button, ButtonLink } from '~/ui/button'
import { byCount } from '~/ui/format-count'
import { formatDate } from '~/ui/format-date'
import { Notice } from '~/ui/notice'
import { ProgressBar } from '~/ui/progress-bar'
import {
  describeAnswersRule,
  describeAttemptRules,
  examMessages,
  formatCorrectCount,
  formatLessonsToFinish,
  formatNextAttemptTime,
  formatTimeLimit,
} from './exam-messages'
import { type AttemptSummary, type ExamOverview, isCertificateWaiting } from './exam-page-data'
import { getGrade, getPointsToPass, getScorePercent, gradeRule } from './grade'
import { GradeBadge } from './grade-badge'

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

/** Shows what the learner still needs for the certificate, or the certificate itself. */
function CertificateProgress({ overview, waitingCertificate }: Omit<ExamIntroProps, 'problem'>) {
  const { course, certificate, completed, remainingLessons, passed } = overview
  if (certificate?.revoked) {
    return (
      <Notice variant="warn" className="mt-6">
        {examMessages.certificate.revoked}{' '}
        <Link
          to={`/Certificate/${certificate.id}`}
          className="font-semibold underline underline-offset-2"
        >
          See why
        </Link>
      </Notice>
    )
  }

  if (certificate) {
    return (
      <div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-3 rounded-card bg-good-soft px-5 py-4">
        <Award aria-hidden="true" className="shrink-0 text-good" />
        <p className="min-w-52 flex-1 font-semibold text-good">{examMessages.certificate.earned}</p>
        <ButtonLink to={`/Certificate/${certificate.id}`} variant="secondary">
          See your certificate
        </ButtonLink>
      </div>
    )
  }

  if (isCertificateWaiting(overview)) {
    return <div className="mt-6">{waitingCertificate}</div>
  }

  if (passed) {
    return (
      <Notice variant="good" className="mt-6">
        {examMessages.passedExam} {formatLessonsToFinish(remainingLessons)}{' '}
        <Link to={`/Learn/${course.id}`} className="font-semibold underline underline-offset-2">
          Continue learning
        </Link>
      </Notice>
    )
  }

  return (
    <p className="mt-4 max-w-2xl text-lg text-muted">
      {completed ? examMessages.certificate.passExam : describeExamBeforeLessons(remainingLessons)}
    </p>
  )
}

/** Compares the lessons done with those that the certificate counts, and lists what is missing. */
function LessonCounts({ overview }: Pick<ExamIntroProps, 'overview'>) {
  const { course, totalLessons, remainingLessons, notCounted } = overview
  const doneLessons = totalLessons - remainingLessons
  const counts = [
    { name: examMessages.lessonCounts.done, count: doneLessons },
    { name: examMessages.lessonCounts.counted, count: doneLessons - notCounted.length },
  ]

  return (
    <section aria-labelledby="lesson-counts" className="card mt-8 p-5 sm:p-8">
      <h2 id="lesson-counts" className="font-bold text-xl">
        Your lessons
      </h2>
      <dl className="mt-5 grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {counts.map(({ name, count }) => (
          <div
            key={name}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-2"
          >
            <dt className="font-semibold">{name}</dt>
            <dd className="text-muted tabular-nums">
              {examMessages.lessonCounts.of(count, totalLessons)}
            </dd>
            <dd className="col-span-2">
              <ProgressBar percent={Math.floor((count * 100) / totalLessons)} label={name} />
            </dd>
          </div>
        ))}
      </dl>
      {notCounted.length > 0 && (
        <>
          <p className="mt-5 text-muted">{examMessages.lessonCounts.missing(notCounted.length)}</p>
          <ul className="mt-3 divide-y divide-line">
            {notCounted.map(({ id, title, kind }) => (
              <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-6 py-2">
                <Link to={`/Learn/${course.id}/${id}`} className="link">
                  {title}
                </Link>
                <span className="text-muted text-sm">
                  {lessonRules[kind].texts.certificateCondition}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

type AttemptHistoryProps = {
  courseId: string
  attempts: readonly AttemptSummary[]
  /** The number of all submitted attempts, of which `attempts` are the latest. */
  totalAttempts: number
  timezone: string
}

/** Submitted attempts, newest first. */
function AttemptHistory({ courseId, attempts, totalAttempts, timezone }: AttemptHistoryProps) {
  return (
    <section aria-labelledby="attempts" className="mt-10">
      <h2 id="attempts" className="font-bold text-xl">
        Your attempts
      </h2>
      {totalAttempts > attempts.length && (
        <p className="mt-1 text-muted">{formatLatestAttempts(attempts.length, totalAttempts)}</p>
      )}
      <ul className="card mt-4 divide-y divide-line">
        {attempts.map((attempt) => (
          <li
            key={attempt.id}
            className="grid grid-cols-[auto_1fr] items-center gap-x-5 px-5 py-4 sm:grid-cols-[auto_1fr_auto_auto]"
          >
            <span className="w-14 font-bold text-xl tabular-nums">{getScorePercent(attempt)}%</span>
            <span className="min-w-0">
              <span className="block font-semibold">
                {attempt.passed ? 'Passed' : 'Not passed'}
              </span>
              <span className="text-muted text-sm">{formatAttemptSummary(attempt, timezone)}</span>
            </span>
            {/* Only a passed attempt has a grade. */}
            <span className="max-sm:col-start-2 max-sm:mt-1 max-sm:empty:hidden">
              {attempt.passed && <GradeBadge grade={getGrade(attempt)} />}
            </span>
            <Link
              to={`/Exam/${courseId}/${attempt.id}`}
              aria-label={formatAttemptLabel(
                formatDate(attempt.submittedAt, timezone),
                getScorePercent(attempt),
              )}
              className="col-start-2 inline-flex min-h-11 items-center justify-self-start font-semibold sm:col-start-auto"
            >
              See result
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
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

function formatLatestAttempts(listedCount: number, totalCount: number): string {
  return `Showing the latest ${listedCount} of ${totalCount}.`
}

function describeExamBeforeLessons(remainingLessons: number): string {
  return byCount(
    remainingLessons,
    'You can take the exam now. To earn the certificate, you’ll also need to finish 1 more lesson.',
    `You can take the exam now. To earn the certificate, you’ll also need to finish ${remainingLessons} more lessons.`,
  )
}

/** Summarizes an attempt in one line. */
function formatAttemptSummary(
  { score, maxScore, submittedAt, timedOut }: AttemptSummary,
  timezone: string,
): string {
  const details = [
    formatCorrectCount(score, maxScore),
    formatDate(submittedAt, timezone),
    ...(timedOut ? ['time ran out'] : []),
  ]

  return details.join(' · ')
}

function formatAttemptLabel(date: string, percent: number): string {
  return `See result: ${date}, ${percent}%`
}
