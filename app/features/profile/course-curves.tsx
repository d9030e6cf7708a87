import { getScorePercent } from '~/features/exams/grade'
import { formatDate } from '~/ui/format-date'
import { lowestPercent } from './exam-score-chart'
import type { ExamResult } from './learner-record'
import { courseScores } from './profile-messages'

/** More would stand too close on a phone. */
const drawn = 8
const plot = { top: 10, height: 56 }
const svgHeight = plot.top * 2 + plot.height

/** @returns each course's results, oldest first; the course of the latest exam first. */
export function resultsByCourse(results: readonly ExamResult[]): ExamResult[][] {
  const courses = new Map<string, ExamResult[]>()
  for (const result of results) {
    courses.set(result.courseId, [result, ...(courses.get(result.courseId) ?? [])])
  }

  return [...courses.values()]
}

/** How a learner's scores went in each course. @param results newest first. */
export function CourseCurves({
  results,
  timezone,
}: {
  results: readonly ExamResult[]
  timezone: string
}) {
  return (
    <section aria-labelledby="by-course" className="card p-5 sm:p-6">
      <h2 id="by-course" className="mb-5 font-bold text-lg">
        Scores by course
      </h2>
      <ul className="grid gap-x-8 gap-y-7 md:grid-cols-2">
        {resultsByCourse(results).map((attempts) => (
          <CourseCurve key={attempts[0]?.courseId} attempts={attempts} timezone={timezone} />
        ))}
      </ul>
    </section>
  )
}

function CourseCurve({
  attempts,
  timezone,
}: {
  attempts: readonly ExamResult[]
  timezone: string
}) {
  const percents = attempts.map(getScorePercent)
  const [first, latest] = [attempts[0], attempts.at(-1)]
  const gained = (percents.at(-1) ?? 0) - (percents[0] ?? 0)

  return (
    <li className="min-w-0">
      <h3 className="font-semibold leading-snug tracking-normal">{latest?.name}</h3>
      <p className="mt-0.5 text-muted text-sm">
        {courseScores(attempts.length, Math.max(...percents), gained)}
      </p>
      <Curve percents={percents.slice(-drawn)} />
      <p className="flex justify-between gap-4 text-muted text-xs">
        <span>{formatDate(first?.date ?? '', timezone)}</span>
        {attempts.length > 1 && <span>{formatDate(latest?.date ?? '', timezone)}</span>}
      </p>
    </li>
  )
}

/**
 * Drawn in percent across and in pixels down, so that it fits any width; the table has the same
 * numbers.
 */
function Curve({ percents }: { percents: readonly number[] }) {
  const low = lowestPercent(percents)
  const x = (index: number) => `${((index + 0.5) * 100) / percents.length}%`
  const y = (percent: number) =>
    plot.top + (plot.height * (100 - Math.max(percent, low))) / (100 - low)
  const points = percents.map((percent, index) => ({
    id: `${index}:${percent}`,
    x: x(index),
    y: y(percent),
  }))

  return (
    <svg aria-hidden="true" width="100%" height={svgHeight} className="my-2 block overflow-visible">
      {[100, low].map((percent) => (
        <line
          key={percent}
          x1="0"
          x2="100%"
          y1={y(percent)}
          y2={y(percent)}
          className="stroke-line"
        />
      ))}
      {points.slice(1).map((point, index) => (
        <line
          key={point.id}
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
