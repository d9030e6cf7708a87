import * as z from 'zod'
import { line } from '~/server/validation/content-fields'
import { didYouMean } from '~/server/validation/schema-problems'
import { hasRepeatedTexts } from '../check-questions.server'
import {
  commonQuestionFields,
  type ReportQuestionProblem,
  type ServerQuestionKind,
} from '../question-kind.server'

/**
 * The kinds of questions with options to choose from: single choice and multiple choice.
 */

/** An option, or another short text that a question of exam.yaml contains. */
export const optionText = line(300)

const options = z.array(optionText).min(3).max(20)

const singleChoiceSchema = z.strictObject({
  type: z.literal('single'),
  ...commonQuestionFields,
  options,
  answer: optionText,
})

export const singleChoice = {
  schema: singleChoiceSchema,

  check({ options, answer }, report) {
    checkChoice({ options, correctOptions: [answer], answerKey: 'answer' }, report)
  },

  listOptions(question) {
    return question.options
  },

  getUnit() {
    return null
  },

  isCorrect(question, answer, displayedOptions) {
    return typeof answer === 'number' && displayedOptions[answer] === question.answer
  },

  getCorrectAnswer(question, displayedOptions) {
    return displayedOptions.indexOf(question.answer)
  },
} satisfies ServerQuestionKind<z.infer<typeof singleChoiceSchema>>

const multipleChoiceSchema = z.strictObject({
  type: z.literal('multiple'),
  ...commonQuestionFields,
  options,
  answers: z.array(optionText).min(1).max(20),
})

export const multipleChoice = {
  schema: multipleChoiceSchema,

  check({ options, answers }, report) {
    checkChoice({ options, correctOptions: answers, answerKey: 'answers' }, report)
  },

  listOptions(question) {
    return question.options
  },

  getUnit() {
    return null
  },

  isCorrect(question, answer, displayedOptions) {
    if (!Array.isArray(answer)) {
      return false
    }

    const chosenOptions = new Set(answer.map((position) => displayedOptions[position]))
    const correctOptions = new Set(question.answers)
    const areAllChosen = question.answers.every((correctOption) => chosenOptions.has(correctOption))
    return areAllChosen && chosenOptions.size === correctOptions.size
  },

  getCorrectAnswer(question, displayedOptions) {
    return question.answers
      .map((answer) => displayedOptions.indexOf(answer))
      .toSorted((a, b) => a - b)
  },
} satisfies ServerQuestionKind<z.infer<typeof multipleChoiceSchema>>

type Choice = {
  options: readonly string[]
  correctOptions: readonly string[]
  /** The key of exam.yaml that has the correct options. */
  answerKey: string
}

/** Reports what makes the options and the correct answers contradict each other. */
function checkChoice(choice: Choice, report: ReportQuestionProblem): void {
  const { options, correctOptions, answerKey } = choice

  if (hasRepeatedTexts(options)) {
    report('Two options read the same. Reword or delete one.', 'options')
  }

  for (const correctOption of correctOptions) {
    if (!options.includes(correctOption)) {
      const suggestion = didYouMean(correctOption, options)
      report(
        `The answer '${correctOption}' isn’t one of the options.${suggestion} Write it exactly like its option.`,
        answerKey,
      )
    }
  }

  if (new Set(correctOptions).size < correctOptions.length) {
    report('An answer appears twice. Delete one.', answerKey)
  }
}
