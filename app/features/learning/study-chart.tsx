import { niceMinutes } from './chart-scale'
import { dayText, minutesText, weekdayText } from './moment-text'
import type { StudyDay } from './study-time'

const plot = { top: 14, height: 132, bottom: 24 }
const svgHeight = plot.top + plot.height + plot.bottom

/** Minutes of learning a day; the same numbers stand in a table below the picture. */
export function StudyChart({ days }: { days: readonly StudyDay[] }) {
  const thisWeek = total(days.slice(-7))
  const lastWeek = total(days.slice(-14, -7))
  return (
    <section aria-labelledby="study-time" className="card flex flex-col p-5 sm:p-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id="study-time" className="font-bold text-lg">
          Study time
        </h2>
        <p className="text-muted text-sm">Last 4 weeks</p>
      </div>
      <p className="mt-1 text-muted">
        <strong className="font-semibold text-ink">{minutesText(thisWeek)}</strong> in the last 7 days
        {lastWeek > 0 && `, ${comparison(thisWeek, lastWeek)}`}
      </p>
      <StudyBars days={days} />
      <details className="mt-3 border-line border-t pt-3 text-sm">
        <summary className="inline-flex min-h-8 items-center rounded font-medium text-muted hover:text-ink">
          Show as a table
        </summary>
        <StudyTable days={days} />
      </details>
    </section>
  )
}

function total(days: readonly StudyDay[]): number {
  return days.reduce((sum, day) => sum + day.minutes, 0)
}

function comparison(thisWeek: number, lastWeek: number): string {
  if (thisWeek === lastWeek) return 'as much as in the week before'
  const difference = minutesText(Math.abs(thisWeek - lastWeek))
  return `${difference} ${thisWeek > lastWeek ? 'more' : 'less'} than in the week before`
}

/** Drawn in percent across and in pixels down, so that it fits any width and its text keeps its size. */
function StudyBars({ days }: { days: readonly StudyDay[] }) {
  const top = niceMinutes(Math.max(...days.map(({ minutes }) => minutes), 1))
  const slot = 100 / days.length
  const y = (minutes: number) => plot.top + plot.height * (1 - minutes / top)
  return (
    <svg aria-hidden="true" width="100%" height={svgHeight} className="mt-5 block overflow-visible">
      {[1, 2 / 3, 1 / 3, 0].map((part) => (
        <g key={part}>
          <line x1="0" x2="100%" y1={y(top * part)} y2={y(top * part)} className="stroke-line" />
          {part > 0 && (
            <text x="0" y={y(top * part) - 4} className="fill-muted text-[0.6875rem]">
              {minutesText(top * part)}
            </text>
          )}
        </g>
      ))}
      {days.map(({ day, minutes }, index) => (
        <g key={day}>
          <rect
            x={`${(index + 0.18) * slot}%`}
            width={`${slot * 0.64}%`}
            y={minutes > 0 ? y(minutes) : y(0) - 2}
            height={minutes > 0 ? y(0) - y(minutes) : 2}
            rx="2.5"
            className={minutes > 0 ? 'fill-accent' : 'fill-line'}
          >
            <title>{`${weekdayText(day)}, ${dayText(day)}: ${minutesText(minutes)}`}</title>
          </rect>
          {index % 7 === 0 && (
            <text x={`${index * slot}%`} y={svgHeight - 4} className="fill-muted text-[0.75rem]">
              {dayText(day)}
            </text>
          )}
        </g>
      ))}
    </svg>
  )
}

function StudyTable({ days }: { days: readonly StudyDay[] }) {
  return (
    <table className="mt-2 w-full text-left tabular-nums">
      <caption className="sr-only">Minutes of learning a day, newest first</caption>
      <thead className="text-muted">
        <tr>
          <th scope="col" className="py-1 font-medium">
            Day
          </th>
          <th scope="col" className="py-1 text-right font-medium">
            Study time
          </th>
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map(({ day, minutes }) => (
          <tr key={day} className="border-line border-t">
            <th scope="row" className="py-1 font-normal">
              {weekdayText(day)}, {dayText(day)}
            </th>
            <td className="py-1 text-right">{minutesText(minutes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
