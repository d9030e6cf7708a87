import { useContext, useState } from 'react'
import { PageLearner } from './lesson-form'
import { newRun, type QuestionRun } from './quiz-rules'

type Runs = Readonly<Record<string, QuestionRun>>

/** By quiz; until the page is loaded anew, so that reading what explains a question and coming back loses nothing. */
const kept = new Map<string, Runs>()

function keptRuns(quiz: string): Runs {
  return kept.get(quiz) ?? {}
}

export function changeRun(quiz: string, questionId: string, to: (run: QuestionRun) => QuestionRun): Runs {
  const runs = keptRuns(quiz)
  const changed = { ...runs, [questionId]: to(runs[questionId] ?? newRun) }
  kept.set(quiz, changed)
  return changed
}

/** The runs of this learner at one quiz, and how to change one. */
export function useQuizRuns(courseId: string, lessonId: string) {
  const quiz = `${useContext(PageLearner)}/${courseId}/${lessonId}`
  const [runs, setRuns] = useState(() => keptRuns(quiz))
  const change = (questionId: string, to: (run: QuestionRun) => QuestionRun) => setRuns(changeRun(quiz, questionId, to))
  return { runs, change }
}
