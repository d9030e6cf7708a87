import { CircleCheck } from 'lucide-react'
import { Link, redirect } from 'react-router'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { DeskPage, revalidateEvenAfterRefusal } from '~/features/desk/desk-page'
import { DeskTitle, EmptyState, Section, Time } from '~/features/desk/desk-parts'
import { requireDesk, requireStaff } from '~/features/desk/desk-request.server'
import { listDeskSections } from '~/features/desk/desk-sections.server'
import { formatComparison } from '~/features/desk/today/format-comparison'
import { schoolSetupActions } from '~/features/desk/today/school-setup.server'
import { SchoolSetupForm } from '~/features/desk/today/school-setup-form'
import { loadTodayPage, type TodayPageData } from '~/features/desk/today/today-page.server'
import { formatTimeZone } from '~/features/school/local-time'
import { formatMoney } from '~/features/school/money'
import { hasPermission } from '~/features/staff/permissions'
import { createClientAction } from '~/ui/form/client-action'
import { byCount, formatNumber } from '~/ui/format-count'
import { formatDay } from '~/ui/format-date'
import { Notice } from '~/ui/notice'
import type { Route } from './+types/today'

export async function loader(args: Route.LoaderArgs) {
  const { staff } = await requireStaff(args.context)
  const [firstSection] = listDeskSections(staff)
  // The account menu leads all staff to /Desk, but a teacher may not see the whole school.
  if (firstSection && !hasPermission(staff, 'see statistics')) {
    throw redirect(firstSection.path)
  }

  const desk = await requireDesk(args, 'see statistics')
  return loadTodayPage(desk)
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'see statistics')
  return handleDeskForm(args.request, desk, schoolSetupActions)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateEvenAfterRefusal

export default function TodayRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <TodayView {...loaderData} />
    </DeskPage>
  )
}

function TodayView({ setup, checks, figures, currency, timeZone, sellsCourses }: TodayPageData) {
  return (
    <>
      <DeskTitle>Today</DeskTitle>
      {setup && <SchoolSetupForm setup={setup} />}
      <h2 className="mb-4 font-bold text-xl">Needs attention</h2>
      {checks.length === 0 ? (
        <p className="card flex items-center gap-3 p-5">
          <CircleCheck aria-hidden="true" size={20} className="shrink-0 text-good" />
          Nothing right now.
        </p>
      ) : (
        <div className="grid gap-3">
          {checks.map(({ variant, title, help, path }) => (
            <Notice
              key={title}
              variant={variant}
              silent
              action={
                path && (
                  <Link to={path} className="link">
                    Look
                  </Link>
                )
              }
            >
              <strong className="block">{title}</strong>
              <span className="text-ink">{help}</span>
            </Notice>
          ))}
        </div>
      )}
      <Section title="The last 30 days">
        {figures ? (
          <FigurePlots
            figures={figures}
            currency={sellsCourses ? currency : null}
            timeZone={timeZone}
          />
        ) : (
          <EmptyState>The figures are being counted. Reload this page in a minute.</EmptyState>
        )}
      </Section>
    </>
  )
}

type Figures = NonNullable<TodayPageData['figures']>

type Day = Figures['days'][number]

type Figure = {
  title: string
  getAmount(day: Day): number
  /**
   * The figure of the last 30 days, and of the 30 days before. Without totals, the days are added
   * up. For active learners, that would count a learner who is active on two days twice.
   */
  totals?: { current: number; previous: number }
  format?(amount: number): string
}

const periodDays = 30

/**
 * Shows a plot of each figure of the last 30 days.
 *
 * @param props.currency null for a school that sells nothing
 * @param props.timeZone the time zone in which the days begin
 */
function FigurePlots({
  figures,
  currency,
  timeZone,
}: {
  figures: Figures
  currency: string | null
  timeZone: string
}) {
  const { days, activeNow, activeBefore, countedAt, learners } = figures
  const latestDays = days.slice(-periodDays)
  const previousDays = days.slice(0, -periodDays)

  const displayedFigures: Figure[] = [
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
              figure={format(current)}
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

function sumDays(days: readonly Day[], getAmount: (day: Day) => number): number {
  return days.reduce((total, day) => total + getAmount(day), 0)
}

type PlotDay = {
  /** Like 2026-11-26. */
  day: string
  amount: number
}

type FigurePlotProps = {
  title: string
  /** The formatted sum or count of the latest days. */
  figure: string
  /** A text that compares the figure with the time before. */
  comparison: string
  days: readonly PlotDay[]
  formatAmount(amount: number): string
}

/** The height of the plot in pixels. */
const plotHeight = 56

/** Shows a figure with a bar for each day. A table below contains the same numbers. */
function FigurePlot({ title, figure, comparison, days, formatAmount }: FigurePlotProps) {
  const maxAmount = Math.max(1, ...days.map(({ amount }) => amount))
  const dayWidthPercent = 100 / Math.max(1, days.length)

  return (
    <section aria-label={title} className="card flex min-w-0 flex-col p-5">
      <h3 className="font-medium text-muted">{title}</h3>
      <p className="mt-1 font-bold text-3xl tabular-nums tracking-tight">{figure}</p>
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
                x={`${index * dayWidthPercent + dayWidthPercent * 0.15}%`}
                width={`${dayWidthPercent * 0.7}%`}
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
