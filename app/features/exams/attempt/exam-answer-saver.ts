import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import type { OutboxEntry } from '~/outbox/entry-store'
import type { Outbox } from '~/outbox/outbox'
import type { AnswerStatus } from '../exam-page-data'
import { type ExamAnswer, type ExamAnswerSendResult, examAnswers } from './exam-answer-outbox'

type SaverOptions = {
  uid: string
  attemptId: string
  outbox: Outbox
  /** Tests pass their own kind, with their own server. */
  kind?: typeof examAnswers
  /** Called when another tab or device gave a later answer, which replaces this tab's answer. */
  onReplaced(question: number, value: LearnerAnswer): void
  onStatus(status: AnswerStatus): void
  /**
   * Called with the attempt's current deadline, an ISO date-time, when the server has an answer.
   */
  onDeadline(deadlineAt: string | null): void
  /** Tests pass their own clock. */
  now?(): number
}

/**
 * What the server has after all answers were sent.
 * - `saved`: it has all answers.
 * - `refused`: it has all answers except some that it will never accept.
 * - `pending`: some answers have not reached it yet, or came after the end of the attempt.
 */
export type FlushOutcome = 'saved' | 'refused' | 'pending'

/**
 * Puts the answers of one attempt into the outbox as they are given, and reports whether the server
 * has them. Questions are numbered from 1.
 */
export class ExamAnswerSaver {
  readonly #options: Required<SaverOptions>
  /** The latest revision that the server is known to have, by question. */
  readonly #revisions = new Map<number, number>()
  /** The entries of answers that the server has not acknowledged, by question. */
  readonly #pendingEntries = new Map<number, OutboxEntry<ExamAnswer>>()
  /** The questions whose last answer the server will never accept. */
  readonly #refusedQuestions = new Set<number>()
  #isClosed = false

  /** @param storedAnswers the answers that the server has, in the order of the questions */
  constructor(options: SaverOptions, storedAnswers: readonly { revision: number }[]) {
    this.#options = { kind: examAnswers, now: Date.now, ...options }
    for (const [index, { revision }] of storedAnswers.entries()) {
      this.#revisions.set(index + 1, revision)
    }
  }

