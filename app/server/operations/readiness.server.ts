import { log } from './log.server'

type Check = { ask(): Promise<unknown>; warning: string | null }
export type ReadinessReport = {
  ready: boolean
  parts: Record<string, string>
  warnings: Record<string, string>
}

const timeoutMs = 2_000
const freshMs = 1_000

/**
 * Whether this process can serve requests, for load balancers and operators. `/healthz` only says
 * that it runs.
 */
export class Readiness {
  readonly #checks = new Map<string, Check>()
  readonly #warnings = new Map<string, string>()
  #phase: 'starting' | 'serving' | 'stopping' = 'starting'
  #recent: { at: number; parts: Promise<Record<string, string>> } | null = null

  /**
   * Adds a part. It is unavailable while `ask` throws or takes longer than `timeoutMs`.
   *
   * @param options.warning for a part that most pages don't need, the effect of its failure; the
   * status stays 200.
   */
  addCheck(
    part: string,
    ask: Check['ask'],
    { warning = null }: { warning?: string | null } = {},
  ): void {
    this.#checks.set(part, { ask, warning })
  }

  /** Sets a warning, which leaves the status at 200; null removes it. The sentence is public. */
  warn(part: string, sentence: string | null): void {
    if (sentence === null) {
      this.#warnings.delete(part)
    } else {
      this.#warnings.set(part, sentence)
    }
  }

  enter(phase: 'serving' | 'stopping'): void {
    this.#phase = phase
  }

  /** Results are reused for a second. */
  async report(now = performance.now()): Promise<ReadinessReport> {
    const warnings = Object.fromEntries(this.#warnings)
    if (this.#phase !== 'serving') {
      return { ready: false, parts: { product: this.#phase }, warnings }
    }

    if (!this.#recent || now - this.#recent.at >= freshMs) {
      this.#recent = { at: now, parts: this.#askParts() }
    }

    const parts = await this.#recent.parts
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

  async #askParts(): Promise<Record<string, string>> {
    const asked = [...this.#checks].map(async ([part, { ask }]) => [part, await stateOf(part, ask)])
    return Object.fromEntries(await Promise.all(asked))
  }
}

/** The report is public, so the reason is only in the log. */
async function stateOf(part: string, ask: Check['ask']): Promise<string> {
  try {
    const answer = ask().then(() => 'ok')
    if (await withTimeout(answer, timeoutMs)) {
      return 'ok'
    }

    throw new Error(`No answer in ${timeoutMs / 1000} seconds.`)
  } catch (error) {
    log.warn({ part, err: error }, 'not ready')
    return 'unavailable'
  }
}

/** The readiness of this process. */
export const readiness = new Readiness()

/** `GET /readyz`: 200 or 503, with the state of every part. */
export async function answerReadiness(): Promise<Response> {
  const report = await readiness.report()
  const headers: Record<string, string> = { 'Cache-Control': 'no-store' }
  if (!report.ready) {
    headers['Retry-After'] = '5'
  }

  return Response.json(report, { status: report.ready ? 200 : 503, headers })
}

/** @returns null if there is no answer in time. A late result is discarded. */
export async function withTimeout<T>(answer: Promise<T>, timeoutMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
