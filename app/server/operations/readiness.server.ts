import { log } from './log.server'

type Check = { run(): Promise<unknown>; warning: string | null }

type FindWarning = () => Promise<string | null>

type CheckResults = {
  /** The status of each part of the product. */
  parts: Record<string, string>
  warnings: Record<string, string>
}

type ReadinessReport = CheckResults & { ready: boolean }

const checkTimeoutMs = 2_000
/** How long the results of the checks are reused. */
const resultLifetimeMs = 1_000

/**
 * Reports whether this process can serve requests. Load balancers and operators read it from
 * `/readyz`. `/healthz` says only that the process is running.
 */
export class Readiness {
  readonly #checks = new Map<string, Check>()
  readonly #warnings = new Map<string, string>()
  readonly #warningChecks = new Map<string, FindWarning>()
  #phase: 'starting' | 'serving' | 'stopping' = 'starting'
  #lastResults: { startedAt: number; results: Promise<CheckResults> } | null = null

  /**
   * Adds a check of one part of the product. The part is unavailable while `run` throws or takes
   * longer than `checkTimeoutMs`.
   *
   * @param options.warning the effect of a failure, for a part that most pages don't need. With a
   * warning, the product stays ready when the part is unavailable.
   */
  addCheck(
    part: string,
    run: Check['run'],
    { warning = null }: { warning?: string | null } = {},
  ): void {
    this.#checks.set(part, { run, warning })
  }

  /**
   * Sets or removes a warning. The product stays ready.
   *
   * @param sentence is public; null removes the warning
   */
  setWarning(part: string, sentence: string | null): void {
    if (sentence === null) {
      this.#warnings.delete(part)
    } else {
      this.#warnings.set(part, sentence)
    }
  }

  /**
   * Adds a function that every report calls to find out whether there is something to warn of. Each
   * process then shows the warning and removes it, whichever process has caused it or repaired the
   * cause.
   *
   * @param find returns a public sentence, or null if there is nothing to warn of
   */
  addWarningCheck(part: string, find: FindWarning): void {
    this.#warningChecks.set(part, find)
  }

  /** Records that the product has started or begins to stop. */
  enter(phase: 'serving' | 'stopping'): void {
    this.#phase = phase
  }

  /** Runs all checks and looks for all warnings, or reuses their results of the last second. */
  async report(now = performance.now()): Promise<ReadinessReport> {
    const warnings = Object.fromEntries(this.#warnings)
    if (this.#phase !== 'serving') {
      return { ready: false, parts: { product: this.#phase }, warnings }
    }

    if (!this.#lastResults || now - this.#lastResults.startedAt >= resultLifetimeMs) {
      this.#lastResults = { startedAt: now, results: this.#runChecks() }
    }

    const { parts, warnings: foundWarnings } = await this.#lastResults.results
    Object.assign(warnings, foundWarnings)

    let ready = true
    for (const [part, { warning }] of this.#checks) {
      if (parts[part] === 'ok') {
        continue
      }

      if (warning === null) {
        ready = false
      } else {
        warnings[part] = warning
      }
    }

    return { ready, parts, warnings }
  }

  async #runChecks(): Promise<CheckResults> {
    const [parts, warnings] = await Promise.all([
      Promise.all(
        [...this.#checks].map(async ([part, { run }]) => [part, await runCheck(part, run)]),
      ),
      Promise.all(
        [...this.#warningChecks].map(async ([part, find]) => [part, await findWarning(part, find)]),
      ),
    ])

    return {
      parts: Object.fromEntries(parts),
      warnings: Object.fromEntries(warnings.filter(([, warning]) => warning !== null)),
    }
  }
}

/** Returns null if it is unknown whether there is something to warn of. */
async function findWarning(part: string, find: FindWarning): Promise<string | null> {
  try {
    return await withTimeout(find(), checkTimeoutMs)
  } catch (error) {
    log.debug({ part, err: error }, 'it is unknown whether to warn')
    return null
  }
}

/**
 * Returns the status of a part. The status is public, so the reason of a failure is only logged.
 */
async function runCheck(part: string, run: Check['run']): Promise<'ok' | 'unavailable'> {
  try {
    const success = run().then(() => true)
    if (await withTimeout(success, checkTimeoutMs)) {
      return 'ok'
    }

    throw new Error(`No answer in ${checkTimeoutMs / 1000} seconds.`)
  } catch (error) {
    log.warn({ part, err: error }, 'not ready')
    return 'unavailable'
  }
}

/** The readiness of this process. */
export const readiness = new Readiness()

/** Responds to `GET /readyz` with 200 or 503, and with the status of every part. */
export async function sendReadiness(): Promise<Response> {
  const report = await readiness.report()
  const headers: Record<string, string> = { 'Cache-Control': 'no-store' }
  if (!report.ready) {
    headers['Retry-After'] = '5'
  }

  return Response.json(report, { status: report.ready ? 200 : 503, headers })
}

/** Returns the result of a promise, or null if it takes too long. A late result is discarded. */
export async function withTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs)
  })

  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}
