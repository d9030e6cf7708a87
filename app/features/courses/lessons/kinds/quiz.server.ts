import * as z from 'zod'
import type { ContentReader } from '../../content/content-reader.server'
import { checkFormulas, hasRepeatedTexts } from '../../questions/check-questions.server'
import {
  commonMaterialFields,
  type LessonFormat,
  type LessonLocation,
  noMaterial,
  quizQuestionSchema,
} from '../lesson-format.server'

const schema = z.strictObject({
  kind: z.literal('quiz'),
  ...commonMaterialFields,
  questions: z.array(quizQuestionSchema).min(1).max(100),
})

type Quiz = z.infer<typeof schema>

export const quizFormat = {
  schema,

  listTextFiles() {
    return []
  },

  async read(reader, location) {
    checkQuestions(reader, location)
    return null
  },

  listQuestions({ questions }) {
    return questions
  },

  getStoredMaterial({ questions }) {
    return { ...noMaterial, questions }
  },
} satisfies LessonFormat<Quiz>

function checkQuestions(reader: ContentReader, { lesson, folder, yamlPath }: LessonLocation<Quiz>) {
  const file = `${folder}/course.yaml`
  const wordings = lesson.questions.map(({ question }) => question)

  for (const [index, question] of lesson.questions.entries()) {
    const questionPath = [...yamlPath, 'questions', index]
    const { options } = question
    checkFormulas(reader, file, question, questionPath)

    if (!options.some(({ correct }) => correct)) {
      const problem = 'This question has no correct option. Add `correct: true` to one.'
      reader.report(file, problem, questionPath)
    }

    // Answers are stored under the wording of their question, so questions have to differ.
    if (wordings.indexOf(question.question) !== index) {
      const problem = 'This question appears twice in its quiz. Reword or delete one.'
      reader.report(file, problem, questionPath)
    }

    if (hasRepeatedTexts(options.map(({ text }) => text))) {
      const problem = 'Two options of this question read the same. Reword or delete one.'
      reader.report(file, problem, questionPath)
    }
  }
}
