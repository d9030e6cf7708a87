import { useState } from 'react'
import { useSubmit } from 'react-router'
import type { FlushOutcome } from './exam-answer-saver'

/** Why the exam is submitted: the learner asked for it, or the time has run out. */
type SubmissionReason = 'asked' | 'time-over'

/** @param sendAnswers sends the answers that the server does not have */
export function useSubmitExam(attemptId: string, sendAnswers: () => Promise<FlushOutcome>) {
  const submit = useSubmit()
  const [hasUnsentAnswers, setHasUnsentAnswers] = useState(false)

  const submitExam = async (reason: SubmissionReason) => {
    setHasUnsentAnswers(false)

    const outcome = await sendAnswers()
    if (!isReadyToSubmit(reason, outcome)) {
      setHasUnsentAnswers(true)
      return
    }

    const fields = { intent: 'hand-in', attempt: attemptId, because: reason }
    await submit(fields, { method: 'post' })
  }

  return { hasUnsentAnswers, submitExam }
}

/**
 * Returns whether the exam can be submitted now. A learner can still change an answer that the
 * server has refused, but not once the time has run out.
 */
export function isReadyToSubmit(reason: SubmissionReason, outcome: FlushOutcome): boolean {
  return outcome === 'saved' || (outcome === 'refused' && reason === 'time-over')
}
