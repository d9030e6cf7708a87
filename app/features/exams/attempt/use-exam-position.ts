import { useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router'
import type { OpenAttempt } from '../exam-page-data'

export type ExamPosition = {
  step: 'question' | 'review' | 'leave'
  /** The number of the displayed question, from 1. In the other steps, a question to return to. */
  questionNumber: number
  /**
   * The step to which a learner returns who does not leave: the number of a question, or `review`.
   */
  returnStep: string
  /** @param step the number of a question, `review` or `leave` */
  goTo(step: string): void
}

/**
 * Returns the current step of the exam, which is stored in the URL. Without a step in the URL, the
 * exam continues at the question that this browser displayed last or, if the browser doesn't
 * remember one, at the question that was answered last.
 */
export function useExamPosition({ attemptId, questions, resumeAt }: OpenAttempt): ExamPosition {
  const [searchParams, setSearchParams] = useSearchParams()
  const requestedStep = searchParams.get('question')
  const isQuestion = requestedStep !== 'review' && requestedStep !== 'leave'
  const step = isQuestion ? 'question' : requestedStep

  const toQuestionNumber = (value: string | number | null) =>
    Math.min(Math.max(Number(value) || resumeAt, 1), questions.length)
  const stepBeforeLeaving = searchParams.get('from')
  const questionNumber = toQuestionNumber(step === 'leave' ? stepBeforeLeaving : requestedStep)

  const resume = useEffectEvent(() => {
    const storedNumber = requestedStep === null ? readStoredQuestion(attemptId) : null
    if (storedNumber !== null && storedNumber !== questionNumber) {
      setSearchParams({ question: String(toQuestionNumber(storedNumber)) }, { replace: true })
    }
  })
  useEffect(() => resume(), [])

  useEffect(() => {
    if (requestedStep !== null && step === 'question') {
      storeQuestion(attemptId, questionNumber)
    }
  }, [attemptId, requestedStep, step, questionNumber])

  const goTo = (nextStep: string) => {
    const currentStep = step === 'question' ? String(questionNumber) : step
    const parameters: Record<string, string> =
      nextStep === 'leave' ? { question: nextStep, from: currentStep } : { question: nextStep }
    setSearchParams(parameters, { preventScrollReset: true })
  }

  const returnStep = stepBeforeLeaving === 'review' ? 'review' : String(questionNumber)
  return { step, questionNumber, returnStep, goTo }
}

const storageKey = 'learnify-exam-place'

/** Remembers the current question in this browser. Only the latest attempt is remembered. */
function storeQuestion(attemptId: string, questionNumber: number): void {
  try {
    localStorage.setItem(storageKey, `${attemptId} ${questionNumber}`)
  } catch {
    // Storage is switched off, so a reload without a step in the URL goes to the last answer.
  }
}

/** @returns the number of the question, from 1, or null if none is stored for this attempt */
function readStoredQuestion(attemptId: string): number | null {
  try {
    const storedValue = localStorage.getItem(storageKey) ?? ''
    const [storedAttemptId, questionNumber] = storedValue.split(' ')
    return (storedAttemptId === attemptId && Number(questionNumber)) || null
  } catch {
    return null
  }
}
