import { useContext, useLayoutEffect, useState } from 'react'
import { PageLearnerContext } from '../../lesson-form'
import type { QuestionRun } from './quiz-run'

type QuizState = {
  /**
   * The ID of the question that was displayed last, 'review' for the review of all answers, or null
   * at first.
   */
  displayedId: string | null
  /** The runs, which contain the answers, by the IDs of their questions. */
  runs: Readonly<Record<string, QuestionRun>>
}

/** Keeps a learner's state of a quiz in this browser, so that a reload displays it again. */
export function useQuizState(courseId: string, lessonId: string) {
  const uid = useContext(PageLearnerContext)
  const key = getQuizStorageKey(uid, courseId, lessonId)
  const [quizState, setQuizState] = useState<QuizState>({ displayedId: null, runs: {} })

  // The server has no storage, so the first rendering in the browser must not use the stored state.
  useLayoutEffect(() => setQuizState(readQuizState(key)), [key])

  const saveQuizState = (newState: QuizState) => {
    setQuizState(storeQuizState(key, newState))
  }

  return [quizState, saveQuizState] as const
}

export function getQuizStorageKey(uid: string, courseId: string, lessonId: string): string {
  return `quiz ${uid} ${courseId}/${lessonId}`
}

/** Returns the stored state without anything that is unreadable. */
export function readQuizState(key: string): QuizState {
  try {
    const storedValue = JSON.parse(localStorage.getItem(key) ?? '{}')
    // A value that an earlier version has stored contains nothing but the runs. The stored `at` is
    // the displayed ID.
    const { at, runs = storedValue } = storedValue
    const readableRuns = Object.entries(runs).filter((entry): entry is [string, QuestionRun] =>
      isQuestionRun(entry[1]),
    )

    return {
      displayedId: typeof at === 'string' ? at : null,
      runs: Object.fromEntries(readableRuns),
    }
  } catch {
    return { displayedId: null, runs: {} }
  }
}

function isQuestionRun(value: unknown): value is QuestionRun {
  if (typeof value !== 'object' || value === null) {
    return false
  }

  const { tries, solutionAsked, chosen } = value as Record<keyof QuestionRun, unknown>
  return Array.isArray(tries) && typeof solutionAsked === 'boolean' && Array.isArray(chosen)
}

/**
 * Stores the state in this browser.
 *
 * @returns the stored state, which includes runs that another tab has stored in the meantime
 */
export function storeQuizState(key: string, { displayedId, runs }: QuizState): QuizState {
  const mergedRuns = { ...readQuizState(key).runs, ...runs }
  try {
    localStorage.setItem(key, JSON.stringify({ at: displayedId, runs: mergedRuns }))
  } catch {
    // Storage is switched off, so the answers last only as long as the page.
  }

  return { displayedId, runs: mergedRuns }
}
