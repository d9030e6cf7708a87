import { Link } from 'react-router'
import { dateText } from '~/ui/format-date'
import { attemptFacts, attemptLabel, latestAttempts } from './exam-messages'
import type { AttemptSummary } from './exam-page-data'
import { gradeOf, scorePercent } from './grade'
import { GradeBadge } from './grade-badge'

type AttemptHistoryProps = {
  courseId: string
  attempts: readonly AttemptSummary[]
  /** How many there are in total. */
  taken: number
  timezone: string
}

/** Submitted attempts, newest first. */
export function AttemptHistory({ courseId, attempts, taken, timezone }: AttemptHistoryProps) {
  return (
    <section aria-labelledby="attempts" className="mt-10">
      <h2 id="attempts" className="font-bold text-xl">
        Your attempts
      </h2>
      {taken > attempts.length && <p className="mt-1 text-muted">{latestAttempts(attempts.length, taken)}</p>}
      <ul className="card mt-4 divide-y divide-line">
        {attempts.map((attempt) => (
          <li
            key={attempt.id}
            className="grid grid-cols-[auto_1fr] items-center gap-x-5 px-5 py-4 sm:grid-cols-[auto_1fr_auto_auto]"
          >
            <span className="w-14 font-bold text-xl tabular-nums">{scorePercent(attempt)}%</span>
            <span className="min-w-0">
              <span className="block font-semibold">{attempt.passed ? 'Passed' : 'Not passed'}</span>
              <span className="text-muted text-sm">{attemptFacts(attempt, timezone)}</span>
            </span>
            {/* As in its result, a grade is for who passed. */}
            <span className="max-sm:col-start-2 max-sm:mt-1 max-sm:empty:hidden">
              {attempt.passed && <GradeBadge grade={gradeOf(attempt)} />}
            </span>
            <Link
              to={`/Exam/${courseId}/${attempt.id}`}
              aria-label={attemptLabel(dateText(attempt.submittedAt, timezone), scorePercent(attempt))}
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
