import { formatTimeZone } from '~/features/school/local-time'
import { formatMoney } from '~/features/school/money'
import { byCount, formatNumber } from '~/ui/format-count'
import { formatDay } from '~/ui/format-date'
import { Time } from '../desk-parts'
import { formatComparison } from './format-comparison'
import type { TodayPageData } from './today-page.server'

type SchoolFigures = NonNullable<TodayPageData['figures']>

type DayFigures = SchoolFigures['days'][number]

/** How one figure is calculated and displayed. */
type FigureDefinition = {
  title: string
  getAmount(day: DayFigures): number
  /**
   * The figure of the last 30 days, and of the 30 days before. Without totals, the days are added
   * up. For active learners, that would count a learner who is active on two days twice.
   */
  totals?: { current: number; previous: number }
  format?(amount: number): string
}

/**
 * The school's figures have twice as many days, so that a period can be compared with the one
 * before.
 */
const periodDays = 30

/**
 * Shows a plot of each figure of the last 30 days.
 *
 * @param props.currency null for a school that sells nothing
 * @param props.timeZone the time zone in which the days begin
 */
export function FigurePlots({
  figures,
  currency,
  timeZone,
}: {
  figures: SchoolFigures
  currency: string | null
  timeZone: string
}) {
  const { days, activeNow, activeBefore, countedAt, learners } = figures
  const latestDays = days.slice(-periodDays)
  const previousDays = days.slice(0, -periodDays)

  const displayedFigures: FigureDefinition[] = [
    { title: 'New learners', getAmount: (day) => day.newLearners },
    {
      title: 'Active learners',
      getAmount: (day) => day.activeLearners,
      totals: { current: activeNow, previous: activeBefore },
    },
    { title: 'Enrollments', getAmount: (day) => day.enrollments },
    { title: 'Lessons done', getAmount: (day) => day.lessons },
    { title: 'Certificates', getAmount: (day) => day.certificates },
  ]
  if (currency !== null) {
    displayedFigures.push({
      title: 'Revenue',
      getAmount: (day) => day.revenueMinor,
      format: (minor) => formatMoney(minor, currency),
    })
  }

  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {displayedFigures.map(({ title, getAmount, totals, format = formatNumber }) => {
          const current = totals?.current ?? sumDays(latestDays, getAmount)
          const previous = totals?.previous ?? sumDays(previousDays, getAmount)

          return (
            <FigurePlot
              key={title}
              title={title}
              formattedTotal={format(current)}
              comparison={formatComparison(current, previous, format)}
              days={latestDays.map((day) => ({ day: day.day, amount: getAmount(day) }))}
              formatAmount={format}
            />
          )
        })}
      </div>
      <p className="mt-4 text-muted text-sm">
        Counted <Time at={countedAt} />:{' '}
        {byCount(learners, '1 account', `${formatNumber(learners)} accounts`)} in all. Days are in
        the time zone of the school ({formatTimeZone(timeZone)}).
      </p>
    </>
  )
}

function sumDays(days: readonly DayFigures[], getAmount: (day: DayFigures) => number): number {
  return days.reduce((total, day) => total + getAmount(day), 0)
}

type PlotDay = {
  /** A date such as 2026-11-26. */
  day: string
  amount: number
}

type FigurePlotProps = {
  title: string
  /** The figure of the latest days together. */
  formattedTotal: string
  /** A text that compares the total with the one of the days before. */
  comparison: string
  days: readonly PlotDay[]
  formatAmount(amount: number): string
}

/** The height of the plot in pixels. */
const plotHeight = 56

/**
 * Shows a figure with a bar for each day, or no bar if refunds exceed the day's revenue. A table
 * below contains the same numbers.
 */
function FigurePlot({ title, formattedTotal, comparison, days, formatAmount }: FigurePlotProps) {
  const maxAmount = Math.max(1, ...days.map(({ amount }) => amount))
  const dayWidthPercent = 100 / Math.max(1, days.length)
  const barGapPercent = dayWidthPercent * 0.15

  return (
    <section aria-label={title} className="card flex min-w-0 flex-col p-5">
      <h3 className="font-medium text-muted">{title}</h3>
      <p className="mt-1 font-bold text-3xl tabular-nums tracking-tight">{formattedTotal}</p>
      <p className="text-muted text-sm">{comparison}</p>
      <svg aria-hidden="true" width="100%" height={plotHeight} className="mt-4 block">
        <line
          x1="0"
          x2="100%"
          y1={plotHeight - 0.5}
          y2={plotHeight - 0.5}
          className="stroke-line"
        />
        {days.map(({ day, amount }, index) => {
          const barHeight = (Math.max(0, amount) / maxAmount) * (plotHeight - 2)
          return (
            <g key={day} className="group">
              {/* This transparent area shows the tooltip at the whole height of the plot. */}
              <rect
                x={`${index * dayWidthPercent}%`}
                width={`${dayWidthPercent}%`}
                y="0"
                height={plotHeight}
                className="fill-transparent"
              >
                <title>{`${formatDay(day)}: ${formatAmount(amount)}`}</title>
              </rect>
              <rect
                x={`${index * dayWidthPercent + barGapPercent}%`}
                width={`${dayWidthPercent - 2 * barGapPercent}%`}
                y={plotHeight - 1 - barHeight}
                height={barHeight}
                rx="1.5"
                className="pointer-events-none fill-accent group-hover:fill-accent-strong"
              />
            </g>
          )
        })}
      </svg>
      <details className="mt-3 text-sm">
        <summary className="inline-flex min-h-8 items-center rounded font-medium text-muted hover:text-ink">
          Show as a table
        </summary>
        <table className="mt-1 w-full text-left tabular-nums">
          <caption className="sr-only">{title}</caption>
          <thead className="text-muted">
            <tr>
              <th scope="col" className="py-1 font-medium">
                Day
              </th>
              <th scope="col" className="py-1 text-right font-medium">
                {title}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, amount }) => (
              <tr key={day} className="border-line border-t">
                <th scope="row" className="py-1 font-normal">
                  {formatDay(day)}
                </th>
                <td className="py-1 text-right">{formatAmount(amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  )
}
