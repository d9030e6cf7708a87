import { getScorePercent } from '~/features/exams/grade'
import { formatDate } from '~/ui/format-date'
import { createVerticalScale, getAxisMinimum, getHorizontalPosition } from './chart-positions'
import type { ExamResult } from './learner-record'
import { formatCourseScores } from './profile-messages'

type CourseScoreListProps = {
  /** The results of all courses, newest first. */
  results: readonly ExamResult[]
  timezone: string
}

/** Lists the courses with their exam scores, each with a small chart. */
export function CourseScoreList({ results, timezone }: CourseScoreListProps) {
  return (
    <section aria-labelledby="by-course" className="card p-5 sm:p-6">
      <h2 id="by-course" className="mb-5 font-bold text-lg">
        Scores by course
      </h2>
      <ul className="grid gap-x-8 gap-y-7 md:grid-cols-2">
        {groupResultsByCourse(results).map((courseResults) => (
          <CourseScores
            key={courseResults[0]?.courseId}
            results={courseResults}
            timezone={timezone}
          />
        ))}
      </ul>
    </section>
  )
}

/**
 * Groups results by course. The course of the latest exam comes first. Within a course, the oldest
 * result comes first.
 *
 * @param results newest first
 */
export function groupResultsByCourse(results: readonly ExamResult[]): ExamResult[][] {
  const resultsByCourse = new Map<string, ExamResult[]>()
  for (const result of results) {
    const newerResults = resultsByCourse.get(result.courseId) ?? []
    resultsByCourse.set(result.courseId, [result, ...newerResults])
  }

  return [...resultsByCourse.values()]
}

/** More points would be too close to each other on a phone. */
const maxChartPoints = 8

type CourseScoresProps = {
  /** The results of one course, oldest first. */
  results: readonly ExamResult[]
  timezone: string
}

function CourseScores({ results, timezone }: CourseScoresProps) {
  const percents = results.map(getScorePercent)
  const chartResults = results.slice(-maxChartPoints)
  const oldestResult = results[0]
  const oldestChartResult = chartResults[0]
  const newestResult = results.at(-1)
  if (!oldestResult || !oldestChartResult || !newestResult) {
    return null
  }

  return (
    <li className="min-w-0">
      <h3 className="font-semibold leading-snug tracking-normal">{newestResult.name}</h3>
      <p className="mt-0.5 text-muted text-sm">
        {formatCourseScores({
          attemptCount: results.length,
          bestPercent: Math.max(...percents),
          improvementPoints: getScorePercent(newestResult) - getScorePercent(oldestResult),
        })}
      </p>
      <Sparkline percents={chartResults.map(getScorePercent)} />
      <p className="flex justify-between gap-4 text-muted text-xs">
        <span>{formatDate(oldestChartResult.date, timezone)}</span>
        {results.length > 1 && <span>{formatDate(newestResult.date, timezone)}</span>}
      </p>
    </li>
  )
}

const plot = { top: 10, height: 56 }
const chartHeight = plot.top * 2 + plot.height

/**
 * A small line chart without labels. It fits any width, because its horizontal positions are
 * percentages.
 */
function Sparkline({ percents }: { percents: readonly number[] }) {
  const minPercent = getAxisMinimum(percents)
  const getY = createVerticalScale(plot, minPercent)
  const points = percents.map((percent, index) => ({
    // A score may occur twice, so the index is a part of the key.
    id: `${index}:${percent}`,
    x: getHorizontalPosition(index, percents.length),
    y: getY(percent),
  }))

  return (
    <svg
      aria-hidden="true"
      width="100%"
      height={chartHeight}
      className="my-2 block overflow-visible"
    >
      {[100, minPercent].map((percent) => (
        <line
          key={percent}
          x1="0"
          x2="100%"
          y1={getY(percent)}
          y2={getY(percent)}
          className="stroke-line"
        />
      ))}
      {points.slice(1).map((point, index) => (
        <line
          key={point.id}
          // The first point was sliced off, so `index` is the index of the previous point.
          x1={points[index]?.x}
          y1={points[index]?.y}
          x2={point.x}
          y2={point.y}
          strokeWidth="2.5"
          strokeLinecap="round"
          className="stroke-accent"
        />
      ))}
      {points.map((point) => (
        <circle
          key={point.id}
          cx={point.x}
          cy={point.y}
          r="5"
          strokeWidth="2"
          className="fill-accent stroke-surface"
        />
      ))}
    </svg>
  )
}
