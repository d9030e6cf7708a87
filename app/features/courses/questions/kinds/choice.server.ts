import * as z from 'zod'
import { line } from '~/server/validation/content-fields'
import { didYouMean } from '~/server/validation/schema-problems'
import { hasRepeatedTexts } from '../check-questions.server'
import type { ReportQuestionProblem } from '../question-kind.server'

/** What single and multiple choice have in common in exam.yaml. */

export const optionText = line(300)

export const options = z.array(optionText).min(3).max(20)

type Choice = {
  options: readonly string[]
  correctOptions: readonly string[]
  /** The key of exam.yaml that has the correct options. */
  answerKey: string
}

export function checkChoice(choice: Choice, report: ReportQuestionProblem): void {
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
