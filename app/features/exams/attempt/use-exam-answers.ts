import { useCallback, useEffect, useRef, useState } from 'react'
import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import type { Entry } from '~/outbox/entry-store'
import { type Outbox, outbox } from '~/outbox/outbox'
import type { OpenAttempt } from '../exam-page-data'
import { examAnswers, type GivenAnswer, type SentAnswer } from './exam-answer-outbox'

/** The answer is sent after this pause in typing, in milliseconds. */
const typingMs = 350

export type ExamAnswers = {
  /** One a question. */
  values: readonly LearnerAnswer[]
  status: AnswerStatus
  /**
   * Numbers of the questions whose last answers came too late; only once the status is `closed`.
   */
  tooLate: readonly number[]
  /** The deadline from the server's latest answer; null before the first one. */
  deadlineAt: string | null
  /** @param question its number in the attempt, from 1. */
  give(question: number, value: LearnerAnswer, typed?: boolean): void
  /** Sends all pending answers. @returns whether the server has everything. */
  flush(): Promise<boolean>
}

/**
 * The learner's answers of an open attempt: shown at once, sent as they are given, in the outbox
 * until acknowledged.
 */
export function useExamAnswers(uid: string, { attemptId, answers }: OpenAttempt): ExamAnswers {
  const [values, setValues] = useState(() => answers.map(({ value }) => value))
  const [status, setStatus] = useState<AnswerStatus>('saved')
  const [deadlineAt, setDeadlineAt] = useState<string | null>(null)
  const show = useCallback((question: number, value: LearnerAnswer) => {
    setValues((before) => before.with(question - 1, value))
  }, [])
  const [saver] = useState(
    () =>
      new ExamAnswerSaver(
        { uid, attemptId, outbox, onReplaced: show, onStatus: setStatus },
        answers,
      ),
  )
  const typing = useRef(
    new Map<number, { timer: ReturnType<typeof setTimeout>; value: LearnerAnswer }>(),
  )

  const giveTyped = useCallback(() => {
    for (const [question, { timer, value }] of typing.current) {
      clearTimeout(timer)
      saver.give(question, value)
    }

    typing.current.clear()
  }, [saver])

  const give = useCallback(
    (question: number, value: LearnerAnswer, typed = false) => {
      if (saver.isClosed) {
        return
      }

      show(question, value)
      if (!typed) {
        return saver.give(question, value)
      }

      setStatus('saving')
      clearTimeout(typing.current.get(question)?.timer)
      typing.current.set(question, { timer: setTimeout(giveTyped, typingMs), value })
    },
    [saver, show, giveTyped],
  )

  const flush = useCallback(() => {
    giveTyped()
    return saver.flush()
  }, [saver, giveTyped])

  useEffect(() => {
    const stopListening = outbox.listen(examAnswers, (entry, sent) => {
      if (sent.answer?.outcome === 'saved') {
        setDeadlineAt(sent.answer.deadlineAt)
      }

      return saver.take(entry, sent)
    })
    const stopWatching = outbox.watch([examAnswers], uid)
    void saver.restore().then((restored) => {
      for (const { question, value } of restored) {
        show(question, value)
      }
    })
    const leave = () => {
      giveTyped()
      saver.leave()
    }
    window.addEventListener('pagehide', leave)

    return () => {
      window.removeEventListener('pagehide', leave)
      giveTyped()
      stopWatching()
      stopListening()
    }
  }, [uid, saver, show, giveTyped])

  return {
    values,
    status,
    tooLate: status === 'closed' ? saver.pending : [],
    deadlineAt,
    give,
    flush,
  }
}

/** `saved`: the server has everything. `closed`: the attempt is handed in. */
export type AnswerStatus = 'saved' | 'saving' | 'offline' | 'signed-out' | 'refused' | 'closed'

type Parts = {
  uid: string
  attemptId: string
  outbox: Outbox
  kind?: typeof examAnswers
  /** Another tab or device gave a later answer, which replaces this one. */
  onReplaced(question: number, value: LearnerAnswer): void
  onStatus(status: AnswerStatus): void
  now?(): number
}

/**
 * Puts answers of one attempt into the outbox as they are given, and reports their state. Questions
 * count from 1.
 */
