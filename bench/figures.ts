/** The table of a bench's results, and its figures. */
import { appendFileSync, readFileSync } from 'node:fs'

export type BenchResult = {
  figure: string
  /** With its unit. */
  value: string
  goal: string
  isMet: boolean
  /** Relative to a baseline of the same run. */
  ratio?: string
}

/**
 * Adds a line to the table of `npm run bench`; a bench that runs alone prints it. A missed goal
 * ends it with status 1.
 */
export function addResult(row: BenchResult): void {
  if (!row.isMet) {
    process.exitCode = 1
  }

  if (process.env.BENCH_ROWS) {
    appendFileSync(process.env.BENCH_ROWS, `${JSON.stringify(row)}\n`)
  } else {
    console.log(formatResult(row))
  }
}

/** As a line of a Markdown table. */
export function formatResult({ figure, value, goal, isMet: met, ratio = '' }: BenchResult): string {
  return `| ${figure} | ${value} | ${goal} | ${met ? 'yes' : '**no**'} | ${ratio} |`
}

/** Prints the problems and ends the bench, with status 1 if there are any. */
export function exitWithProblems(problems: string[]): never {
  for (const problem of problems.slice(0, 30)) {
    console.log(`PROBLEM: ${problem}`)
  }

  console.log(problems.length === 0 ? 'passed' : `${problems.length} problems`)
  process.exit(problems.length === 0 ? 0 : 1)
}

/** The percentile of the numbers for this share; 0 without numbers. */
export function percentile(numbers: number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * numbers.length) - 1)] ?? 0
}

export const median = (numbers: number[]) => percentile(numbers, 0.5)

/**
 * @returns megabytes that a process of Linux has in memory, and at most had. PostgreSQL's processes
 * are not among it.
 */
export function residentMemory(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}

/** Ends a bench that lacks a program, and says how to install it. */
export function requirePackages(missing: string[]): void {
  if (missing.length === 0) {
    return
  }

  console.log(
    `NOT RUN: install what it needs (apt-get install ${missing.join(' ')}) and run it again.`,
  )
  process.exit(1)
}
