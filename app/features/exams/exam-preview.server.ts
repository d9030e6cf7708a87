import { eq } from 'drizzle-orm'
import { displayQuestion, listOptions } from '~/features/courses/questions/drawn-question.server'
import type { Database } from '~/server/database/client.server'
import { exams } from '~/server/database/schema'
import { formulasIn } from '~/server/markdown/formula.server'
import { judged } from './result/result-queries.server'

export async function hasExam(db: Pick<Database, '$count'>, courseId: string): Promise<boolean> {
  return (await db.$count(exams, eq(exams.courseId, courseId))) > 0
}

/**
 * All questions of an exam in the order of its file, with their answers, for staff: no attempt
 * begins.
 *
 * @returns null for a course without an exam.
 */
export async function openExamPreview(db: Pick<Database, 'select'>, courseId: string) {
  const [exam] = await db.select().from(exams).where(eq(exams.courseId, courseId))
  if (!exam) {
    return null
  }

  const { title, draw, timeLimitMinutes, passPercent } = exam
  const questions = exam.questions.map((question) => {
    const drawn = { question, order: [...listOptions(question).keys()] }
    return { id: question.id, ...displayQuestion(drawn), solution: judged(drawn, null).solution }
  })

  return {
    exam: { title, draw, timeLimitMinutes, passPercent },
    questions,
    formulas: formulasIn(questions),
  }
}
