import { type DrawnQuestion, type ExamQuestion, optionsOf } from './exam-question'

/** @returns a whole number from 0 to below `limit`, each equally likely; `crypto.randomInt` in the product. */
export type RandomBelow = (limit: number) => number

/** @returns the same items in random order (Fisher and Yates), leaving the given ones as they are. */
export function shuffled<Item>(items: readonly Item[], randomBelow: RandomBelow): Item[] {
  const left = [...items]
  const result: Item[] = []
  while (left.length > 0) result.push(...left.splice(randomBelow(left.length), 1))
  return result
}

/**
 * The questions of one attempt, with the order of their options; drawn once and kept with the attempt.
 *
 * @param count how many of the pool; all of them if the pool is smaller.
 */
export function drawQuestions(pool: readonly ExamQuestion[], count: number, randomBelow: RandomBelow): DrawnQuestion[] {
  return shuffled(pool, randomBelow)
    .slice(0, count)
    .map((question) => ({ question, order: drawOrder(question, randomBelow) }))
}

/** An ordering question never starts in the correct order, because doing nothing is not an answer. */
function drawOrder(question: ExamQuestion, randomBelow: RandomBelow): number[] {
  const order = shuffled([...optionsOf(question).keys()], randomBelow)
  const startsRight = question.type === 'ordering' && order.every((place, index) => place === index)
  return startsRight ? [...order.slice(1), ...order.slice(0, 1)] : order
}
