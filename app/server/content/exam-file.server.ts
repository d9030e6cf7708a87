import * as z from 'zod'
import type { ContentReader } from './content-reader.server'
import { examFile, examQuestion } from './exam-schema'
import { checkFormulas, repeated } from './lesson-files.server'
import { didYouMean } from './nearest-name'

type Question = z.infer<typeof examQuestion>

/** Reads an exam and reports anything that would be impossible to answer or pass. */
export async function readExam(reader: ContentReader, file: string): Promise<z.infer<typeof examFile> | null> {
  const { value, data } = await reader.yaml(file, examFile)
  const { questions } = z
    .object({ questions: z.array(z.unknown()).catch([]) })
    .catch({ questions: [] })
    .parse(value)
  const ids = new Set<string>()
  for (const [index, entry] of questions.entries()) {
    const { data: question } = examQuestion.safeParse(entry)
    if (!question) continue
    const at = ['questions', index]
    if (ids.has(question.id))
      reader.report(file, `The question id \`${question.id}\` appears twice. Give one of them another id.`, [
        ...at,
        'id',
      ])
    ids.add(question.id)
    checkFormulas(reader, file, question, at)
    checkQuestion(reader, file, question, at)
  }
  if (data && data.draw > data.questions.length)
    reader.report(
      file,
      `\`draw\` is ${data.draw}, but the exam has ${data.questions.length} questions. Draw fewer or add questions.`,
      ['draw'],
    )
  return data
}

/** Learners see exams of several courses in one list. */
export function warnOfExamName(reader: ContentReader, file: string, title: string, courseTitle: string): void {
  const usual = `Final exam: ${courseTitle}`
  if (title !== usual) reader.warn(file, `Exams are named after their course. Write \`title: '${usual}'\`.`, ['title'])
}

function checkQuestion(reader: ContentReader, file: string, question: Question, at: readonly PropertyKey[]) {
  if (question.type === 'ordering' && repeated(question.items))
    reader.report(file, 'Two items read the same, so their order can’t be told apart. Reword one.', [...at, 'items'])
  if (!('options' in question)) return
  if (repeated(question.options))
    reader.report(file, 'Two options read the same. Reword or delete one.', [...at, 'options'])
  const key = question.type === 'single' ? 'answer' : 'answers'
  const right = question.type === 'single' ? [question.answer] : question.answers
  for (const answer of right) {
    if (question.options.includes(answer)) continue
    const near = didYouMean(answer, question.options)
    reader.report(file, `The answer '${answer}' isn’t one of the options.${near} Write it exactly like its option.`, [
      ...at,
      key,
    ])
  }
  if (new Set(right).size < right.length) reader.report(file, 'An answer appears twice. Delete one.', [...at, key])
}
