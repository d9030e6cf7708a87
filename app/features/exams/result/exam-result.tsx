import { Award } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useNavigationType } from 'react-router'
import { ButtonLink } from '~/ui/button'
import { Rays } from '~/ui/celebration-card'
import { formatDate } from '~/ui/format-date'
import { formatSeconds } from '~/ui/format-duration'
import type { RenderLink } from '~/ui/more-link'
import { Notice } from '~/ui/notice'
import { ProgressBar } from '~/ui/progress-bar'
import { ShareButton } from '~/ui/share-button'
import {
  describeAnswersRule,
  examMessages,
  formatCorrectCount,
  formatLessonsToFinish,
  formatNextAttemptTime,
} from '../exam-messages'
import {
  type ExamOverview,
  isCertificateWaiting,
  type ResultData,
  type SectionScore,
} from '../exam-page-data'
import { getGrade, getPointsToPass, getScorePercent } from '../grade'
import { GradeBadge } from '../grade-badge'
import { GradedQuestions } from './graded-questions'

type ExamResultViewProps = {
  overview: ExamOverview
  result: ResultData
  waitingCertificate: ReactNode
}

/** The result of an attempt. It lists the questions once the learner may see answers. */
export function ExamResultView({ overview, result, waitingCertificate }: ExamResultViewProps) {
  const { exam } = overview
  return (
    <div className="column max-w-4xl py-10 sm:py-14">
      <p className="eyebrow">{exam.title}</p>
      <VerdictHeading passed={result.passed} />
      <ResultSummary overview={overview} result={result} />
      {isCertificateWaiting(overview) && <div className="mt-6">{waitingCertificate}</div>}
      {result.sections.length > 0 && <SectionScores sections={result.sections} />}
      {result.questions ? (
        result.questions.length > 0 && <GradedQuestions questions={result.questions} />
      ) : (
        <Notice variant="info" className="mt-8">
          {overview.passed && overview.openAttemptId
            ? examMessages.attemptInProgress
            : describeAnswersRule(exam.attemptsWithinDays !== null)}
        </Notice>
      )}
    </div>
  )
}

/**
 * A heading that takes the focus after the exam was submitted, so that screen readers read it
 * first.
 */
