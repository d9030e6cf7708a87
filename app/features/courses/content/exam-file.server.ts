import * as z from 'zod'
import { readableLine } from '../lessons/lesson-format.server'
import { checkFormulas } from '../questions/check-questions.server'
import { examQuestionSchema, getServerQuestionKind } from '../questions/question-kinds.server'
import type { ContentReader } from './content-reader.server'

/** The pass mark of an exam whose file has none. */
export const defaultPassPercent = 60

/** The format of `content/courses/SLUG/exam.yaml`. */
export const examFileSchema = z.strictObject({
  title: readableLine(120),
  /** The number of questions that are drawn at random for an attempt. */
  draw: z.int().min(8).max(200),
  timeLimitMinutes: z.int().positive().max(1440),
  maxAttempts: z.int().positive().max(1000),
  /**
   * If set to N, only the attempts of the last N days count toward `maxAttempts`, so that a learner
   * who has used them all may come back. Otherwise all attempts count.
   */
  attemptsWithinDays: z.int().positive().max(3650).nullable().default(null),
  /**
   * The wait from the end of one attempt to the start of the next, which discourages guessing. At
   * most a week.
   */
  minutesBetweenAttempts: z.int().nonnegative().max(10_080).default(10),
  passPercent: z.int().min(1).max(100).default(defaultPassPercent),
  questions: z.array(examQuestionSchema).min(12).max(1000),
})

export type ExamFile = z.infer<typeof examFileSchema>

/** Reads an exam and reports anything that would be impossible to answer or pass. */
export async function readExam(reader: ContentReader, file: string): Promise<ExamFile | null> {
  const { value: rawExam, data: exam } = await reader.readYamlFile(
    file,
    examFileSchema,
    'This course has no exam.yaml. Add one, as docs/content.md says; courses end with an exam.',
  )

  checkQuestions(reader, file, rawExam)

  if (exam && exam.draw > exam.questions.length) {
    reader.report(
      file,
      `\`draw\` is ${exam.draw}, but the exam has ${exam.questions.length} questions. Draw fewer or add questions.`,
      ['draw'],
    )
  }

  return exam
}

/** Accepts every file. The list of questions is empty if the file has none. */
const uncheckedExamSchema = z
  .object({ questions: z.array(z.unknown()).catch([]) })
  .catch({ questions: [] })

/** Checks the questions that match their schema, even if the rest of the file is invalid. */
function checkQuestions(reader: ContentReader, file: string, rawExam: unknown): void {
  const { questions } = uncheckedExamSchema.parse(rawExam)
  const questionIds = new Set<string>()

  for (const [index, entry] of questions.entries()) {
    const { data: question } = examQuestionSchema.safeParse(entry)
    if (!question) {
      continue
    }

    const yamlPath = ['questions', index]
    if (questionIds.has(question.id)) {
      reader.report(
        file,
        `The question id \`${question.id}\` appears twice. Give one of them another id.`,
        [...yamlPath, 'id'],
      )
    }

    questionIds.add(question.id)
    checkFormulas(reader, file, question, yamlPath)
    getServerQuestionKind(question).check(question, (problem, key) =>
      reader.report(file, problem, [...yamlPath, key]),
    )
  }
}

/**
 * Warns if the exam isn't named after its course. Learners see exams of several courses in a list.
 */
export function warnAboutExamTitle(
  reader: ContentReader,
  file: string,
  exam: ExamFile,
  courseTitle: string,
): void {
  const usualTitle = `Final exam: ${courseTitle}`
  if (exam.title !== usualTitle) {
    // YAML writes an apostrophe within apostrophes twice.
    const yamlTitle = `'${usualTitle.replaceAll("'", "''")}'`
    reader.warn(file, `Exams are named after their course. Write \`title: ${yamlTitle}\`.`, [
      'title',
    ])
  }
}
