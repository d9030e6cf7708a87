import { createHash } from 'node:crypto'
import { drawQuestions } from '~/features/exams/exam-draw'
import type { DrawnQuestion, ExamQuestion } from '~/features/exams/exam-question'
import type { PracticeTurn } from './practice-data'

/** A question as a quiz has it. */
type StoredQuizQuestion = {
  question: string
  explanation: string
  options: { text: string; correct?: boolean }[]
  explainedIn?: string
}
export type StoredQuestion = StoredQuizQuestion | (ExamQuestion & { explainedIn?: string })

/** Practice asks every question in the way of exams: it is judged by the server, and only then explained. */
function examQuestionOf(stored: StoredQuestion): ExamQuestion {
  if ('type' in stored) return stored
  const { question: prompt, explanation, options } = stored
  const texts = options.map(({ text }) => text)
  const [answer = '', ...more] = options.filter(({ correct }) => correct).map(({ text }) => text)
  const shared = { id: '', prompt, explanation, options: texts }
  return more.length === 0
    ? { type: 'single', ...shared, answer }
    : { type: 'multiple', ...shared, answers: [answer, ...more] }
}

/** The question with its options in an order that is another one each turn, and the same for asking and for judging. */
export function drawForTurn(stored: StoredQuestion, { courseId, questionId, turn }: PracticeTurn): DrawnQuestion {
  let draws = 0
  const randomBelow = (limit: number) => {
    const seed = `${courseId} ${questionId} ${turn} ${draws++}`
    return createHash('sha256').update(seed).digest().readUInt32BE() % limit
  }
  const [drawn] = drawQuestions([examQuestionOf(stored)], 1, randomBelow)
  if (!drawn) throw new Error('One question was drawn of one.')
  return drawn
}
