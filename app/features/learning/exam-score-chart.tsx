import { scorePercent } from './grade'
import type { ExamResult } from './learner-record'
import { dateText } from './moment-text'

const plot = { top: 16, height: 168, bottom: 26 }
const svgHeight = plot.top + plot.height + plot.bottom
const y = (percent: number) => plot.top + plot.height * (1 - percent / 100)

const guides = [
  { percent: 90, label: 'Excellent from 90%' },
  { percent: 75, label: 'Good from 75%' },
]
const dots = { excellent: 'fill-good', good: 'fill-accent', average: 'fill-warn' } as const

/**
 * Scores in the order in which the exams were taken; the list below says the same in words.
 *
 * @param results oldest first, at most as many as fit.
 */
export function ExamScoreChart({ results, timezone }: { results: readonly ExamResult[]; timezone: string | null }) {
  const slot = 100 / results.length
  const x = (index: number) => `${(index + 0.5) * slot}%`
  const points = results.map((result, index) => ({ ...result, x: x(index), percent: scorePercent(result) }))
  return (
    <svg aria-hidden="true" width="100%" height={svgHeight} className="block overflow-visible">
      <line x1="0" x2="100%" y1={y(0)} y2={y(0)} className="stroke-line" />
      {guides.map(({ percent, label }) => (
        <g key={percent}>
          <line x1="0" x2="100%" y1={y(percent)} y2={y(percent)} strokeDasharray="3 5" className="stroke-edge" />
          <text x="0" y={y(percent) + 14} className="fill-muted text-[0.6875rem]">
            {label}
          </text>
        </g>
      ))}
      {points.slice(1).map((point, index) => (
        <line
          key={point.id}
          x1={points[index]?.x}
          y1={y(points[index]?.percent ?? 0)}
          x2={point.x}
          y2={y(point.percent)}
          strokeWidth="2"
          className="stroke-edge"
        />
      ))}
      {points.map(({ id, percent, grade, name, date, x: across }, index) => (
        <g key={id}>
          <circle cx={across} cy={y(percent)} r="6.5" strokeWidth="3" className={`stroke-surface ${dots[grade]}`}>
            <title>{`${name}, ${dateText(date, timezone)}: ${percent}%`}</title>
          </circle>
          <text
            x={across}
            y={y(percent) + (percent > 92 ? 24 : -14)}
            textAnchor="middle"
            className="fill-ink stroke-4 stroke-surface font-semibold text-[0.8125rem] [paint-order:stroke]"
          >
            {percent}%
          </text>
          {(index === 0 || index === points.length - 1) && (
            <text
              x={index === 0 ? '0' : '100%'}
              y={svgHeight - 4}
              textAnchor={index === 0 ? 'start' : 'end'}
              className="fill-muted text-[0.75rem]"
            >
              {dateText(date, timezone)}
            </text>
          )}
        </g>
      ))}
    </svg>
  )
}
