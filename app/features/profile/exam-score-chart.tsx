import { type Grade, getScorePercent, minPercentByGrade } from '~/features/exams/grade'
import { formatDate } from '~/ui/format-date'
import { createVerticalScale, getAxisMinimum, getHorizontalPosition } from './chart-positions'
import type { ExamResult } from './learner-record'

const plot = { top: 30, height: 180, bottom: 28 }
const chartHeight = plot.top + plot.height + plot.bottom
/** The distance from the bottom of the chart to the baseline of the dates. */
const dateBaselineOffset = 6
/** Moves a text down by half the height of its letters, so that the text is centered. */
const centeredBaselineOffset = 4

/** A horizontal band of the chart for the scores of one grade. */
type GradeBand = {
  grade: Grade
  /** The percentage at the lower edge of the band. */
  minPercent: number
  /** The percentage at the upper edge of the band. */
  maxPercent: number
  bandClass: string
  labelClass: string
  dotClass: string
}

const gradeBands: GradeBand[] = [
  {
    grade: 'excellent',
    minPercent: minPercentByGrade.excellent,
    maxPercent: 100,
    bandClass: 'fill-good-soft',
    labelClass: 'fill-good',
    dotClass: 'fill-good',
  },
  {
    grade: 'good',
    minPercent: minPercentByGrade.good,
    maxPercent: minPercentByGrade.excellent,
    bandClass: 'fill-accent-soft',
    // The accent color is too light for a small text.
    labelClass: 'fill-accent-strong',
    dotClass: 'fill-accent',
  },
  {
    grade: 'average',
    minPercent: 0,
    maxPercent: minPercentByGrade.good,
    bandClass: 'fill-transparent',
    labelClass: 'fill-warn',
    dotClass: 'fill-warn',
  },
]

type ExamScoreChartProps = {
  /** At least one result, oldest first. */
  results: readonly ExamResult[]
  timezone: string
}

/**
 * Draws scores as a line across the bands of the grades. The chart is hidden from screen readers,
 * because the table on the same page has the same numbers.
 */
export function ExamScoreChart({ results, timezone }: ExamScoreChartProps) {
  const oldestResult = results[0]
  const newestResult = results.at(-1)
  if (!oldestResult || !newestResult) {
    return null
  }

  const axisMinimum = getAxisMinimum(results.map(getScorePercent))
  const getY = createVerticalScale(plot, axisMinimum)

  return (
    <div className="flex">
      <svg aria-hidden="true" width="68" height={chartHeight} className="shrink-0">
        {gradeBands.map(({ grade, minPercent, maxPercent, labelClass }) => (
          <text
            key={grade}
            x="0"
            y={(getY(minPercent) + getY(maxPercent)) / 2 + centeredBaselineOffset}
            className={`text-xs capitalize ${labelClass}`}
          >
            {grade}
          </text>
        ))}
      </svg>
      <svg
        aria-hidden="true"
        width="100%"
        height={chartHeight}
        className="block min-w-0 flex-1 overflow-visible"
      >
        {gradeBands.map(({ grade, minPercent, maxPercent, bandClass }) => (
          <rect
            key={grade}
            width="100%"
            y={getY(maxPercent)}
            height={getY(minPercent) - getY(maxPercent)}
            className={bandClass}
          />
        ))}
        <line
          x1="0"
          x2="100%"
          y1={getY(axisMinimum)}
          y2={getY(axisMinimum)}
          className="stroke-line"
        />
        <ScoreLine results={results} getY={getY} />
        {results.map((result, index) => (
          <ScorePoint
            key={result.id}
            result={result}
            x={getHorizontalPosition(index, results.length)}
            y={getY(getScorePercent(result))}
            isLabelBelow={isValley(results, index)}
            timezone={timezone}
          />
        ))}
        <text x="0" y={chartHeight - dateBaselineOffset} className="fill-muted text-xs">
          {formatDate(oldestResult.date, timezone)}
        </text>
        {results.length > 1 && (
          <text
            x="100%"
            y={chartHeight - dateBaselineOffset}
            textAnchor="end"
            className="fill-muted text-xs"
          >
            {formatDate(newestResult.date, timezone)}
          </text>
        )}
      </svg>
    </div>
  )
}

type ScoreLineProps = { results: readonly ExamResult[]; getY(percent: number): number }

/** Draws a line from each point to the next one. */
function ScoreLine({ results, getY }: ScoreLineProps) {
  return results.map((result, index) => {
    const previousResult = results[index - 1]
    if (!previousResult) {
      return null
    }

    return (
      <line
        key={result.id}
        x1={getHorizontalPosition(index - 1, results.length)}
        y1={getY(getScorePercent(previousResult))}
        x2={getHorizontalPosition(index, results.length)}
        y2={getY(getScorePercent(result))}
        strokeWidth="2"
        className="stroke-edge"
      />
    )
  })
}

/**
 * Returns whether all neighboring scores are higher, so that the label has to be below the point.
 */
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

/** The distances in pixels from the middle of a point to the baseline of its label. */
const labelBelowOffset = 24
const labelAboveOffset = 14

type ScorePointProps = {
  result: ExamResult
  x: string
  y: number
  isLabelBelow: boolean
  timezone: string
}

function ScorePoint({ result, x, y, isLabelBelow, timezone }: ScorePointProps) {
  const percent = getScorePercent(result)
  const dotClass = gradeBands.find(({ grade }) => grade === result.grade)?.dotClass

  return (
    <g>
      <circle cx={x} cy={y} r="7" strokeWidth="3" className={`stroke-surface ${dotClass}`}>
        <title>{formatScoreTooltip(result, timezone)}</title>
      </circle>
      <text
        x={x}
        y={isLabelBelow ? y + labelBelowOffset : y - labelAboveOffset}
        textAnchor="middle"
        className="fill-ink font-semibold text-sm tabular-nums"
      >
        {percent}%
      </text>
    </g>
  )
}

function formatScoreTooltip(result: ExamResult, timezone: string): string {
  return `${result.name}, ${formatDate(result.date, timezone)}: ${getScorePercent(result)}%`
}
