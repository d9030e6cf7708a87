import { ChartColumn } from 'lucide-react'
import type { StudyDay } from '~/features/learning/progress/study-time'
import { EmptyState } from '~/ui/empty-state'
import { formatDay, formatWeekday } from '~/ui/format-date'
import { formatMinutes } from '~/ui/format-duration'
import { noStudyTime, studyWeek } from './profile-messages'

const plot = { top: 14, height: 132, bottom: 24 }
const svgHeight = plot.top + plot.height + plot.bottom

/**
 * Minutes of learning a day; the same numbers stand in a table below the picture.
 *
 * @param started whether the learner ever learned anything.
 */
export function StudyChart({ days, started }: { days: readonly StudyDay[]; started: boolean }) {
  if (!started) {
    return <NoStudyYet />
  }

  const thisWeek = total(days.slice(-7))
  const lastWeek = total(days.slice(-14, -7))

  return (
    <section aria-labelledby="study-time" className="card flex flex-col self-start p-5 sm:p-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id="study-time" className="font-bold text-lg">
          Study time
        </h2>
        <p className="text-muted text-sm">Last 4 weeks</p>
      </div>
      <p className="mt-1 text-muted">{studyWeek(thisWeek, lastWeek)}</p>
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

function NoStudyYet() {
  return (
    <section aria-labelledby="study-time" className="card flex flex-col p-5 sm:p-6">
      <h2 id="study-time" className="mb-5 font-bold text-lg">
        Study time
      </h2>
      <div className="grid flex-1">
        <EmptyState icon={<ChartColumn />} title={noStudyTime.title}>
          {noStudyTime.text}
        </EmptyState>
      </div>
    </section>
  )
}

function total(days: readonly StudyDay[]): number {
  return days.reduce((sum, day) => sum + day.minutes, 0)
}

/** A round number of minutes at or above `highest`, whose half is round as well. */
export function niceMinutes(highest: number): number {
  const round = [30, 60, 90, 120, 180, 240, 360, 480, 720].find((top) => highest <= top)
  return round ?? Math.ceil(highest / 720) * 720
}

/**
 * Drawn in percent across and in pixels down, so that it fits any width and its text keeps its
 * size.
 */
function StudyBars({ days }: { days: readonly StudyDay[] }) {
  const top = niceMinutes(Math.max(...days.map(({ minutes }) => minutes)))
  const slot = 100 / days.length
  const y = (minutes: number) => plot.top + plot.height * (1 - minutes / top)

  return (
    <div className="mt-4 flex">
      <svg aria-hidden="true" width="52" height={svgHeight} className="shrink-0">
        {[top, top / 2, 0].map((minutes) => (
          <text key={minutes} x="0" y={y(minutes) + 4} className="fill-muted text-xs">
            {formatMinutes(minutes)}
          </text>
        ))}
      </svg>
      <svg
        aria-hidden="true"
        width="100%"
        height={svgHeight}
        className="block min-w-0 flex-1 overflow-visible"
      >
        {[top, top / 2, 0].map((minutes) => (
          <line
            key={minutes}
            x1="0"
            x2="100%"
            y1={y(minutes)}
            y2={y(minutes)}
            className="stroke-line"
          />
        ))}
        {days.map((day, index) => (
          <Bar
            key={day.day}
            day={day}
            start={index * slot}
            slot={slot}
            top={y(day.minutes)}
            bottom={y(0)}
          />
        ))}
        {days.map(
          ({ day }, index) =>
            index % 7 === 0 && (
              <text
                key={day}
                x={`${index * slot}%`}
                y={svgHeight - 4}
                className="fill-muted text-xs"
              >
                {formatDay(day)}
              </text>
            ),
        )}
      </svg>
    </div>
  )
}

type BarProps = { day: StudyDay; start: number; slot: number; top: number; bottom: number }

/** The whole height of its day answers to the pointer. */
function Bar({ day: { day, minutes }, start, slot, top, bottom }: BarProps) {
  return (
    <g className="group">
      <rect
        x={`${start}%`}
        width={`${slot}%`}
        y={plot.top}
        height={plot.height}
        className="fill-transparent"
      >
        <title>{`${formatWeekday(day)}, ${formatDay(day)}: ${formatMinutes(minutes)}`}</title>
      </rect>
      {minutes > 0 && (
        <rect
          x={`${start + slot * 0.18}%`}
          width={`${slot * 0.64}%`}
          y={top}
          height={bottom - top}
          rx="2.5"
          className="pointer-events-none fill-accent group-hover:fill-accent-strong"
        />
      )}
    </g>
  )
}

function StudyTable({ days }: { days: readonly StudyDay[] }) {
  return (
    <table className="mt-2 w-full text-left tabular-nums">
      <caption className="sr-only">Study time per day, newest first</caption>
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
              {formatWeekday(day)}, {formatDay(day)}
            </th>
            <td className="py-1 text-right">{formatMinutes(minutes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
