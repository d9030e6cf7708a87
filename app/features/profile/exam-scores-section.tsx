import { ClipboardCheck } from 'lucide-react'
import { Link } from 'react-router'
import { getScorePercent, gradeRule } from '~/features/exams/grade'
import { GradeBadge } from '~/features/exams/grade-badge'
import { ButtonLink } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { formatDate } from '~/ui/format-date'
import { CourseCurves } from './course-curves'
import { ExamScoreChart } from './exam-score-chart'
import type { ExamResult, LearnerRecord } from './learner-record'
import { RecordNotice, SectionHeading } from './profile-layout'
import { noExams, resultsHeading, scoreFigures } from './profile-messages'

/** More would stand too close on a phone. */
const drawn = 8

/** @param record null when it could not be read just now. */
export function ExamScoresSection({ record }: { record: LearnerRecord | null }) {
  const results = record?.examScores ?? []
  return (
    <>
      <SectionHeading intro={gradeRule}>Exam Scores</SectionHeading>
      {!record && <RecordNotice />}
      {record && results.length === 0 && (
        <EmptyState
          icon={<ClipboardCheck />}
          title={noExams.title}
          action={<ButtonLink to="/Profile/current-courses">Your courses</ButtonLink>}
        >
          {noExams.text}
        </EmptyState>
      )}
      {record && results.length > 0 && (
        <Results
          results={results}
          figures={record.examFigures}
          timezone={record?.displayTimezone ?? 'UTC'}
        />
      )}
    </>
  )
}

type ResultsProps = { results: readonly ExamResult[]; timezone: string }

type Figures = { figures: LearnerRecord['examFigures'] }

function Results({ results, figures, timezone }: ResultsProps & Figures) {
  return (
    <div className="grid gap-6">
      <section aria-labelledby="scores-over-time" className="card p-5 sm:p-6">
        <div className="mb-5 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <h2 id="scores-over-time" className="font-bold text-lg">
            Scores over time
          </h2>
          <p className="text-muted text-sm">
            {scoreFigures(
              figures.taken > drawn ? drawn : null,
              figures.taken,
              figures.average ?? 0,
              figures.best ?? 0,
            )}
          </p>
        </div>
        <ExamScoreChart results={results.slice(0, drawn).toReversed()} timezone={timezone} />
      </section>
      <CourseCurves results={results} timezone={timezone} />
      <section aria-labelledby="all-results" className="card p-5 sm:p-6">
        <h2 id="all-results" className="mb-3 font-bold text-lg">
          {resultsHeading(results.length, figures.taken)}
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
