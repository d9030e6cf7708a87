import { useCallback, useEffect, useRef, useState } from 'react'
import type { AnswerResult } from './exam-answer-queries.server'
import { type AnswerStatus, ExamAnswerSaver, type KeptAnswer, type SendOutcome } from './exam-answer-saver'
import type { SittingData } from './exam-page-data'
import type { ExamAnswer } from './exam-question'
import { forgetAnswer, keepAnswer, listKeptAnswers } from './kept-exam-answers'

/** While someone types, the answer is sent after this pause. */
const typingMs = 350

export type ExamAnswers = {
  /** One a question. */
  values: readonly ExamAnswer[]
  status: AnswerStatus
  /** Numbers of the questions whose last answers came too late; only once the status is `closed`. */
  tooLate: readonly number[]
  /** The end as the server said it last, with a saved answer; null before that. */
  deadlineAt: string | null
  /** @param question its number in the attempt, from 1. */
  give(question: number, value: ExamAnswer, typed?: boolean): void
  /** Sends all there is. @returns whether the server has everything. */
  flush(): Promise<boolean>
}

/**
 * The learner's answers of an open attempt: shown at once, sent as they are given, kept until they are acknowledged.
 */
export function useExamAnswers({ attemptId, answers }: SittingData): ExamAnswers {
  const [values, setValues] = useState(() => answers.map(({ value }) => value))
  const [status, setStatus] = useState<AnswerStatus>('saved')
  const [deadlineAt, setDeadlineAt] = useState<string | null>(null)
  const show = useCallback((question: number, value: ExamAnswer) => {
    setValues((before) => before.with(question - 1, value))
  }, [])
  const [saver] = useState(() => {
    const send = (question: number, answer: KeptAnswer) => sendAnswer(attemptId, question, answer, setDeadlineAt)
    const keep = (question: number, answer: KeptAnswer) => keepAnswer(attemptId, question, answer)
    const forget = (question: number, answer: KeptAnswer) => forgetAnswer(attemptId, question, answer)
    const later = (call: () => void, ms: number) => setTimeout(call, ms)
    const parts = { send, keep, forget, onReplaced: show, onStatus: setStatus, later, now: Date.now }
    return new ExamAnswerSaver(parts, answers)
  })
  const typing = useRef(new Map<number, { timer: ReturnType<typeof setTimeout>; value: ExamAnswer }>())

  const giveTyped = useCallback(() => {
    for (const [question, { timer, value }] of typing.current) {
      clearTimeout(timer)
      saver.give(question, value)
    }
    typing.current.clear()
  }, [saver])

  const give = useCallback(
    (question: number, value: ExamAnswer, typed = false) => {
      if (saver.isClosed) return
      show(question, value)
      if (!typed) return saver.give(question, value)
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
    for (const [question, { value }] of saver.restore(listKeptAnswers(attemptId, answers.length))) show(question, value)
    const leave = () => void flush()
    window.addEventListener('pagehide', leave)
    window.addEventListener('online', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('online', leave)
    }
  }, [attemptId, answers.length, saver, show, flush])

  return { values, status, tooLate: status === 'closed' ? [...saver.pending.keys()] : [], deadlineAt, give, flush }
}

async function sendAnswer(
  attemptId: string,
  question: number,
  { value, revision, givenAt }: KeptAnswer,
  onDeadline: (deadlineAt: string) => void,
): Promise<SendOutcome> {
  const ageMs = Math.max(0, Date.now() - givenAt)
  try {
    const response = await fetch('/ExamAnswers', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ attemptId, question, value, revision, ageMs }),
      keepalive: true,
    })
    if (response.status === 401) return { outcome: 'signed-out' }
    const body = await response.json()
    if (body?.deadlineAt) onDeadline(body.deadlineAt)
    return outcomeOf(body)
  } catch {
    return { outcome: 'failed' }
  }
}

/** What does not come from the product itself, for example a proxy's error page, is no answer. */
function outcomeOf(body: Partial<AnswerResult> | null): SendOutcome {
  switch (body?.outcome) {
    case 'saved':
    case 'closed':
      return { outcome: body.outcome }
    case 'stale':
      return body as Extract<AnswerResult, { outcome: 'stale' }>
    // Someone else is signed in now: it waits for the learner who is taking this exam.
    case 'unknown':
      return { outcome: 'signed-out' }
    case 'unreadable':
      return { outcome: 'refused' }
    default:
      return { outcome: 'failed' }
  }
}
