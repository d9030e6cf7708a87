import { type Grade, getScorePercent } from '~/features/exams/grade'
import { formatDate } from '~/ui/format-date'
import type { ExamResult } from './learner-record'
import { scoreLabel } from './profile-messages'

const plot = { top: 30, height: 180, bottom: 28 }
const svgHeight = plot.top + plot.height + plot.bottom

const bands: { grade: Grade; from: number; to: number; fill: string; text: string; dot: string }[] =
  [
    {
      grade: 'excellent',
      from: 90,
      to: 100,
      fill: 'fill-good-soft',
      text: 'fill-good',
      dot: 'fill-good',
    },
    {
      grade: 'good',
      from: 75,
      to: 90,
      fill: 'fill-accent-soft',
      text: 'fill-accent-strong',
      dot: 'fill-accent',
    },
    {
      grade: 'average',
      from: 0,
      to: 75,
      fill: 'fill-transparent',
      text: 'fill-warn',
      dot: 'fill-warn',
    },
  ]

/**
 * Scores in the order in which the exams were taken, before a band for each grade; the table below
 * says the same.
 *
 * @param results oldest first, at least one, and not more than fit.
 */
export function ExamScoreChart({
  results,
  timezone,
}: {
  results: readonly ExamResult[]
  timezone: string
}) {
  const low = lowestPercent(results.map(getScorePercent))
  const y = (percent: number) =>
    plot.top + (plot.height * (100 - Math.max(percent, low))) / (100 - low)

  return (
    <div className="flex">
      <svg aria-hidden="true" width="68" height={svgHeight} className="shrink-0">
        {bands.map(({ grade, from, to, text }) => (
          <text
            key={grade}
            x="0"
            y={(y(from) + y(to)) / 2 + 4}
            className={`text-xs capitalize ${text}`}
          >
            {grade}
          </text>
        ))}
      </svg>
      <svg
        aria-hidden="true"
        width="100%"
        height={svgHeight}
        className="block min-w-0 flex-1 overflow-visible"
      >
        {bands.map(({ grade, from, to, fill }) => (
          <rect key={grade} width="100%" y={y(to)} height={y(from) - y(to)} className={fill} />
        ))}
        <line x1="0" x2="100%" y1={y(low)} y2={y(low)} className="stroke-line" />
        <Line results={results} y={y} />
        {results.map((result, index) => (
          <Point
            key={result.id}
            result={result}
            x={across(index, results.length)}
            y={y(getScorePercent(result))}
            labelBelow={isValley(results, index)}
            timezone={timezone}
          />
        ))}
        <text x="0" y={svgHeight - 6} className="fill-muted text-xs">
          {formatDate(results[0]?.date ?? '', timezone)}
        </text>
        {results.length > 1 && (
          <text x="100%" y={svgHeight - 6} textAnchor="end" className="fill-muted text-xs">
            {formatDate(results.at(-1)?.date ?? '', timezone)}
          </text>
        )}
      </svg>
    </div>
  )
}

/**
 * Where a chart of scores begins: low enough for the lowest, so that the grades above have room.
 */
export function lowestPercent(percents: readonly number[]): number {
  return Math.max(0, Math.min(50, Math.floor((Math.min(...percents) - 5) / 10) * 10))
}

function across(index: number, count: number): string {
  return `${((index + 0.5) * 100) / count}%`
}

function Line({ results, y }: { results: readonly ExamResult[]; y(percent: number): number }) {
  return results
    .slice(1)
    .map((result, index) => (
      <line
        key={result.id}
        x1={across(index, results.length)}
        y1={y(getScorePercent(results[index] ?? result))}
        x2={across(index + 1, results.length)}
        y2={y(getScorePercent(result))}
        strokeWidth="2"
        className="stroke-edge"
      />
    ))
}

/** Both lines at a valley go up, so that its number has to stand below. */
function isValley(results: readonly ExamResult[], index: number): boolean {
  const percents = [results[index - 1], results[index], results[index + 1]].map(
    (result) => result && getScorePercent(result),
  )
  const [before = 101, own = 0, after = 101] = percents
  return results.length > 1 && before > own && after > own
}

type PointProps = {
  result: ExamResult
  x: string
  y: number
  labelBelow: boolean
  timezone: string
}

function Point({ result, x, y, labelBelow, timezone }: PointProps) {
  const percent = getScorePercent(result)
  const dot = bands.find(({ grade }) => grade === result.grade)?.dot

  return (
    <g>
      <circle cx={x} cy={y} r="7" strokeWidth="3" className={`stroke-surface ${dot}`}>
        <title>{scoreLabel(result.name, result.date, timezone, percent)}</title>
      </circle>
      <text
        x={x}
        y={labelBelow ? y + 24 : y - 14}
        textAnchor="middle"
        className="fill-ink font-semibold text-sm tabular-nums"
      >
        {percent}%
      </text>
    </g>
  )
}
