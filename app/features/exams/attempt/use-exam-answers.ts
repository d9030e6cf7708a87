import { useCallback, useEffect, useRef, useState } from 'react'
import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import type { OutboxEntry } from '~/outbox/entry-store'
import { type Outbox, outbox } from '~/outbox/outbox'
import type { AnswerStatus, OpenAttempt } from '../exam-page-data'
import { type ExamAnswer, type ExamAnswerSendResult, examAnswers } from './exam-answer-outbox'

/** Typed answers are saved after this pause in typing. */
const typingDebounceMs = 350

/** A typed answer that is saved after the pause in typing. */
type TypedAnswer = { value: LearnerAnswer; timer: ReturnType<typeof setTimeout> }

type ExamAnswers = {
  /** The answers of all questions, in their order. */
  values: readonly LearnerAnswer[]
  status: AnswerStatus
  /** The numbers of the questions whose last answers came too late. Only a closed attempt has some. */
  lateQuestions: readonly number[]
  /** The deadline in the server's latest response, or null before the first one. */
  deadlineAt: string | null
  /** @param question the number of the question in the attempt, from 1 */
  giveAnswer(question: number, value: LearnerAnswer, options?: { isTyping: boolean }): void
  /** Sends all pending answers and returns whether the server has all of them. */
  flush(): Promise<boolean>
}

/**
 * Manages the learner's answers of an open attempt. An answer is displayed and sent as soon as it is
 * given. It stays in the outbox of this device until the server has acknowledged it.
 */
export function useExamAnswers(uid: string, { attemptId, answers }: OpenAttempt): ExamAnswers {
  const [values, setValues] = useState(() => answers.map(({ value }) => value))
  const [status, setStatus] = useState<AnswerStatus>('saved')
  const [deadlineAt, setDeadlineAt] = useState<string | null>(null)

  const displayAnswer = useCallback((question: number, value: LearnerAnswer) => {
    setValues((previousValues) => previousValues.with(question - 1, value))
  }, [])

  const [saver] = useState(() => {
    const options = { uid, attemptId, outbox, onReplaced: displayAnswer, onStatus: setStatus }
    return new ExamAnswerSaver(options, answers)
  })

  /** The typed answers by the numbers of their questions. */
  const typedAnswers = useRef(new Map<number, TypedAnswer>())

  const saveTypedAnswers = useCallback(() => {
    for (const [question, { timer, value }] of typedAnswers.current) {
      clearTimeout(timer)
      saver.saveAnswer(question, value)
    }

    typedAnswers.current.clear()
  }, [saver])

  const giveAnswer = useCallback(
    (question: number, value: LearnerAnswer, { isTyping } = { isTyping: false }) => {
      if (saver.isClosed) {
        return
      }

      displayAnswer(question, value)
      if (!isTyping) {
        saver.saveAnswer(question, value)
        return
      }

      setStatus('saving')
      clearTimeout(typedAnswers.current.get(question)?.timer)
      const timer = setTimeout(saveTypedAnswers, typingDebounceMs)
      typedAnswers.current.set(question, { value, timer })
    },
    [saver, displayAnswer, saveTypedAnswers],
  )

  const flush = useCallback(() => {
    saveTypedAnswers()
    return saver.flush()
  }, [saver, saveTypedAnswers])

  useEffect(() => {
    const stopListening = outbox.onResult(examAnswers, (entry, sendResult) => {
      if (sendResult.serverResult?.outcome === 'saved') {
        setDeadlineAt(sendResult.serverResult.deadlineAt)
      }

      return saver.handleSendResult(entry, sendResult)
    })
    const stopSending = outbox.sendAutomatically([examAnswers], uid)

    void saver.restoreAnswers().then((restoredAnswers) => {
      for (const { question, value } of restoredAnswers) {
        displayAnswer(question, value)
      }
    })

    const handlePageHide = () => {
      saveTypedAnswers()
      saver.sendBeforeUnload()
    }
    window.addEventListener('pagehide', handlePageHide)

    return () => {
      window.removeEventListener('pagehide', handlePageHide)
      saveTypedAnswers()
      stopSending()
      stopListening()
    }
  }, [uid, saver, displayAnswer, saveTypedAnswers])

  const lateQuestions = status === 'closed' ? saver.pendingQuestions : []
  return { values, status, lateQuestions, deadlineAt, giveAnswer, flush }
}

