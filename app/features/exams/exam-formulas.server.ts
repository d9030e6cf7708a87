import { formulasIn } from '~/server/content/formula.server'
import type { ResultData, SittingData } from './exam-page-data'

/** The formulas of an exam's page, as HTML by text. What a learner typed is shown as it was typed. */
export function examFormulas(sitting: SittingData | null, result: ResultData | null): Record<string, string> {
  const judged = result?.questions?.map(({ prompt, solution }) => {
    if (!solution) return [prompt]
    const { given, typed, expected, explanation } = solution
    return [prompt, typed ? null : given, expected, explanation]
  })
  return formulasIn([sitting?.questions, judged])
}
