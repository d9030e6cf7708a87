import { ClipboardCheck } from 'lucide-react'
import { Link } from 'react-router'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { getScorePercent, gradeRule } from '~/features/exams/grade'
import { GradeBadge } from '~/features/exams/grade-badge'
import { CourseScoreList } from '~/features/profile/course-score-list'
import { ExamScoreChart } from '~/features/profile/exam-score-chart'
import type { ExamResult, LearnerRecord } from '~/features/profile/learner-record'
import {
  tryGetLearnerRecord,
  withoutCoursesAndLists,
} from '~/features/profile/learner-record-queries.server'
import { RecordErrorNotice, SectionHeading } from '~/features/profile/profile-layout'
import { formatScoreFigures, profileMessages } from '~/features/profile/profile-messages'
import { db } from '~/server/database/client.server'
import { ButtonLink } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { formatDate } from '~/ui/format-date'
import type { Route } from './+types/profile-exam-scores'

export async function loader({ context }: Route.LoaderArgs) {
  const { uid } = context.get(signedInLearner)
  return { record: await tryGetLearnerRecord(db, uid, withoutCoursesAndLists) }
}

export default function ProfileExamScoresRoute({ loaderData }: Route.ComponentProps) {
  return <ExamScoresSection {...loaderData} />
}

/** @param record null if the record could not be loaded */
function ExamScoresSection({ record }: { record: LearnerRecord | null }) {
  const results = record?.examScores ?? []

  return (
    <>
      <SectionHeading intro={gradeRule}>Exam Scores</SectionHeading>
      {!record && <RecordErrorNotice />}
      {record && results.length === 0 && (
        <EmptyState
          icon={<ClipboardCheck />}
          title={profileMessages.noExams.title}
          action={<ButtonLink to="/Profile/current-courses">Your courses</ButtonLink>}
        >
          {profileMessages.noExams.text}
        </EmptyState>
      )}
      {record && results.length > 0 && (
        <ExamResults
          results={results}
          figures={record.examFigures}
          timezone={record.displayTimezone}
        />
      )}
    </>
  )
}

/** More points would be too close to each other on a phone. */
const maxChartResults = 8

type ResultsProps = {
  /** At least one result, newest first. */
  results: readonly ExamResult[]
  timezone: string
}

type ExamResultsProps = ResultsProps & { figures: LearnerRecord['examFigures'] }

function ExamResults({ results, figures, timezone }: ExamResultsProps) {
  const isChartComplete = figures.taken <= maxChartResults

  return (
    <div className="grid gap-6">
      <section aria-labelledby="scores-over-time" className="card p-5 sm:p-6">
        <div className="mb-5 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <h2 id="scores-over-time" className="font-bold text-lg">
            Scores over time
          </h2>
          <p className="text-muted text-sm">
            {formatScoreFigures(figures, isChartComplete ? null : maxChartResults)}
          </p>
        </div>
        <ExamScoreChart
          results={results.slice(0, maxChartResults).toReversed()}
          timezone={timezone}
        />
      </section>
      <CourseScoreList results={results} timezone={timezone} />
      <section aria-labelledby="all-results" className="card p-5 sm:p-6">
        <h2 id="all-results" className="mb-3 font-bold text-lg">
          {formatResultsHeading(results.length, figures.taken)}
        </h2>
        <ResultTable results={results} timezone={timezone} />
      </section>
    </div>
  )
}

function ResultTable({ results, timezone }: ResultsProps) {
  return (
    <table className="w-full text-left">
      <caption className="sr-only">Exam results, newest first</caption>
      <thead className="text-muted text-sm">
        <tr>
          <th scope="col" className="py-2 pr-4 font-medium">
            Exam
          </th>
          <th scope="col" className="hidden py-2 pr-4 font-medium sm:table-cell">
            Date
          </th>
          <th scope="col" className="whitespace-nowrap py-2 pr-4 text-right font-medium">
            Score
          </th>
          <th scope="col" className="py-2 font-medium">
            Grade
          </th>
        </tr>
      </thead>
      <tbody>
        {results.map((result) => (
          <tr key={result.id} className="border-line border-t">
            <th scope="row" className="py-3 pr-4 font-semibold">
              <Link
                to={`/Exam/${result.courseId}/${result.id}`}
                className="inline-flex min-h-6 items-center underline-offset-4 hover:underline"
              >
                {result.name}
              </Link>
              <span className="block font-normal text-muted text-sm sm:hidden">
                {formatDate(result.date, timezone)}
              </span>
            </th>
            <td className="hidden whitespace-nowrap py-3 pr-4 text-muted sm:table-cell">
              {formatDate(result.date, timezone)}
            </td>
            <td className="whitespace-nowrap py-3 pr-4 text-right tabular-nums">
              <span className="font-semibold">{getScorePercent(result)}%</span>
              <span className="block text-muted text-sm">
                {result.score}/{result.maxScore}
              </span>
            </td>
            <td className="py-3 sm:w-24">
              <GradeBadge grade={result.grade} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function formatResultsHeading(visibleCount: number, totalCount: number): string {
  return totalCount > visibleCount
    ? `Latest ${visibleCount} of ${totalCount} results`
    : 'All results'
}
