import type {
  StoredMaterial,
  QuizQuestion as StoredQuizQuestion,
} from '~/features/courses/lessons/lesson-format.server'
import { renderFormulaTexts } from '~/server/markdown/formula.server'
import { questionId } from '../../../progress/question-id.server'

export type QuizQuestion = StoredQuizQuestion & { id: string }

export type QuizMaterial = {
  questions: QuizQuestion[]
  /** The formulas in the questions, as HTML by text. */
  formulas: Record<string, string>
}

export function loadQuizMaterial({ questions }: StoredMaterial): QuizMaterial {
  const questionsWithIds = (questions ?? []).map((question) => ({
    ...question,
    id: questionId(question.question),
  }))

  return { questions: questionsWithIds, formulas: renderFormulaTexts(questionsWithIds) }
}