  /** Whether the attempt is over, so that the server accepts no more answers. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /**
   * The numbers of the questions whose answers the server has not acknowledged. In a closed
   * attempt, these are the answers that came too late.
   */
  get pendingQuestions(): readonly number[] {
    return [...this.#pendingEntries.keys()]
  }

  /** Puts an answer into the outbox and sends it. In a closed attempt, the answer is ignored. */
  saveAnswer(question: number, value: LearnerAnswer): void {
    if (this.#isClosed) {
      return
    }

    const { uid, attemptId, kind, outbox, onStatus, now } = this.#options
    // Two answers before the first response have the same revision. `exam-answer-outbox.ts` raises
    // the second one once the first is acknowledged.
    const revision = (this.#revisions.get(question) ?? 0) + 1
    const body = { attemptId, question, value, revision, givenAt: now() }
    const key = `exam ${attemptId} ${question}`
    const { entry, whenStored } = outbox.put(kind, { key, uid, body })

    this.#pendingEntries.set(question, entry)
    this.#refusedQuestions.delete(question)
    onStatus('saving')
    void whenStored.then(() => this.flush())
  }

  /**
   * Takes over the answers that an earlier page or another tab left in the outbox, and sends them
   * again. The server may have newer answers by now, from this device or another.
   *
   * @returns the answers, for the page to display
   */
  async restoreAnswers(): Promise<ExamAnswer[]> {
    const { attemptId, kind, outbox, onStatus } = this.#options
    const entries = await outbox.list(kind)
    const restoredEntries = entries.filter(
      ({ body }) => body.attemptId === attemptId && !this.#pendingEntries.has(body.question),
    )

    // The entries stay as they are in the outbox, because another tab may wait for them, too.
    for (const entry of restoredEntries) {
      this.#pendingEntries.set(entry.body.question, entry)
    }

    if (restoredEntries.length > 0) {
      onStatus('saving')
      void this.flush()
    }

    return restoredEntries.map(({ body }) => body)
  }

  /** Sends pending answers without waiting for the next retry. */
  async flush(): Promise<FlushOutcome> {
    const { uid, kind, outbox } = this.#options
    if (!this.#isClosed) {
      await outbox.send(kind, uid)
    }

    if (this.#pendingEntries.size > 0) {
      return 'pending'
    }

    return this.#refusedQuestions.size > 0 ? 'refused' : 'saved'
  }

  /** Sends pending answers while the page unloads. */
  sendBeforeUnload(): void {
    const { uid, kind, outbox } = this.#options
    for (const entry of this.#pendingEntries.values()) {
      void outbox.sendWhilePageCloses(kind, entry, uid)
    }
  }

  /**
   * Handles the result of sending an answer, as a listener of the outbox.
   *
   * @returns whether the answer belongs to this attempt
   */
  handleSendResult = (
    entry: OutboxEntry<ExamAnswer>,
    { outcome, serverResult }: ExamAnswerSendResult,
  ): boolean => {
    const { attemptId, question } = entry.body
    if (attemptId !== this.#options.attemptId) {
      return false
    }

    this.#adoptIfLater(entry)

    if (serverResult?.outcome === 'saved') {
      this.#options.onDeadline(serverResult.deadlineAt)
    }

    if (serverResult?.outcome === 'saved' || serverResult?.outcome === 'stale') {
      this.#revisions.set(question, serverResult.revision)
    }

    if (serverResult?.outcome === 'closed') {
      this.#isClosed = true
    }

    const isPendingAnswer = this.#pendingEntries.get(question)?.version === entry.version
    if (isPendingAnswer && outcome === 'delivered') {
      this.#pendingEntries.delete(question)
    }

    // In a closed attempt, an answer that the server does not accept stays pending, so that the
    // page can list it as late. A stale answer is not late: the server has a later answer to the
    // question.
    const isLate = this.#isClosed && serverResult?.outcome !== 'stale'
    if (isPendingAnswer && outcome === 'refused' && !isLate) {
      this.#dropPendingAnswer(question, serverResult)
    }

    this.#reportStatus(outcome)
    return true
  }

  /**
   * Adopts the answer of another tab of this browser if it is later than this tab's pending answer
   * to the question. The later answer has replaced this tab's in the outbox.
   */
  #adoptIfLater(entry: OutboxEntry<ExamAnswer>): void {
    const { question, value, givenAt } = entry.body
    const pendingEntry = this.#pendingEntries.get(question)
    if (pendingEntry !== undefined && givenAt > pendingEntry.body.givenAt) {
      this.#pendingEntries.set(question, entry)
      this.#options.onReplaced(question, value)
    }
  }

  /** Gives up a pending answer that the server does not accept. */
  #dropPendingAnswer(question: number, serverResult: ExamAnswerSendResult['serverResult']): void {
    this.#pendingEntries.delete(question)

    if (serverResult?.outcome === 'stale') {
      this.#options.onReplaced(question, serverResult.answer)
    } else {
      this.#refusedQuestions.add(question)
    }
  }

  #reportStatus(outcome: ExamAnswerSendResult['outcome']): void {
    const { onStatus } = this.#options
    if (this.#isClosed) {
      onStatus('closed')
    } else if (outcome === 'unreachable') {
      onStatus('offline')
    } else if (outcome === 'signed-out' || outcome === 'held-back') {
      // An answer is held back while another account is signed in.
      onStatus('signed-out')
    } else if (this.#pendingEntries.size === 0) {
      onStatus(this.#refusedQuestions.size > 0 ? 'refused' : 'saved')
    }
  }
}
