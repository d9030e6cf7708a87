import { formatDay } from './format-date'

type PlotDay = {
  /** Like 2026-11-26. */
  day: string
  amount: number
}

type FigurePlotProps = {
  title: string
  /** The sum or count of the latest days, as text. */
  figure: string
  /** How it compares with the time before. */
  comparison: string
  days: readonly PlotDay[]
  /** An amount as text. */
  format(amount: number): string
}

const height = 56

/** One figure with a bar for each day; the same numbers stand in a table below. */
export function FigurePlot({ title, figure, comparison, days, format }: FigurePlotProps) {
  const top = Math.max(1, ...days.map(({ amount }) => amount))
  const slot = 100 / Math.max(1, days.length)

  return (
    <section aria-label={title} className="card flex min-w-0 flex-col p-5">
      <h3 className="font-medium text-muted">{title}</h3>
      <p className="mt-1 font-bold text-3xl tabular-nums tracking-tight">{figure}</p>
      <p className="text-muted text-sm">{comparison}</p>
      <svg aria-hidden="true" width="100%" height={height} className="mt-4 block">
        <line x1="0" x2="100%" y1={height - 0.5} y2={height - 0.5} className="stroke-line" />
        {days.map(({ day, amount }, index) => {
          const bar = (Math.max(0, amount) / top) * (height - 2)
          return (
            <g key={day} className="group">
              {/* The whole height of its day answers to the pointer. */}
              <rect
                x={`${index * slot}%`}
                width={`${slot}%`}
                y="0"
                height={height}
                className="fill-transparent"
              >
                <title>{`${formatDay(day)}: ${format(amount)}`}</title>
              </rect>
              <rect
                x={`${index * slot + slot * 0.15}%`}
                width={`${slot * 0.7}%`}
                y={height - 1 - bar}
                height={bar}
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
                <td className="py-1 text-right">{format(amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  )
}
