import { type Grade, getScorePercent } from '~/features/exams/grade'
import { formatDate } from '~/ui/format-date'
import type { ExamResult } from './learner-record'
import { formatCourseScores, formatScoreLabel } from './profile-messages'

const plotSize = { top: 30, height: 180, bottom: 28 }
const scoreChartHeight = plotSize.top + plotSize.height + plotSize.bottom

type GradeBand = {
  grade: Grade
  /** The percentages at which the band begins and ends. */
  from: number
  to: number
  bandClass: string
  labelClass: string
  dotClass: string
}

const gradeBands: GradeBand[] = [
  {
    grade: 'excellent',
    from: 90,
    to: 100,
    bandClass: 'fill-good-soft',
    labelClass: 'fill-good',
    dotClass: 'fill-good',
  },
  {
    grade: 'good',
    from: 75,
    to: 90,
    bandClass: 'fill-accent-soft',
    labelClass: 'fill-accent-strong',
    dotClass: 'fill-accent',
  },
  {
    grade: 'average',
    from: 0,
    to: 75,
    bandClass: 'fill-transparent',
    labelClass: 'fill-warn',
    dotClass: 'fill-warn',
  },
]

type ChartProps = { results: readonly ExamResult[]; timezone: string }

/**
 * Draws scores as a line across a band for each grade. A table on the same page has the same numbers.
 *
 * @param results at least one result, oldest first
 */
export function ExamScoreChart({ results, timezone }: ChartProps) {
  const minPercent = getAxisMinimum(results.map(getScorePercent))
  const getY = (percent: number) =>
    plotSize.top + (plotSize.height * (100 - Math.max(percent, minPercent))) / (100 - minPercent)

  return (
    <div className="flex">
      <svg aria-hidden="true" width="68" height={scoreChartHeight} className="shrink-0">
        {gradeBands.map(({ grade, from, to, labelClass }) => (
          <text
            key={grade}
            x="0"
            y={(getY(from) + getY(to)) / 2 + 4}
            className={`text-xs capitalize ${labelClass}`}
          >
            {grade}
          </text>
        ))}
      </svg>
      <svg
        aria-hidden="true"
        width="100%"
        height={scoreChartHeight}
        className="block min-w-0 flex-1 overflow-visible"
      >
        {gradeBands.map(({ grade, from, to, bandClass }) => (
          <rect
            key={grade}
            width="100%"
            y={getY(to)}
            height={getY(from) - getY(to)}
            className={bandClass}
          />
        ))}
        <line
          x1="0"
          x2="100%"
          y1={getY(minPercent)}
          y2={getY(minPercent)}
          className="stroke-line"
        />
        <ScoreLine results={results} getY={getY} />
        {results.map((result, index) => (
          <Point
            key={result.id}
            result={result}
            x={getX(index, results.length)}
            y={getY(getScorePercent(result))}
            isLabelBelow={isValley(results, index)}
            timezone={timezone}
          />
        ))}
        <text x="0" y={scoreChartHeight - 6} className="fill-muted text-xs">
          {formatDate(results[0]?.date ?? '', timezone)}
        </text>
        {results.length > 1 && (
          <text x="100%" y={scoreChartHeight - 6} textAnchor="end" className="fill-muted text-xs">
            {formatDate(results.at(-1)?.date ?? '', timezone)}
          </text>
        )}
      </svg>
    </div>
  )
}

/** Returns the lowest percentage on the axis of a chart, so that the lowest score fits. */
export function getAxisMinimum(percents: readonly number[]): number {
  return Math.max(0, Math.min(50, Math.floor((Math.min(...percents) - 5) / 10) * 10))
}

function getX(index: number, count: number): string {
  return `${((index + 0.5) * 100) / count}%`
}

type ScoreLineProps = { results: readonly ExamResult[]; getY(percent: number): number }

function ScoreLine({ results, getY }: ScoreLineProps) {
  return results
    .slice(1)
    .map((result, index) => (
      <line
        key={result.id}
        x1={getX(index, results.length)}
        y1={getY(getScorePercent(results[index] ?? result))}
        x2={getX(index + 1, results.length)}
        y2={getY(getScorePercent(result))}
        strokeWidth="2"
        className="stroke-edge"
      />
    ))
}

