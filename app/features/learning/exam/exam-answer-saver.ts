import type { ExamAnswer } from './exam-question'

/** `saved`: the server has everything. `closed`: the attempt is handed in. */
export type AnswerStatus = 'saved' | 'saving' | 'offline' | 'signed-out' | 'refused' | 'closed'

export type KeptAnswer = {
  value: ExamAnswer
  /** One more than the latest that the server is known to have. */
  revision: number
  /** By this device's clock, in milliseconds. */
  givenAt: number
}

/** What became of a sent answer; `failed` when no answer of the server's came. */
export type SendOutcome =
  | { outcome: 'saved' }
  /** Another answer is stored already, since so long. */
  | { outcome: 'stale'; revision: number; answer: ExamAnswer; ageMs: number }
  | { outcome: 'closed' | 'signed-out' | 'refused' | 'failed' }

type Parts = {
  /** @param question its number in the attempt, from 1, here and below. */
  send(question: number, answer: KeptAnswer): Promise<SendOutcome>
  /** Keeps an answer that is not acknowledged yet over a reload or a crash of the browser. */
  keep(question: number, answer: KeptAnswer): void
  /** Another tab may have kept a later one, which stays. */
  forget(question: number, answer: KeptAnswer): void
  /** Another tab or device gave a later answer, which counts. */
  onReplaced(question: number, value: ExamAnswer): void
  onStatus(status: AnswerStatus): void
  /** Calls back later; the browser's `setTimeout`. */
  later(call: () => void, ms: number): void
  now(): number
}

const retriesMs = [1_000, 2_000, 5_000, 10_000]

/**
 * Sends answers as they are given, one after the other, the latest of each question, until the server acknowledges them.
 * Where several tabs or devices answer the same question, the answer that was given last counts.
 */
export class ExamAnswerSaver {
  readonly #parts: Parts
  readonly #revisions = new Map<number, number>()
  readonly #pending = new Map<number, KeptAnswer>()
  /** The last one that left for each question: it may be stored although no answer came back. */
  readonly #sent = new Map<number, KeptAnswer>()
  #sending: Promise<void> | null = null
  /** Questions whose last answer the server could not read. */
  readonly #refused = new Set<number>()
  #failures = 0
  #stopped = false

  /** @param known the revisions that the server told, one a question. */
  constructor(parts: Parts, known: readonly { revision: number }[]) {
    this.#parts = parts
    for (const [index, { revision }] of known.entries()) this.#revisions.set(index + 1, revision)
  }

  give(question: number, value: ExamAnswer): void {
    const revision = (this.#revisions.get(question) ?? 0) + 1
    this.#queue([[question, { value, revision, givenAt: this.#parts.now() }]])
  }

  /**
   * Takes up what an earlier page kept, unless this one has a newer answer already. What the server has got since then,
   * from here or elsewhere, may be newer, too.
   *
   * @returns what was taken up.
   */
  restore(kept: readonly [number, KeptAnswer][]): readonly [number, KeptAnswer][] {
    const taken = kept.filter(([question]) => !this.#pending.has(question))
    this.#queue(taken)
    return taken
  }

  #queue(answers: readonly [number, KeptAnswer][]): void {
    if (this.#stopped || answers.length === 0) return
    for (const [question, answer] of answers) {
      this.#pending.set(question, answer)
      this.#refused.delete(question)
      this.#parts.keep(question, answer)
    }
    this.#parts.onStatus('saving')
    void this.flush()
  }

  get isClosed(): boolean {
    return this.#stopped
  }

  /** What the server has not acknowledged; after `closed`: what came too late. */
  get pending(): ReadonlyMap<number, KeptAnswer> {
    return this.#pending
  }

  /** Sends what is pending now, without waiting for the next retry. @returns whether the server has everything. */
  async flush(): Promise<boolean> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null
    })
    await this.#sending
    return this.#pending.size === 0 && this.#refused.size === 0
  }

  async #sendAll(): Promise<void> {
    for (let next = this.#next(); next && !this.#stopped; next = this.#next()) {
      const [question, answer] = next
      const result = await this.#parts.send(question, answer)
      if (result.outcome === 'failed' || result.outcome === 'signed-out') {
        this.#sent.set(question, answer)
        return this.#tryAgainLater(result.outcome)
      }
      this.#failures = 0
      this.#settle(question, answer, result)
    }
    if (!this.#stopped) this.#parts.onStatus(this.#refused.size > 0 ? 'refused' : 'saved')
  }

  #next(): [number, KeptAnswer] | undefined {
    return this.#pending.entries().next().value
  }

  #settle(question: number, sent: KeptAnswer, result: SendOutcome): void {
    if (result.outcome === 'closed') {
      this.#stopped = true
      for (const [late, answer] of this.#pending) this.#parts.forget(late, answer)
      this.#parts.onStatus('closed')
      return
    }
    const current = this.#pending.get(question)
    const replaced = current !== sent
    if (result.outcome === 'saved') this.#revisions.set(question, sent.revision)
    if (result.outcome === 'stale') this.#revisions.set(question, result.revision)
    if (current && (replaced || (result.outcome === 'stale' && this.#isLater(question, sent, result)))) {
      const again = { ...current, revision: (this.#revisions.get(question) ?? 0) + 1 }
      this.#pending.set(question, again)
      this.#parts.keep(question, again)
      return
    }
    this.#pending.delete(question)
    this.#parts.forget(question, sent)
    if (result.outcome === 'refused') this.#refused.add(question)
    if (result.outcome === 'stale') this.#parts.onReplaced(question, result.answer)
  }

  /** Whether a refused answer was given after the stored one, or the stored one came from here. */
  #isLater(question: number, refused: KeptAnswer, stored: { revision: number; answer: ExamAnswer; ageMs: number }) {
    const own = this.#sent.get(question)
    const isOwn = own?.revision === stored.revision && JSON.stringify(own.value) === JSON.stringify(stored.answer)
    return isOwn || this.#parts.now() - refused.givenAt < stored.ageMs
  }

  #tryAgainLater(outcome: 'failed' | 'signed-out'): void {
    this.#parts.onStatus(outcome === 'failed' ? 'offline' : 'signed-out')
    const wait = retriesMs[Math.min(this.#failures, retriesMs.length - 1)] ?? 10_000
    this.#failures += 1
    this.#parts.later(() => void this.flush(), wait)
  }
}
