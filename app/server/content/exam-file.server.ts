import * as z from 'zod'
import { explainedIn, line, slug, text } from './content-fields'
import type { ContentReader } from './content-reader.server'
import { checkFormulas, repeated } from './lesson-files.server'
import { didYouMean } from './schema-problems'

const examAnswer = {
  id: slug,
  prompt: text,
  explanation: text,
  explainedIn: explainedIn.optional(),
}

const examQuestion = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('single'),
    ...examAnswer,
    options: z.array(line(300)).min(3).max(20),
    answer: line(300),
  }),
  z.strictObject({
    type: z.literal('multiple'),
    ...examAnswer,
    options: z.array(line(300)).min(3).max(20),
    answers: z.array(line(300)).min(1).max(20),
  }),
  /** `items` are in the correct order; the learner gets them shuffled. */
  z.strictObject({
    type: z.literal('ordering'),
    ...examAnswer,
    items: z.array(line(300)).min(3).max(20),
  }),
  z.strictObject({
    type: z.literal('numeric'),
    ...examAnswer,
    answer: z.number(),
    tolerance: z.number().nonnegative(),
    /** Begins with no digit, which would belong to the number. */
    unit: line(20)
      .regex(/^[^\d.,+-]/, 'Start the unit with a letter or a symbol like %.')
      .optional(),
  }),
  /** Compared after trimming, folding spaces and case. */
  z.strictObject({
    type: z.literal('text'),
    ...examAnswer,
    accepted: z.array(line(300)).min(1).max(50),
  }),
])

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
  passPercent: z.int().min(1).max(100).default(60),
  questions: z.array(examQuestion).min(12).max(1000),
})

type Question = z.infer<typeof examQuestion>

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
    const { data: question } = examQuestion.safeParse(entry)
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
    checkQuestion(reader, file, question, at)
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

function checkQuestion(
  reader: ContentReader,
  file: string,
  question: Question,
  at: readonly PropertyKey[],
) {
  if (question.type === 'ordering' && repeated(question.items)) {
    reader.report(
      file,
      'Two items read the same, so their order can’t be told apart. Reword one.',
      [...at, 'items'],
    )
  }

  if (!('options' in question)) {
    return
  }

  if (repeated(question.options)) {
    reader.report(file, 'Two options read the same. Reword or delete one.', [...at, 'options'])
  }

  const key = question.type === 'single' ? 'answer' : 'answers'
  const right = question.type === 'single' ? [question.answer] : question.answers
  for (const answer of right) {
    if (question.options.includes(answer)) {
      continue
    }

    const near = didYouMean(answer, question.options)
    reader.report(
      file,
      `The answer '${answer}' isn’t one of the options.${near} Write it exactly like its option.`,
      [...at, key],
    )
  }

  if (new Set(right).size < right.length) {
    reader.report(file, 'An answer appears twice. Delete one.', [...at, key])
  }
}
