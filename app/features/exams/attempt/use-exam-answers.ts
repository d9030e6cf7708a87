import { useCallback, useEffect, useRef, useState } from 'react'
import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import { outbox } from '~/outbox/outbox'
import type { AnswerStatus, OpenAttempt } from '../exam-page-data'
import { examAnswers } from './exam-answer-outbox'
import { ExamAnswerSaver, type FlushOutcome } from './exam-answer-saver'

/** Typed answers are saved after a pause in typing of this length. */
const typingPauseMs = 350

/** An answer that the learner is still typing. It is saved when the timer ends. */
type UnsavedAnswer = { value: LearnerAnswer; timer: ReturnType<typeof setTimeout> }

type ExamAnswers = {
  /** The answers of all questions, in their order. */
  values: readonly LearnerAnswer[]
  status: AnswerStatus
  /**
   * The numbers of the questions whose last answers came too late. Empty until the attempt is
   * closed.
   */
  lateQuestions: readonly number[]
  /** The deadline in the server's latest response, or null before the first one. */
  deadlineAt: string | null
  /** @param question the number of the question in the attempt, from 1 */
  giveAnswer(question: number, value: LearnerAnswer, options?: { isTyping: boolean }): void
  /** Saves and sends all answers that the server does not have. */
  flush(): Promise<FlushOutcome>
}

/**
 * Manages the learner's answers of an open attempt. An answer is displayed at once. It is saved at
 * once or, while the learner types, after a pause. Saving puts the answer into the outbox of this
 * browser and sends it. It stays in the outbox until the server has acknowledged it.
 */
export function useExamAnswers(uid: string, openAttempt: OpenAttempt): ExamAnswers {
  const { attemptId, answers: storedAnswers } = openAttempt
  const [values, setValues] = useState(() => storedAnswers.map(({ value }) => value))
  const [status, setStatus] = useState<AnswerStatus>('saved')
  const [deadlineAt, setDeadlineAt] = useState<string | null>(null)

  const displayAnswer = useCallback((question: number, value: LearnerAnswer) => {
    setValues((previousValues) => previousValues.with(question - 1, value))
  }, [])

  const [saver] = useState(() => {
    const options = {
      uid,
      attemptId,
      outbox,
      onReplaced: displayAnswer,
      onStatus: setStatus,
      onDeadline: setDeadlineAt,
    }
    return new ExamAnswerSaver(options, storedAnswers)
  })

  /** The unsaved answers by the numbers of their questions. */
  const unsavedAnswers = useRef(new Map<number, UnsavedAnswer>())

  const saveUnsavedAnswers = useCallback(() => {
    for (const [question, { timer, value }] of unsavedAnswers.current) {
      clearTimeout(timer)
      saver.saveAnswer(question, value)
    }

    unsavedAnswers.current.clear()
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
      clearTimeout(unsavedAnswers.current.get(question)?.timer)
      const timer = setTimeout(saveUnsavedAnswers, typingPauseMs)
      unsavedAnswers.current.set(question, { value, timer })
    },
    [saver, displayAnswer, saveUnsavedAnswers],
  )

  const flush = useCallback(() => {
    saveUnsavedAnswers()
    return saver.flush()
  }, [saver, saveUnsavedAnswers])

  useEffect(() => {
    const stopListening = outbox.onResult(examAnswers, saver.handleSendResult)
    const stopSending = outbox.sendAutomatically([examAnswers], uid)

    void saver.restoreAnswers().then((restoredAnswers) => {
      for (const { question, value } of restoredAnswers) {
        // The learner may be typing another answer by now.
        if (!unsavedAnswers.current.has(question)) {
          displayAnswer(question, value)
        }
      }
    })

    const handlePageHide = () => {
      saveUnsavedAnswers()
      saver.sendBeforeUnload()
    }
    window.addEventListener('pagehide', handlePageHide)

    return () => {
      window.removeEventListener('pagehide', handlePageHide)
      saveUnsavedAnswers()
      stopSending()
      stopListening()
    }
  }, [uid, saver, displayAnswer, saveUnsavedAnswers])

  // The saver's list is no state of React. In a closed attempt, it changes only when another
  // device's answer replaces one of this page, which renders the page again.
  const lateQuestions = status === 'closed' ? saver.pendingQuestions : []
  return { values, status, lateQuestions, deadlineAt, giveAnswer, flush }
}
