import { useCallback, useEffect, useRef, useState } from 'react'
import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import { outbox } from '~/outbox/outbox'
import type { AnswerStatus, OpenAttempt } from '../exam-page-data'
import { examAnswers } from './exam-answer-outbox'
import { ExamAnswerSaver } from './exam-answer-saver'

/** Typed answers are saved after a pause in typing of this length. */
const typingPauseMs = 350

/** A typed answer that is saved when the timer ends. */
type TypedAnswer = { value: LearnerAnswer; timer: ReturnType<typeof setTimeout> }

type ExamAnswers = {
  /** The answers of all questions, in their order. */
  values: readonly LearnerAnswer[]
  status: AnswerStatus
  /** The numbers of the questions whose last answers came too late. Empty until the attempt is closed. */
  lateQuestions: readonly number[]
  /** The deadline in the server's latest response, or null before the first one. */
  deadlineAt: string | null
  /** @param question the number of the question in the attempt, from 1 */
  giveAnswer(question: number, value: LearnerAnswer, options?: { isTyping: boolean }): void
  /** Sends the answers that the server does not have, and returns whether it has all of them now. */
  flush(): Promise<boolean>
}

/**
 * Manages the learner's answers of an open attempt. An answer is displayed at once. It is sent at
 * once or, while the learner types, after a pause. It stays in the outbox of this browser until the
 * server has acknowledged it.
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
      const timer = setTimeout(saveTypedAnswers, typingPauseMs)
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
        // The learner may have typed another answer in the meantime.
        if (!typedAnswers.current.has(question)) {
          displayAnswer(question, value)
        }
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
