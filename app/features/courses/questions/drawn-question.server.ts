/**
 * The questions of one attempt. They are drawn once and stored with the attempt, so that a later
 * change of exam.yaml does not change an attempt that has begun.
 */

import { listPositions } from './kinds/positions'
import type { DisplayedQuestion, LearnerAnswer } from './question-kind'
import { type QuestionWithType, questionKinds } from './question-kinds'
import { type ExamQuestion, getServerQuestionKind } from './question-kinds.server'
import { addUnit } from './typed-number'

/**
 * A question with the order of its options: `order[position]` is the index in exam.yaml of the
 * option that the learner sees at `position`.
 */
export type DrawnQuestion = { question: ExamQuestion; order: readonly number[] }

/**
 * Returns a random whole number from 0 to below `limit`, each equally likely. The product uses
 * `crypto.randomInt`.
 */
export type RandomBelow = (limit: number) => number

/**
 * Draws the questions of an attempt.
 *
 * @param count the number of questions; a smaller pool is drawn as a whole
 */
export function drawQuestions(
  pool: readonly ExamQuestion[],
  count: number,
  randomBelow: RandomBelow,
): DrawnQuestion[] {
  return shuffle(pool, randomBelow)
    .slice(0, count)
    .map((question) => ({ question, order: drawOrder(question, randomBelow) }))
}

function drawOrder(question: ExamQuestion, randomBelow: RandomBelow): number[] {
  const order = shuffle([...listOptions(question).keys()], randomBelow)
  const isFileOrder = order.every((optionIndex, position) => optionIndex === position)

  // A learner who changes nothing has not answered, so the question must not start solved.
  if (isFileOrder && questionKinds[question.type].isAnsweredByOrder) {
    return [...order.slice(1), ...order.slice(0, 1)]
  }

  return order
}

/** Returns the same items in random order (Fisher–Yates) and leaves the given list as it is. */
export function shuffle<Item>(items: readonly Item[], randomBelow: RandomBelow): Item[] {
  const remaining = [...items]
  const shuffled: Item[] = []
  while (remaining.length > 0) {
    shuffled.push(...remaining.splice(randomBelow(remaining.length), 1))
  }

  return shuffled
}

/** Returns the options in the order of exam.yaml. */
export function listOptions(question: ExamQuestion): readonly string[] {
  return getServerQuestionKind(question).listOptions(question)
}

/** Returns the question without everything that tells or hints at the correct answer. */
export function displayQuestion({ question, order }: DrawnQuestion): QuestionWithType {
  const options = listOptions(question)
  return {
    type: question.type,
    prompt: question.prompt,
    options: order.map((optionIndex) => options[optionIndex] ?? ''),
    unit: getServerQuestionKind(question).getUnit(question),
  }
}

/** A question is correct or incorrect as a whole. A missing answer is incorrect. */
export function isAnswerCorrect(drawn: DrawnQuestion, answer: LearnerAnswer): boolean {
  if (answer === null) {
    return false
  }

  const { question } = drawn
  const { options } = displayQuestion(drawn)
  return getServerQuestionKind(question).isCorrect(question, answer, options)
}

/** Returns the correct answer in the form of a learner's answer. */
export function getCorrectAnswer(drawn: DrawnQuestion): LearnerAnswer {
  const { question } = drawn
  const { options } = displayQuestion(drawn)
  return getServerQuestionKind(question).getCorrectAnswer(question, options)
}

/** Returns the score of an attempt: one point for each correct question. */
export function scoreAnswers(
  drawnQuestions: readonly DrawnQuestion[],
  answersByQuestionId: ReadonlyMap<string, LearnerAnswer>,
): { score: number; maxScore: number } {
  const correctQuestions = drawnQuestions.filter((drawn) =>
    isAnswerCorrect(drawn, answersByQuestionId.get(drawn.question.id) ?? null),
  )
  return { score: correctQuestions.length, maxScore: drawnQuestions.length }
}

/** Returns an answer as text: the chosen options as the learner saw them, or the typed text. */
export function describeAnswer(
  { options, unit }: Pick<DisplayedQuestion, 'options' | 'unit'>,
  answer: LearnerAnswer,
): string[] {
  if (typeof answer === 'string') {
    return [addUnit(answer, unit)]
  }

  return listPositions(answer).map((position) => options[position] ?? '')
}
