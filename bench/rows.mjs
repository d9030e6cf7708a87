import { appendFileSync } from 'node:fs'

/**
 * A line of the table that `npm run bench` prints. A bench that runs alone prints it by itself.
 *
 * @param {{ figure: string, value: string, goal: string, met: boolean, ratio?: string }} row `value` with its unit; `ratio`
 *   to what was measured beside it in the same run, and to what.
 */
export function addRow(row) {
  if (process.env.BENCH_ROWS) appendFileSync(process.env.BENCH_ROWS, `${JSON.stringify(row)}\n`)
  else console.log(lineOf(row))
}

/** As a line of a Markdown table. */
export function lineOf({ figure, value, goal, met, ratio = '' }) {
  return `| ${figure} | ${value} | ${goal} | ${met ? 'yes' : '**no**'} | ${ratio} |`
}
