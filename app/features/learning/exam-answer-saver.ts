import type { ExamAnswer } from './exam-question'

/** `saved`: the server has everything. `closed`: the attempt is handed in. */
export type AnswerStatus = 'saved' | 'saving' | 'offline' | 'signed-out' | 'closed'

export type KeptAnswer = { value: ExamAnswer; revision: number }

/** What became of a sent answer; `failed` when no answer of the server's came. */
export type SendOutcome =
  | { outcome: 'saved' }
  | { outcome: 'stale'; revision: number }
  | { outcome: 'closed' | 'signed-out' | 'refused' | 'failed' }

type Parts = {
  send(questionId: string, answer: KeptAnswer): Promise<SendOutcome>
  /** Keeps what is not acknowledged yet over a reload or a crash of the browser. */
  keep(pending: ReadonlyMap<string, KeptAnswer>): void
  onStatus(status: AnswerStatus): void
  /** Calls back later; the browser's `setTimeout`. */
  later(call: () => void, ms: number): void
}

const retriesMs = [1_000, 2_000, 5_000, 10_000]

/**
 * Sends answers as they are given, one after the other, the latest of each question, until the server acknowledges them.
 * A server that knows a later revision (another tab) is told again with a higher one: the learner's last word counts.
 */
export class ExamAnswerSaver {
  readonly #parts: Parts
  readonly #revisions = new Map<string, number>()
  readonly #pending = new Map<string, KeptAnswer>()
  #sending: Promise<void> | null = null
  #failures = 0
  #stopped = false

  constructor(parts: Parts, known: Readonly<Record<string, { revision: number }>>) {
    this.#parts = parts
    for (const [questionId, { revision }] of Object.entries(known)) this.#revisions.set(questionId, revision)
  }

  give(questionId: string, value: ExamAnswer): void {
    if (this.#stopped) return
    const revision = (this.#revisions.get(questionId) ?? 0) + 1
    this.#revisions.set(questionId, revision)
    this.#pending.set(questionId, { value, revision })
    this.#parts.keep(this.#pending)
    this.#parts.onStatus('saving')
    void this.flush()
  }

  get pending(): ReadonlyMap<string, KeptAnswer> {
    return this.#pending
  }

  /** Sends what is pending now, without waiting for the next retry. @returns whether the server has everything. */
  async flush(): Promise<boolean> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null
    })
    await this.#sending
    return this.#pending.size === 0
  }

  async #sendAll(): Promise<void> {
    for (let next = this.#next(); next && !this.#stopped; next = this.#next()) {
      const [questionId, answer] = next
      const result = await this.#parts.send(questionId, answer)
      if (result.outcome === 'failed' || result.outcome === 'signed-out') return this.#tryAgainLater(result.outcome)
      this.#failures = 0
      this.#settle(questionId, answer, result)
    }
    if (!this.#stopped) this.#parts.onStatus('saved')
  }

  #next(): [string, KeptAnswer] | undefined {
    return this.#pending.entries().next().value
  }

  #settle(questionId: string, sent: KeptAnswer, result: SendOutcome): void {
    if (result.outcome === 'closed') {
      this.#stopped = true
      this.#pending.clear()
      this.#parts.onStatus('closed')
    }
    const current = this.#pending.get(questionId)
    if (result.outcome === 'stale' && current) {
      const revision = Math.max(result.revision, current.revision) + 1
      this.#revisions.set(questionId, revision)
      this.#pending.set(questionId, { ...current, revision })
    } else if (current?.revision === sent.revision) this.#pending.delete(questionId)
    this.#parts.keep(this.#pending)
  }

  #tryAgainLater(outcome: 'failed' | 'signed-out'): void {
    this.#parts.onStatus(outcome === 'failed' ? 'offline' : 'signed-out')
    const wait = retriesMs[Math.min(this.#failures, retriesMs.length - 1)] ?? 10_000
    this.#failures += 1
    this.#parts.later(() => void this.flush(), wait)
  }
}
