import { Award } from 'lucide-react'
import { Link } from 'react-router'
import { ButtonLink } from '~/ui/button'
import { Rays } from '~/ui/celebration-card'
import { ShareButton } from '~/ui/share-button'
import {
  attemptsUsedUp,
  bestResultCounts,
  correctCount,
  finishLessons,
  lessonsStayOpen,
  missedInPractice,
  nextAttempt,
  resultFacts,
} from '../exam-messages'
import type { ExamOverview, ResultData } from '../exam-page-data'
import { getGrade, getPointsToPass, getScorePercent } from '../grade'
import { GradeBadge } from '../grade-badge'

type ResultSummaryProps = { overview: ExamOverview; result: ResultData }

/** The score of an attempt, its figures, and the next step. Only a passed attempt has a grade. */
export function ResultSummary({ overview, result }: ResultSummaryProps) {
  const { passed, score, maxScore, passPercent } = result
  return (
    <section
      aria-label="Result"
      className="card mt-8 flex flex-wrap items-center gap-x-8 gap-y-5 p-5 sm:p-8"
    >
      <ScoreRing percent={getScorePercent(result)} passed={passed} />
      <div className="min-w-56 flex-1">
        <p className="flex flex-wrap items-center gap-3 font-semibold text-lg">
          {correctCount(score, maxScore)} {passed && <GradeBadge grade={getGrade(result)} />}
        </p>
        <p className="mt-1 text-muted">
          {resultFacts(result, getPointsToPass(maxScore, passPercent), overview.timezone)}
        </p>
        {passed && score < maxScore && (
          <p className="mt-4">
            {missedInPractice((words) => (
              <Link to="/Practice" className="link">
                {words}
              </Link>
            ))}
          </p>
        )}
        <NextStep overview={overview} passed={passed} />
      </div>
    </section>
  )
}

/** Its circumference. */
const ringLength = 2 * Math.PI * 52

/** A ring filled to the score; the number stands inside as text. */
function ScoreRing({ percent, passed }: { percent: number; passed: boolean }) {
  const strokeColor = passed ? 'stroke-good' : 'stroke-warn'

  return (
    <div className="relative grid size-32 shrink-0 place-items-center">
      {passed && <Rays />}
      <svg aria-hidden="true" viewBox="0 0 120 120" className="absolute inset-0 -rotate-90">
        <circle cx="60" cy="60" r="52" fill="none" strokeWidth="10" className="stroke-line" />
        <circle
          cx="60"
          cy="60"
          r="52"
          fill="none"
          strokeWidth="10"
          strokeLinecap="round"
          strokeDasharray={`${(percent / 100) * ringLength} ${ringLength}`}
          className={percent === 0 ? 'hidden' : strokeColor}
        />
      </svg>
      <span className="font-bold text-3xl tabular-nums">{percent}%</span>
    </div>
  )
}

function NextStep({ overview, passed }: { overview: ExamOverview; passed: boolean }) {
  const { course, certificate, openAttemptId } = overview
  return (
    <>
      {passed && !certificate && !overview.completed && (
        <p className="mt-4">{finishLessons(overview.lessonsLeft)}</p>
      )}
      {!passed && !openAttemptId && <RetryTime overview={overview} />}
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
        {passed && !certificate && !overview.completed && (
          <ButtonLink to={`/Learn/${course.id}`}>Continue learning</ButtonLink>
        )}
        {openAttemptId && <ButtonLink to={`/Exam/${course.id}`}>Continue your attempt</ButtonLink>}
        {!passed && !openAttemptId && mayStart(overview) && (
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

function mayStart({ attemptsLeft, nextAttemptAt }: ExamOverview): boolean {
  return attemptsLeft > 0 && nextAttemptAt === null
}

function RetryTime({ overview }: { overview: ExamOverview }) {
  const { attemptsLeft, nextAttemptAt, passed, timezone } = overview
  if (mayStart(overview)) {
    return null
  }

  const withoutNextAttempt = passed ? bestResultCounts : lessonsStayOpen

  return (
    <p className="mt-4">
      {attemptsLeft === 0 && attemptsUsedUp}{' '}
      {nextAttemptAt ? nextAttempt(nextAttemptAt, timezone) : withoutNextAttempt}
    </p>
  )
}
