import { appendFileSync } from 'node:fs'

/**
 * A line of the table that `npm run bench` prints. A bench that runs alone prints it by itself. It ends with status 1 if a
 * goal was not met.
 *
 * @param {{ figure: string, value: string, goal: string, met: boolean, ratio?: string }} row `value` with its unit; `ratio`
 *   to what was measured beside it in the same run, and to what.
 */
export function addRow(row) {
  if (!row.met) process.exitCode = 1
  if (process.env.BENCH_ROWS) appendFileSync(process.env.BENCH_ROWS, `${JSON.stringify(row)}\n`)
  else console.log(lineOf(row))
}

/** As a line of a Markdown table. */
export function lineOf({ figure, value, goal, met, ratio = '' }) {
  return `| ${figure} | ${value} | ${goal} | ${met ? 'yes' : '**no**'} | ${ratio} |`
}

/** The number below or at which this share of them is; 0 if there are none. */
export const percentile = (numbers, share) =>
  numbers.toSorted((a, b) => a - b)[Math.ceil(share * numbers.length) - 1] ?? 0

/** Ends a bench that can't run here, or not all of it, and says so: it is no success. */
export function requirePackages(missing) {
  if (!missing) return
  console.log(`NOT RUN from here on: install ${missing} (apt-get install ${missing}) and run it again.`)
  process.exit(1)
}
