import { useCallback, useEffect, useRef, useState } from 'react'
import { outbox } from '~/outbox/outbox'
import { type AnswerStatus, ExamAnswerSaver } from './exam-answer-saver'
import { examAnswers } from './exam-answers'
import type { SittingData } from './exam-page-data'
import type { ExamAnswer } from './exam-question'

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

/** The learner's answers of an open attempt: shown at once, sent as they are given, in the outbox until acknowledged. */
export function useExamAnswers(uid: string, { attemptId, answers }: SittingData): ExamAnswers {
  const [values, setValues] = useState(() => answers.map(({ value }) => value))
  const [status, setStatus] = useState<AnswerStatus>('saved')
  const [deadlineAt, setDeadlineAt] = useState<string | null>(null)
  const show = useCallback((question: number, value: ExamAnswer) => {
    setValues((before) => before.with(question - 1, value))
  }, [])
  const [saver] = useState(
    () => new ExamAnswerSaver({ uid, attemptId, outbox, onReplaced: show, onStatus: setStatus }, answers),
  )
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
    const stopListening = outbox.listen(examAnswers, (entry, sent) => {
      if (sent.answer?.outcome === 'saved') setDeadlineAt(sent.answer.deadlineAt)
      return saver.take(entry, sent)
    })
    const stopWatching = outbox.watch([examAnswers], uid)
    void saver.restore().then((restored) => {
      for (const { question, value } of restored) show(question, value)
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

  return { values, status, tooLate: status === 'closed' ? saver.pending : [], deadlineAt, give, flush }
}
