import { type DrawnQuestion, type ExamAnswer, type ExamQuestion, optionsOf, shownQuestion } from './exam-question'

/** A question is right or wrong as a whole, and worth one point. An answer left out is wrong. */
export function isRight({ question, order }: DrawnQuestion, answer: ExamAnswer): boolean {
  if (answer === null) return false
  const chosen = (places: readonly number[]) => places.map((place) => optionsOf(question)[order[place] ?? -1])
  switch (question.type) {
    case 'single':
      return typeof answer === 'number' && chosen([answer])[0] === question.answer
    case 'multiple':
      return Array.isArray(answer) && sameSet(chosen(answer), question.answers)
    case 'ordering':
      return Array.isArray(answer) && sameList(chosen(answer), question.items)
    case 'numeric':
      return typeof answer === 'string' && isWithinTolerance(readNumber(answer, question.unit), question)
    case 'text': {
      const given = typeof answer === 'string' ? foldText(answer) : ''
      return given !== '' && question.accepted.some((accepted) => foldText(accepted) === given)
    }
  }
}

/** @returns points and how many there were to get: one a question. */
export function judgePaper(paper: readonly DrawnQuestion[], answers: ReadonlyMap<string, ExamAnswer>) {
  const right = paper.filter((drawn) => isRight(drawn, answers.get(drawn.question.id) ?? null))
  return { score: right.length, maxScore: paper.length }
}

/** The right answer as a learner would give it: places of what is shown, or text. */
export function rightAnswerOf({ question, order }: DrawnQuestion): ExamAnswer {
  const shown = shownQuestion({ question, order }).options
  const placeOf = (option: string) => shown.indexOf(option)
  if (question.type === 'single') return placeOf(question.answer)
  if (question.type === 'multiple') return question.answers.map(placeOf).toSorted((a, b) => a - b)
  if (question.type === 'ordering') return question.items.map(placeOf)
  return question.type === 'numeric' ? String(question.answer) : (question.accepted[0] ?? '')
}

/** Compared in whole points, so that nothing is rounded up. */
export function isPassed({ score, maxScore }: { score: number; maxScore: number }, passPercent: number): boolean {
  return score * 100 >= maxScore * passPercent
}

/** Fewest points that pass. */
export function pointsToPass(maxScore: number, passPercent: number): number {
  return Math.ceil((maxScore * passPercent) / 100)
}

/** Equal for texts that differ only in case, in the width of spaces and letters, or in spaces around them. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim()
}

/**
 * Reads a number as people type it: spaces, a true minus, thousands separators, a decimal comma, the unit behind it.
 * '1,234' is one thousand two hundred and thirty-four, as on every page of the product; '3,5' is three and a half.
 *
 * @returns null if it is no number.
 */
export function readNumber(text: string, unit?: string): number | null {
  let digits = foldText(text).replaceAll('−', '-')
  const foldedUnit = unit ? foldText(unit) : ''
  if (foldedUnit && digits.endsWith(foldedUnit)) digits = digits.slice(0, -foldedUnit.length)
  digits = digits.replace(/[\s'_]/g, '')
  if (/^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits)) digits = digits.replaceAll(',', '')
  else if (/^[+-]?\d*,\d+$/.test(digits)) digits = digits.replace(',', '.')
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/.test(digits)) return null
  const value = Number(digits)
  return Number.isFinite(value) ? value : null
}

type NumericQuestion = Extract<ExamQuestion, { type: 'numeric' }>

/** Inclusive; 0.1 + 0.2 counts as 0.3. */
function isWithinTolerance(value: number | null, { answer, tolerance }: NumericQuestion): boolean {
  if (value === null) return false
  const rounding = Number.EPSILON * 8 * Math.max(Math.abs(value), Math.abs(answer))
  return Math.abs(value - answer) <= tolerance + rounding
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index])
}

function sameSet(a: readonly unknown[], b: readonly unknown[]): boolean {
  return new Set(a).size === new Set(b).size && a.every((item) => b.includes(item))
}
