/** The results of benchmarks, and functions that measure and compute them. */
import { appendFileSync, readFileSync } from 'node:fs'

export type BenchResult = {
  /** The name of what was measured. */
  figure: string
  /** The value with its unit. */
  value: string
  goal: string
  isMet: boolean
  /** The value relative to a baseline of the same run. */
  ratio?: string
}

/**
 * Adds a result to the table of `npm run bench`. A benchmark that runs alone prints the result. If
 * a goal is missed, the process ends with status 1.
 */
export function addResult(result: BenchResult): void {
  if (!result.isMet) {
    process.exitCode = 1
  }

  // `npm run bench` names a file for the results of all benchmarks.
  if (process.env.BENCH_ROWS) {
    appendFileSync(process.env.BENCH_ROWS, `${JSON.stringify(result)}\n`)
  } else {
    console.log(formatResult(result))
  }
}

/** Formats a result as a line of a Markdown table. */
export function formatResult({ figure, value, goal, isMet, ratio = '' }: BenchResult): string {
  return `| ${figure} | ${value} | ${goal} | ${isMet ? 'yes' : '**no**'} | ${ratio} |`
}

/** Prints the problems and ends the process, with status 1 if there are any. */
export function exitWithProblems(problems: string[]): never {
  for (const problem of problems.slice(0, 30)) {
    console.log(`PROBLEM: ${problem}`)
  }

  console.log(problems.length === 0 ? 'passed' : `${problems.length} problems`)
  process.exit(problems.length === 0 ? 0 : 1)
}

/** Returns the percentile of the numbers for a share from 0 to 1, or 0 if there are no numbers. */
export function percentile(numbers: number[], share: number): number {
  const sortedNumbers = numbers.toSorted((a, b) => a - b)
  const index = Math.max(0, Math.ceil(share * numbers.length) - 1)
  return sortedNumbers[index] ?? 0
}

/** Returns the median of the numbers, or 0 if there are no numbers. */
export function median(numbers: number[]): number {
  return percentile(numbers, 0.5)
}

/**
 * Returns the resident memory of a Linux process and its highest value so far, in megabytes.
 * PostgreSQL's processes are not included.
 */
export function residentMemory(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const readMegabytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024
  return { now: readMegabytes('VmRSS'), peak: readMegabytes('VmHWM') }
}

/** Ends a benchmark whose programs are not installed, and prints how to install them. */
export function requirePackages(missing: string[]): void {
  if (missing.length === 0) {
    return
  }

  console.log(
    `NOT RUN: install what it needs (apt-get install ${missing.join(' ')}) and run it again.`,
  )
  process.exit(1)
}
