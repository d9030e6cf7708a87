import {
  type DrawnQuestion,
  type ExamAnswer,
  type ExamQuestion,
  optionsOf,
  shownQuestion,
} from './exam-question'
import { isAcceptedText, readNumbers } from './typed-answer'

/**
 * A question is correct or incorrect as a whole and worth one point. A missing answer is incorrect.
 */
export function isRight({ question, order }: DrawnQuestion, answer: ExamAnswer): boolean {
  if (answer === null) {
    return false
  }

  const chosen = (places: readonly number[]) =>
    places.map((place) => optionsOf(question)[order[place] ?? -1])
  switch (question.type) {
    case 'single':
      return typeof answer === 'number' && chosen([answer])[0] === question.answer
    case 'multiple':
      return Array.isArray(answer) && sameSet(chosen(answer), question.answers)
    case 'ordering':
      return Array.isArray(answer) && sameList(chosen(answer), question.items)
    case 'numeric':
      return (
        typeof answer === 'string' &&
        readNumbers(answer, question.unit).some((value) => isWithinTolerance(value, question))
      )
    case 'text':
      return typeof answer === 'string' && isAcceptedText(answer, question.accepted)
  }
}

/** @returns the answers by the question's id in the content. */
export function answersByQuestion(answers: readonly { questionId: string; answer: ExamAnswer }[]) {
  return new Map(answers.map(({ questionId, answer }) => [questionId, answer]))
}

/** @returns points and how many there were to get: one a question. */
export function judgePaper(
  paper: readonly DrawnQuestion[],
  answers: ReadonlyMap<string, ExamAnswer>,
) {
  const right = paper.filter((drawn) => isRight(drawn, answers.get(drawn.question.id) ?? null))
  return { score: right.length, maxScore: paper.length }
}

/** The right answer in the form of a learner's: places of the shown options, or text. */
export function rightAnswerOf({ question, order }: DrawnQuestion): ExamAnswer {
  const shown = shownQuestion({ question, order }).options
  const indexOf = (option: string) => shown.indexOf(option)
  if (question.type === 'single') {
    return indexOf(question.answer)
  }

  if (question.type === 'multiple') {
    return question.answers.map(indexOf).toSorted((a, b) => a - b)
  }

  if (question.type === 'ordering') {
    return question.items.map(indexOf)
  }

  return question.type === 'numeric' ? String(question.answer) : (question.accepted[0] ?? '')
}

/** Compared in whole points, so that nothing is rounded up. */
export function isPassed(
  { score, maxScore }: { score: number; maxScore: number },
  passPercent: number,
): boolean {
  return score * 100 >= maxScore * passPercent
}

/** The minimum number of points to pass. */
export function pointsToPass(maxScore: number, passPercent: number): number {
  return Math.ceil((maxScore * passPercent) / 100)
}

type NumericQuestion = Extract<ExamQuestion, { type: 'numeric' }>

/** Inclusive; 0.1 + 0.2 counts as 0.3. */
function isWithinTolerance(value: number, { answer, tolerance }: NumericQuestion): boolean {
  const rounding = Number.EPSILON * 8 * Math.max(Math.abs(value), Math.abs(answer))
  return Math.abs(value - answer) <= tolerance + rounding
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index])
}

function sameSet(a: readonly unknown[], b: readonly unknown[]): boolean {
  return new Set(a).size === new Set(b).size && a.every((item) => b.includes(item))
}