export class ExamAnswerSaver {
  readonly #parts: Required<Parts>
  readonly #revisions = new Map<number, number>()
  readonly #pending = new Map<number, Entry<GivenAnswer>>()
  /** Questions whose last answer the server could not read. */
  readonly #refused = new Set<number>()
  #closed = false

  /** @param known the revisions of the server, one a question. */
  constructor(parts: Parts, known: readonly { revision: number }[]) {
    this.#parts = { kind: examAnswers, now: Date.now, ...parts }
    for (const [index, { revision }] of known.entries()) {
      this.#revisions.set(index + 1, revision)
    }
  }

  get isClosed(): boolean {
    return this.#closed
  }

  /**
   * Questions whose answers the server has not acknowledged; after `closed`: those that came too
   * late.
   */
  get pending(): readonly number[] {
    return [...this.#pending.keys()]
  }

  give(question: number, value: LearnerAnswer): void {
    const revision = (this.#revisions.get(question) ?? 0) + 1
    const { attemptId, now } = this.#parts
    this.#put({ attemptId, question, value, revision, givenAt: now() })
  }

  /**
   * Restores answers that an earlier page left in the outbox. The server may have newer ones by
   * now, from here or elsewhere.
   *
   * @returns the restored answers.
   */
  async restore(): Promise<GivenAnswer[]> {
    const { attemptId, kind, outbox } = this.#parts
    const left = (await outbox.list(kind)).map(({ body }) => body)
    const taken = left.filter(
      (body) => body.attemptId === attemptId && !this.#pending.has(body.question),
    )
    for (const body of taken) {
      this.#put(body)
    }

    return taken
  }

  #put(body: GivenAnswer): void {
    if (this.#closed) {
      return
    }

    const { uid, kind, outbox, onStatus } = this.#parts
    const key = `exam ${body.attemptId} ${body.question}`
    const { entry, stored } = outbox.put(kind, { key, uid, body })
    this.#pending.set(body.question, entry)
    this.#refused.delete(body.question)
    onStatus('saving')
    void stored.then(() => this.flush())
  }

  /**
   * Sends pending answers now, without waiting for the next retry.
   *
   * @returns whether the server has everything.
   */
  async flush(): Promise<boolean> {
    const { uid, kind, outbox } = this.#parts
    if (!this.#closed) {
      await outbox.send(kind, uid)
    }

    return this.#pending.size === 0 && this.#refused.size === 0
  }

  /** Sends pending answers while the page unloads. */
  leave(): void {
    const { kind, outbox } = this.#parts
    for (const entry of this.#pending.values()) {
      void outbox.sendLeaving(kind, entry)
    }
  }

  /** Called by the outbox with the result for an answer. */
  take = ({ version, body }: Entry<GivenAnswer>, { outcome, answer }: SentAnswer): boolean => {
    const { question } = body
    if (body.attemptId !== this.#parts.attemptId) {
      return false
    }

    if (answer?.outcome === 'saved' || answer?.outcome === 'stale') {
      this.#revisions.set(question, answer.revision)
    }

    if (answer?.outcome === 'closed') {
      this.#closed = true
    }

    if (!this.#closed && (outcome === 'delivered' || outcome === 'refused')) {
      const isCurrent = this.#pending.get(question)?.version === version
      if (isCurrent) {
        this.#pending.delete(question)
      }

      if (isCurrent && answer?.outcome === 'unreadable') {
        this.#refused.add(question)
      }

      if (isCurrent && answer?.outcome === 'stale') {
        this.#parts.onReplaced(question, answer.answer)
      }
    }

    this.#reportStatus(outcome)

    return true
  }

  #reportStatus(outcome: SentAnswer['outcome']): void {
    const { onStatus } = this.#parts
    if (this.#closed) {
      onStatus('closed')
    } else if (outcome === 'unreachable') {
      onStatus('offline')
    } else if (outcome === 'signed-out' || outcome === 'held-back') {
      onStatus('signed-out')
    } else if (this.#pending.size === 0) {
      onStatus(this.#refused.size > 0 ? 'refused' : 'saved')
    }
  }
}