function VerdictHeading({ passed }: { passed: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // A page that was opened directly keeps the browser's focus.
  const wasOpenedDirectly = useNavigationType() === 'POP'
  useEffect(() => {
    if (!wasOpenedDirectly) {
      heading.current?.focus()
    }
  }, [wasOpenedDirectly])

  return (
    <h1 ref={heading} tabIndex={-1} className="title mt-2 outline-none">
      {formatVerdict(passed)}
    </h1>
  )
}

type ResultSummaryProps = { overview: ExamOverview; result: ResultData }

/** The score of an attempt and the next step. Only a passed attempt has a grade. */
function ResultSummary({ overview, result }: ResultSummaryProps) {
  const { passed, score, maxScore, passPercent } = result
  return (
    <section
      aria-label="Result"
      className="card mt-8 flex flex-wrap items-center gap-x-8 gap-y-5 p-5 sm:p-8"
    >
      <ScoreRing percent={getScorePercent(result)} passed={passed} />
      <div className="min-w-56 flex-1">
        <p className="flex flex-wrap items-center gap-3 font-semibold text-lg">
          {formatCorrectCount(score, maxScore)} {passed && <GradeBadge grade={getGrade(result)} />}
        </p>
        <p className="mt-1 text-muted">
          {formatResultSummary(result, getPointsToPass(maxScore, passPercent), overview.timezone)}
        </p>
        {passed && score < maxScore && (
          <p className="mt-4">
            {missedQuestionsNotice((linkText) => (
              <Link to="/Practice" className="link">
                {linkText}
              </Link>
            ))}
          </p>
        )}
        <NextStep overview={overview} passed={passed} />
      </div>
    </section>
  )
}

const ringRadius = 52
const ringCircumference = 2 * Math.PI * ringRadius

/** A ring that is filled in proportion to the score, with the score as text inside. */
function ScoreRing({ percent, passed }: { percent: number; passed: boolean }) {
  const strokeColor = passed ? 'stroke-good' : 'stroke-warn'

  return (
    <div className="relative grid size-32 shrink-0 place-items-center">
      {passed && <Rays />}
      <svg aria-hidden="true" viewBox="0 0 120 120" className="absolute inset-0 -rotate-90">
        <circle
          cx="60"
          cy="60"
          r={ringRadius}
          fill="none"
          strokeWidth="10"
          className="stroke-line"
        />
        <circle
          cx="60"
          cy="60"
          r={ringRadius}
          fill="none"
          strokeWidth="10"
          strokeLinecap="round"
          strokeDasharray={`${(percent / 100) * ringCircumference} ${ringCircumference}`}
          className={percent === 0 ? 'hidden' : strokeColor}
        />
      </svg>
      <span className="font-bold text-3xl tabular-nums">{percent}%</span>
    </div>
  )
}

/** Leads on from a result: to the certificate, to the lessons, or to another attempt. */
function NextStep({ overview, passed }: { overview: ExamOverview; passed: boolean }) {
  const { course, certificate, completed, openAttemptId } = overview
  const hasLessonsToFinish = passed && !certificate && !completed
  const canRetry = !passed && !openAttemptId

  return (
    <>
      {hasLessonsToFinish && (
        <p className="mt-4">{formatLessonsToFinish(overview.remainingLessons)}</p>
      )}
      {canRetry && <RetryTime overview={overview} />}
      <div className="mt-5 flex flex-wrap items-center gap-3">
        {certificate && !certificate.revoked && (
          <>
            <ButtonLink to={`/Certificate/${certificate.id}`}>
              <Award aria-hidden="true" size={18} /> See your certificate
            </ButtonLink>
            {passed && (
              <ShareButton
                title={`Certificate: ${course.title}`}
                path={`/Certificate/${certificate.id}`}
              />
            )}
          </>
        )}
        {hasLessonsToFinish && (
          <ButtonLink to={`/Learn/${course.id}`}>Continue learning</ButtonLink>
        )}
        {openAttemptId && <ButtonLink to={`/Exam/${course.id}`}>Continue your attempt</ButtonLink>}
        {canRetry && canStartAttempt(overview) && (
          <ButtonLink to={`/Exam/${course.id}`}>Try again</ButtonLink>
        )}
        {!passed && (
          <ButtonLink to={`/Learn/${course.id}`} variant="secondary">
            Back to lessons
          </ButtonLink>
        )}
        <Link
          to={`/Exam/${course.id}`}
          className="inline-flex min-h-11 items-center px-2 font-semibold"
        >
          All attempts
        </Link>
      </div>
    </>
  )
}

function canStartAttempt({ remainingAttempts, nextAttemptAt }: ExamOverview): boolean {
  return remainingAttempts > 0 && nextAttemptAt === null
}

/** Says when the learner may try again. Displays nothing if the learner may try again now. */
function RetryTime({ overview }: { overview: ExamOverview }) {
  const { remainingAttempts, nextAttemptAt, passed, timezone } = overview
  if (canStartAttempt(overview)) {
    return null
  }

  const noNextAttemptText = passed ? examMessages.bestResultCounts : examMessages.lessonsStayOpen

  return (
    <p className="mt-4">
      {remainingAttempts === 0 && examMessages.attemptsUsedUp}{' '}
      {nextAttemptAt ? formatNextAttemptTime(nextAttemptAt, timezone) : noNextAttemptText}
    </p>
  )
}

function SectionScores({ sections }: { sections: readonly SectionScore[] }) {
  return (
    <section aria-labelledby="sections" className="mt-10">
      <h2 id="sections" className="font-bold text-xl">
        Score by section
      </h2>
      <ul className="card mt-4 divide-y divide-line">
        {sections.map(({ title, right, total }) => (
          <li
            key={title}
            className="grid items-center gap-x-6 gap-y-2 px-5 py-4 sm:grid-cols-[1fr_12rem_auto]"
          >
            <span className="font-semibold">{title}</span>
            <ProgressBar
              percent={Math.floor((right * 100) / total)}
              label={formatSectionScoreLabel(title)}
            />
            <span className="text-muted tabular-nums sm:min-w-28 sm:text-right">
              {formatCorrectCount(right, total)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function formatVerdict(hasPassed: boolean): string {
  return hasPassed ? 'You passed the exam' : 'Not passed'
}

/** Summarizes a result in sentences. */
function formatResultSummary(result: ResultData, pointsNeeded: number, timezone: string): string {
  const { maxScore, secondsUsed, secondsAllowed, submittedAt, timedOut } = result
  const timeUsed = formatSeconds(secondsUsed)

  return [
    `${pointsNeeded} of ${maxScore} needed to pass.`,
    secondsAllowed === null
      ? `Time used: ${timeUsed}.`
      : `Time used: ${timeUsed} of ${formatSeconds(secondsAllowed)}.`,
    `Taken on ${formatDate(submittedAt, timezone)}.`,
    ...(timedOut ? ['Time ran out, so your answers were submitted as they were.'] : []),
  ].join(' ')
}

function missedQuestionsNotice(renderLink: RenderLink): ReactNode {
  return <>You’ll see the questions you missed again in {renderLink('Practice')}.</>
}

function formatSectionScoreLabel(section: string): string {
  return `Correct in ${section}`
}
