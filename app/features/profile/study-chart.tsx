import { ChartColumn } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StudyDay } from '~/features/learning/progress/study-time'
import { EmptyState } from '~/ui/empty-state'
import { formatDay, formatWeekday } from '~/ui/format-date'
import { formatMinutes } from '~/ui/format-duration'
import { profileMessages } from './profile-messages'

const plotSize = { top: 14, height: 132, bottom: 24 }
const svgHeight = plotSize.top + plotSize.height + plotSize.bottom

type StudyChartProps = { days: readonly StudyDay[]; hasStudied: boolean }

/** Draws the study time per day. A table below the chart has the same numbers. */
export function StudyChart({ days, hasStudied }: StudyChartProps) {
  if (!hasStudied) {
    return <NoStudyYet />
  }

  const lastWeekMinutes = sumMinutes(days.slice(-7))
  const weekBeforeMinutes = sumMinutes(days.slice(-14, -7))

  return (
    <section aria-labelledby="study-time" className="card flex flex-col self-start p-5 sm:p-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id="study-time" className="font-bold text-lg">
          Study time
        </h2>
        <p className="text-muted text-sm">Last 4 weeks</p>
      </div>
      <p className="mt-1 text-muted">{describeStudyWeek(lastWeekMinutes, weekBeforeMinutes)}</p>
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
        <EmptyState icon={<ChartColumn />} title={profileMessages.noStudyTime.title}>
          {profileMessages.noStudyTime.text}
        </EmptyState>
      </div>
    </section>
  )
}

function sumMinutes(days: readonly StudyDay[]): number {
  return days.reduce((sum, day) => sum + day.minutes, 0)
}

const twelveHoursInMinutes = 12 * 60
const roundMinutes = [30, 60, 90, 120, 180, 240, 360, 480, twelveHoursInMinutes]

/** Rounds up to a number of minutes that looks round on the axis, and whose half does as well. */
export function roundUpMinutes(minutes: number): number {
  const roundNumber = roundMinutes.find((number) => minutes <= number)
  return roundNumber ?? Math.ceil(minutes / twelveHoursInMinutes) * twelveHoursInMinutes
}

/**
 * Uses percentages horizontally and pixels vertically, so that the chart fits any width and its
 * text keeps its size.
 */
function StudyBars({ days }: { days: readonly StudyDay[] }) {
  const axisMaximum = roundUpMinutes(Math.max(...days.map(({ minutes }) => minutes)))
  const axisMinutes = [axisMaximum, axisMaximum / 2, 0]
  const dayWidth = 100 / days.length
  const getY = (minutes: number) => plotSize.top + plotSize.height * (1 - minutes / axisMaximum)

  return (
    <div className="mt-4 flex">
      <svg aria-hidden="true" width="52" height={svgHeight} className="shrink-0">
        {axisMinutes.map((minutes) => (
          <text key={minutes} x="0" y={getY(minutes) + 4} className="fill-muted text-xs">
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
        {axisMinutes.map((minutes) => (
          <line
            key={minutes}
            x1="0"
            x2="100%"
            y1={getY(minutes)}
            y2={getY(minutes)}
            className="stroke-line"
          />
        ))}
        {days.map((day, index) => (
          <Bar
            key={day.day}
            day={day}
            left={index * dayWidth}
            width={dayWidth}
            top={getY(day.minutes)}
            bottom={getY(0)}
          />
        ))}
        {days.map(
          ({ day }, index) =>
            index % 7 === 0 && (
              <text
                key={day}
                x={`${index * dayWidth}%`}
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

type BarProps = { day: StudyDay; left: number; width: number; top: number; bottom: number }

/** The tooltip covers the whole height of the day, even if its bar is short. */
function Bar({ day: { day, minutes }, left, width, top, bottom }: BarProps) {
  return (
    <g className="group">
      <rect
        x={`${left}%`}
        width={`${width}%`}
        y={plotSize.top}
        height={plotSize.height}
        className="fill-transparent"
      >
        <title>{`${formatWeekday(day)}, ${formatDay(day)}: ${formatMinutes(minutes)}`}</title>
      </rect>
      {minutes > 0 && (
        <rect
          x={`${left + width * 0.18}%`}
          width={`${width * 0.64}%`}
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

/** Compares the study time of the last seven days with the week before. */
function describeStudyWeek(lastWeekMinutes: number, weekBeforeMinutes: number): ReactNode {
  const time = <strong className="font-semibold text-ink">{formatMinutes(lastWeekMinutes)}</strong>
  if (weekBeforeMinutes === 0) {
    return <>{time} in the last 7 days</>
  }

  if (lastWeekMinutes === weekBeforeMinutes) {
    return <>{time} in the last 7 days, the same as the week before</>
  }

  const difference = formatMinutes(Math.abs(lastWeekMinutes - weekBeforeMinutes))

  return lastWeekMinutes > weekBeforeMinutes ? (
    <>
      {time} in the last 7 days, {difference} more than the week before
    </>
  ) : (
    <>
      {time} in the last 7 days, {difference} less than the week before
    </>
  )
}