type SaverOptions = {
  uid: string
  attemptId: string
  outbox: Outbox
  kind?: typeof examAnswers
  /** Called when another tab or device gave a later answer, which replaces this one. */
  onReplaced(question: number, value: LearnerAnswer): void
  onStatus(status: AnswerStatus): void
  now?(): number
}

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
  /** The questions whose last answer the server could not read. */
  readonly #refusedQuestions = new Set<number>()
  #isClosed = false

  /** @param storedAnswers the answers that the server has, in the order of the questions */
  constructor(options: SaverOptions, storedAnswers: readonly { revision: number }[]) {
    this.#options = { kind: examAnswers, now: Date.now, ...options }
    for (const [index, { revision }] of storedAnswers.entries()) {
      this.#revisions.set(index + 1, revision)
    }
  }

  /** Whether the attempt is submitted. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /**
   * The numbers of the questions whose answers the server has not acknowledged. In a closed attempt,
   * these are the answers that came too late.
   */
  get pendingQuestions(): readonly number[] {
    return [...this.#pendingEntries.keys()]
  }

  saveAnswer(question: number, value: LearnerAnswer): void {
    const { attemptId, now } = this.#options
    const revision = (this.#revisions.get(question) ?? 0) + 1
    this.#putIntoOutbox({ attemptId, question, value, revision, givenAt: now() })
  }

  /**
   * Restores answers that an earlier page put into the outbox. The server may have newer answers by
   * now, from this device or another.
   *
   * @returns the restored answers
   */
  async restoreAnswers(): Promise<ExamAnswer[]> {
    const { attemptId, kind, outbox } = this.#options
    const entries = await outbox.list(kind)
    const restoredAnswers = entries
      .map(({ body }) => body)
      .filter((body) => body.attemptId === attemptId && !this.#pendingEntries.has(body.question))

    for (const answer of restoredAnswers) {
      this.#putIntoOutbox(answer)
    }

    return restoredAnswers
  }

  #putIntoOutbox(answer: ExamAnswer): void {
    if (this.#isClosed) {
      return
    }

    const { uid, kind, outbox, onStatus } = this.#options
    const key = `exam ${answer.attemptId} ${answer.question}`
    const { entry, isStored } = outbox.put(kind, { key, uid, body: answer })
    this.#pendingEntries.set(answer.question, entry)
    this.#refusedQuestions.delete(answer.question)
    onStatus('saving')
    void isStored.then(() => this.flush())
  }

  /** Sends pending answers without waiting for the next retry. Returns whether all were accepted. */
  async flush(): Promise<boolean> {
    const { uid, kind, outbox } = this.#options
    if (!this.#isClosed) {
      await outbox.send(kind, uid)
    }

    return this.#pendingEntries.size === 0 && this.#refusedQuestions.size === 0
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

    if (serverResult?.outcome === 'saved' || serverResult?.outcome === 'stale') {
      this.#revisions.set(question, serverResult.revision)
    }

    if (serverResult?.outcome === 'closed') {
      this.#isClosed = true
    }

    const isFinal = outcome === 'delivered' || outcome === 'refused'
    const isLatest = this.#pendingEntries.get(question)?.version === entry.version
    if (isFinal && isLatest && !this.#isClosed) {
      this.#finishDelivery(question, serverResult)
    }

    this.#reportStatus(outcome)
    return true
  }

  #finishDelivery(question: number, serverResult: ExamAnswerSendResult['serverResult']): void {
    this.#pendingEntries.delete(question)

    if (serverResult?.outcome === 'unreadable') {
      this.#refusedQuestions.add(question)
    }

    if (serverResult?.outcome === 'stale') {
      this.#options.onReplaced(question, serverResult.answer)
    }
  }

  #reportStatus(outcome: ExamAnswerSendResult['outcome']): void {
    const { onStatus } = this.#options
    if (this.#isClosed) {
      onStatus('closed')
    } else if (outcome === 'unreachable') {
      onStatus('offline')
    } else if (outcome === 'signed-out' || outcome === 'held-back') {
      onStatus('signed-out')
    } else if (this.#pendingEntries.size === 0) {
      onStatus(this.#refusedQuestions.size > 0 ? 'refused' : 'saved')
    }
  }
}
