import { Link } from 'react-router'
import { formatDate } from '~/ui/format-date'
import { formatCorrectCount } from './exam-messages'
import type { AttemptSummary } from './exam-page-data'
import { getGrade, getScorePercent } from './grade'
import { GradeBadge } from './grade-badge'

type AttemptHistoryProps = {
  courseId: string
  attempts: readonly AttemptSummary[]
  /** The number of all submitted attempts, of which `attempts` are the latest. */
  totalAttempts: number
  timezone: string
}

/** Lists the submitted attempts, newest first. */
export function AttemptHistory({
  courseId,
  attempts,
  totalAttempts,
  timezone,
}: AttemptHistoryProps) {
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

function formatLatestAttempts(listedCount: number, totalCount: number): string {
  return `Showing the latest ${listedCount} of ${totalCount}.`
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
