import * as z from 'zod'
import { line } from '~/server/validation/content-fields'
import { checkFormulas } from '../questions/check-questions.server'
import { examQuestionSchema, getServerQuestionKind } from '../questions/question-kinds.server'
import type { ContentReader } from './content-reader.server'

/** The share of correct answers that passes an exam whose file names none. */
export const defaultPassPercent = 60

/** `content/courses/SLUG/exam.yaml`. */
export const examFile = z.strictObject({
  title: line(120),
  /** Questions drawn at random from the pool for an attempt. */
  draw: z.int().min(8).max(200),
  timeLimitMinutes: z.int().positive().max(1440),
  maxAttempts: z.int().positive().max(1000),
  /**
   * Counts only attempts from the last so many days, so a learner who used them all may come back;
   * without it, all attempts count.
   */
  attemptsWithinDays: z.int().positive().max(3650).nullable().default(null),
  /**
   * From the end of one attempt to the start of the next, to discourage guessing; at most a week.
   */
  minutesBetweenAttempts: z.int().nonnegative().max(10_080).default(10),
  passPercent: z.int().min(1).max(100).default(defaultPassPercent),
  questions: z.array(examQuestionSchema).min(12).max(1000),
})

/** Reads an exam and reports anything that would be impossible to answer or pass. */
export async function readExam(
  reader: ContentReader,
  file: string,
): Promise<z.infer<typeof examFile> | null> {
  const missing =
    'This course has no exam.yaml. Add one, as docs/content.md says; courses end with an exam.'
  const { value, data } = await reader.yaml(file, examFile, missing)
  const { questions } = z
    .object({ questions: z.array(z.unknown()).catch([]) })
    .catch({ questions: [] })
    .parse(value)
  const ids = new Set<string>()
  for (const [index, entry] of questions.entries()) {
    const { data: question } = examQuestionSchema.safeParse(entry)
    if (!question) {
      continue
    }

    const at = ['questions', index]
    if (ids.has(question.id)) {
      reader.report(
        file,
        `The question id \`${question.id}\` appears twice. Give one of them another id.`,
        [...at, 'id'],
      )
    }

    ids.add(question.id)
    checkFormulas(reader, file, question, at)
    getServerQuestionKind(question).check(question, (problem, key) =>
      reader.report(file, problem, [...at, key]),
    )
  }

  if (data && data.draw > data.questions.length) {
    reader.report(
      file,
      `\`draw\` is ${data.draw}, but the exam has ${data.questions.length} questions. Draw fewer or add questions.`,
      ['draw'],
    )
  }

  return data
}

/** Learners see exams of several courses in one list. */
export function warnOfExamName(
  reader: ContentReader,
  file: string,
  title: string,
  courseTitle: string,
): void {
  const usual = `Final exam: ${courseTitle}`
  if (title !== usual) {
    reader.warn(file, `Exams are named after their course. Write \`title: '${usual}'\`.`, ['title'])
  }
}