/** Returns whether both neighboring scores are higher, so that the label has to stand below the point. */
function isValley(results: readonly ExamResult[], index: number): boolean {
  const neighbors = [results[index - 1], results[index + 1]].filter(
    (result) => result !== undefined,
  )
  const result = results[index]
  if (!result || neighbors.length === 0) {
    return false
  }

  const percent = getScorePercent(result)
  return neighbors.every((neighbor) => getScorePercent(neighbor) > percent)
}

type PointProps = {
  result: ExamResult
  x: string
  y: number
  isLabelBelow: boolean
  timezone: string
}

function Point({ result, x, y, isLabelBelow, timezone }: PointProps) {
  const percent = getScorePercent(result)
  const dotClass = gradeBands.find(({ grade }) => grade === result.grade)?.dotClass

  return (
    <g>
      <circle cx={x} cy={y} r="7" strokeWidth="3" className={`stroke-surface ${dotClass}`}>
        <title>{formatScoreLabel(result.name, result.date, timezone, percent)}</title>
      </circle>
      <text
        x={x}
        y={isLabelBelow ? y + 24 : y - 14}
        textAnchor="middle"
        className="fill-ink font-semibold text-sm tabular-nums"
      >
        {percent}%
      </text>
    </g>
  )
}

/** More points would be too close to each other on a phone. */
const maxCurvePoints = 8
const curveSize = { top: 10, height: 56 }
const curveHeight = curveSize.top * 2 + curveSize.height

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

/**
 * Draws a small curve of the scores in each course.
 *
 * @param results all results, newest first
 */
export function CourseCurves({ results, timezone }: ChartProps) {
  return (
    <section aria-labelledby="by-course" className="card p-5 sm:p-6">
      <h2 id="by-course" className="mb-5 font-bold text-lg">
        Scores by course
      </h2>
      <ul className="grid gap-x-8 gap-y-7 md:grid-cols-2">
        {groupResultsByCourse(results).map((courseResults) => (
          <CourseCurve
            key={courseResults[0]?.courseId}
            results={courseResults}
            timezone={timezone}
          />
        ))}
      </ul>
    </section>
  )
}

function CourseCurve({ results, timezone }: ChartProps) {
  const percents = results.map(getScorePercent)
  const drawnResults = results.slice(-maxCurvePoints)
  const firstResult = results[0]
  const firstDrawnResult = drawnResults[0]
  const latestResult = results.at(-1)
  if (!firstResult || !firstDrawnResult || !latestResult) {
    return null
  }

  const improvement = getScorePercent(latestResult) - getScorePercent(firstResult)

  return (
    <li className="min-w-0">
      <h3 className="font-semibold leading-snug tracking-normal">{latestResult.name}</h3>
      <p className="mt-0.5 text-muted text-sm">
        {formatCourseScores(results.length, Math.max(...percents), improvement)}
      </p>
      <Curve percents={drawnResults.map(getScorePercent)} />
      <p className="flex justify-between gap-4 text-muted text-xs">
        <span>{formatDate(firstDrawnResult.date, timezone)}</span>
        {results.length > 1 && <span>{formatDate(latestResult.date, timezone)}</span>}
      </p>
    </li>
  )
}

/** Uses percentages horizontally and pixels vertically, so that the curve fits any width. */
function Curve({ percents }: { percents: readonly number[] }) {
  const minPercent = getAxisMinimum(percents)
  const getCurveY = (percent: number) =>
    curveSize.top + (curveSize.height * (100 - Math.max(percent, minPercent))) / (100 - minPercent)
  const points = percents.map((percent, index) => ({
    id: `${index}:${percent}`,
    x: getX(index, percents.length),
    y: getCurveY(percent),
  }))

  return (
    <svg
      aria-hidden="true"
      width="100%"
      height={curveHeight}
      className="my-2 block overflow-visible"
    >
      {[100, minPercent].map((percent) => (
        <line
          key={percent}
          x1="0"
          x2="100%"
          y1={getCurveY(percent)}
          y2={getCurveY(percent)}
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
