import { Award, Clock, ListChecks, RotateCcw, Target } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { Form, Link, useNavigation, useRevalidator } from 'react-router'
import { Button, ButtonLink } from '~/ui/button'
import { countText } from '~/ui/count-text'
import { momentText } from '~/ui/date-text'
import { Notice } from '~/ui/notice'
import { AttemptHistory } from './attempt-history'
import { attemptRuleText } from './exam-attempts'
import { pointsToPass } from './exam-judge'
import type { ExamOverview } from './exam-page-data'
import { gradeRule } from './grade'

type ExamIntroProps = {
  overview: ExamOverview
  /** Why the exam could not be started just now. */
  problem: string | null
  waitingCertificate: ReactNode
}

/** Before and between attempts: the rules, what is still to do for the certificate, and what was done. */
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
      <CertificateState overview={overview} waitingCertificate={waitingCertificate} />
      <section aria-labelledby="exam-rules" className="card mt-8 p-5 sm:p-8">
        <h2 id="exam-rules" className="font-bold text-xl">
          How it works
        </h2>
        <dl className="mt-5 grid gap-5 sm:grid-cols-2">
          <Rule icon={<ListChecks />} name={`${exam.questions} questions`}>
            Drawn at random for each attempt. Your answers are saved as you give them.
          </Rule>
          <Rule icon={<Clock />} name={`${exam.timeLimitMinutes} minutes`}>
            The clock starts with the attempt and does not stop. When the time is over, what you answered is handed in.
          </Rule>
          <Rule icon={<Target />} name={`${exam.passPercent}% to pass`}>
            {pointsToPass(exam.questions, exam.passPercent)} of {exam.questions} questions right. {gradeRule}.
          </Rule>
          <Rule icon={<RotateCcw />} name={attemptsText(overview.attemptsLeft)}>
            {attemptRuleText(exam)} {explanationRule(exam)}
          </Rule>
        </dl>
        <Start overview={overview} problem={problem} />
      </section>
      {attempts.length > 0 && (
        <AttemptHistory courseId={course.id} attempts={attempts} taken={overview.attemptsTaken} timezone={timezone} />
      )}
    </div>
  )
}

function explanationRule({ attemptsWithinDays }: ExamOverview['exam']): string {
  const when = attemptsWithinDays === null ? 'once you have passed, or used every attempt' : 'once you have passed'
  return `Right answers and explanations show ${when}.`
}

function attemptsText(left: number): string {
  if (left === 0) return 'No attempt left'
  return left === 1 ? '1 attempt left' : `${left} attempts left`
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

function Start({ overview, problem }: Pick<ExamIntroProps, 'overview' | 'problem'>) {
  const { state } = useNavigation()
  const { attempts, attemptsLeft, nextAttemptAt, timezone } = overview
  useNewPageIn(overview.secondsToNextAttempt)
  const label = overview.passed ? 'Take it again' : attempts.length > 0 ? 'Try again' : 'Start the exam'
  if (attemptsLeft === 0) {
    return (
      <p className="mt-8 rounded-control bg-sunken px-4 py-3 text-muted">
        You have used every attempt.{' '}
        {nextAttemptAt
          ? `The next one is yours from ${momentText(nextAttemptAt, timezone)}.`
          : 'Your best result counts.'}
      </p>
    )
  }
  if (nextAttemptAt) {
    return (
      <p className="mt-8 rounded-control bg-sunken px-4 py-3 text-muted">
        A pause of {countText(overview.exam.minutesBetweenAttempts, 'minute')} is between two attempts. You can start
        the next one at {momentText(nextAttemptAt, timezone)}.
      </p>
    )
  }
  return (
    <Form method="post" className="mt-8">
      <input type="hidden" name="intent" value="start" />
      <Button type="submit" disabled={state !== 'idle'}>
        {label}
      </Button>
      {problem && state === 'idle' && (
        <div className="mt-4">
          <Notice look="bad">{problem}</Notice>
        </div>
      )}
    </Form>
  )
}

const longestTimerMs = 2 ** 31 - 1

/** Asks the server again once the pause is over, by whose clock it is counted. */
function useNewPageIn(seconds: number | null) {
  const { revalidate } = useRevalidator()
  const again = useEffectEvent(() => void revalidate())
  useEffect(() => {
    if (seconds === null) return
    const timer = setTimeout(again, Math.min(seconds * 1000 + 500, longestTimerMs))
    return () => clearTimeout(timer)
  }, [seconds])
}

/** What the learner has of exam and lessons, which together make the certificate. */
function CertificateState({ overview, waitingCertificate }: Omit<ExamIntroProps, 'problem'>) {
  const { course, certificate, completed, lessonsLeft, passed } = overview
  if (certificate?.revoked) {
    return (
      <p className="mt-6 rounded-card bg-warn-soft px-5 py-4 text-warn">
        Your certificate of this course was revoked.{' '}
        <Link to={`/Certificate/${certificate.id}`} className="font-semibold underline underline-offset-2">
          See why
        </Link>
        .
      </p>
    )
  }
  if (certificate) {
    return (
      <div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-3 rounded-card bg-good-soft px-5 py-4">
        <Award aria-hidden="true" className="shrink-0 text-good" />
        <p className="min-w-52 flex-1 font-semibold text-good">You earned the certificate of this course.</p>
        <ButtonLink to={`/Certificate/${certificate.id}`} look="secondary">
          See the certificate
        </ButtonLink>
      </div>
    )
  }
  if (overview.certificateWaits) return <div className="mt-6">{waitingCertificate}</div>
  if (passed && !completed) {
    return (
      <p className="mt-6 rounded-card bg-accent-soft px-5 py-4">
        The exam is passed. {lessonsText(lessonsLeft)} to do for the certificate:{' '}
        <Link to={`/Learn/${course.id}`} className="font-semibold underline underline-offset-2">
          continue learning
        </Link>
        .
      </p>
    )
  }
  return (
    <p className="mt-4 max-w-2xl text-lg text-muted">
      {completed
        ? 'You have done every lesson. Pass this exam, and the certificate is yours.'
        : `You may take the exam now. For the certificate, ${lessonsText(lessonsLeft).toLowerCase()} to do, too.`}
    </p>
  )
}

function lessonsText(left: number): string {
  return left === 1 ? '1 lesson is still' : `${left} lessons are still`
}
