import { useCallback, useEffect, useRef, useState } from 'react'
import { type AnswerStatus, ExamAnswerSaver, type KeptAnswer, type SendOutcome } from './exam-answer-saver'
import type { SittingData } from './exam-page-data'
import type { ExamAnswer } from './exam-question'

/** While somebody types, the answer leaves after this pause. */
const typingMs = 350

export type ExamAnswers = {
  values: Readonly<Record<string, ExamAnswer>>
  status: AnswerStatus
  give(questionId: string, value: ExamAnswer, typed?: boolean): void
  /** Sends all there is. @returns whether the server has everything. */
  flush(): Promise<boolean>
}

/** The learner's answers of an open attempt: shown at once, sent as they are given, kept until they are acknowledged. */
export function useExamAnswers({ attemptId, answers }: SittingData): ExamAnswers {
  const [values, setValues] = useState(() =>
    Object.fromEntries(Object.entries(answers).map(([questionId, { value }]) => [questionId, value])),
  )
  const [status, setStatus] = useState<AnswerStatus>('saved')
  const [saver] = useState(() => {
    const send = (questionId: string, answer: KeptAnswer) => sendAnswer(attemptId, questionId, answer)
    const keep = (pending: ReadonlyMap<string, KeptAnswer>) => keepPending(attemptId, pending)
    const later = (call: () => void, ms: number) => setTimeout(call, ms)
    return new ExamAnswerSaver({ send, keep, onStatus: setStatus, later }, answers)
  })
  const typing = useRef(new Map<string, { timer: ReturnType<typeof setTimeout>; value: ExamAnswer }>())

  const giveTyped = useCallback(() => {
    for (const [questionId, { timer, value }] of typing.current) {
      clearTimeout(timer)
      saver.give(questionId, value)
    }
    typing.current.clear()
  }, [saver])

  const give = useCallback(
    (questionId: string, value: ExamAnswer, typed = false) => {
      setValues((before) => ({ ...before, [questionId]: value }))
      if (!typed) return saver.give(questionId, value)
      setStatus('saving')
      clearTimeout(typing.current.get(questionId)?.timer)
      typing.current.set(questionId, { timer: setTimeout(giveTyped, typingMs), value })
    },
    [saver, giveTyped],
  )

  const flush = useCallback(() => {
    giveTyped()
    return saver.flush()
  }, [saver, giveTyped])

  useEffect(() => {
    for (const [questionId, { value }] of readPending(attemptId)) give(questionId, value)
    const leave = () => void flush()
    window.addEventListener('pagehide', leave)
    window.addEventListener('online', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('online', leave)
    }
  }, [attemptId, give, flush])

  return { values, status, give, flush }
}

async function sendAnswer(
  attemptId: string,
  questionId: string,
  { value, revision }: KeptAnswer,
): Promise<SendOutcome> {
  try {
    const response = await fetch('/ExamAnswers', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ attemptId, questionId, value, revision }),
      keepalive: true,
    })
    if (response.status === 401) return { outcome: 'signed-out' }
    const answer: unknown = await response.json()
    return outcomeOf(answer)
  } catch {
    return { outcome: 'failed' }
  }
}

function outcomeOf(answer: unknown): SendOutcome {
  if (typeof answer !== 'object' || !answer || !('outcome' in answer)) return { outcome: 'failed' }
  const revision = 'revision' in answer && typeof answer.revision === 'number' ? answer.revision : 0
  switch (answer.outcome) {
    case 'saved':
    case 'closed':
      return { outcome: answer.outcome }
    case 'stale':
      return { outcome: 'stale', revision }
    default:
      return { outcome: 'refused' }
  }
}

const storageKey = (attemptId: string) => `learnify-exam-${attemptId}`

/** Storage that is full or forbidden loses only the second net. */
function keepPending(attemptId: string, pending: ReadonlyMap<string, KeptAnswer>): void {
  try {
    if (pending.size === 0) localStorage.removeItem(storageKey(attemptId))
    else localStorage.setItem(storageKey(attemptId), JSON.stringify([...pending]))
  } catch {}
}

function readPending(attemptId: string): [string, KeptAnswer][] {
  try {
    return JSON.parse(localStorage.getItem(storageKey(attemptId)) ?? '[]')
  } catch {
    return []
  }
}
