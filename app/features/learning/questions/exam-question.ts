/**
 * A question as the content has it, right answers included: never sent to a browser before the
 * attempt is handed in.
 */
export type ExamQuestion = {
  id: string
  prompt: string
  explanation: string
  explainedIn?: string | undefined
} & (
  | { type: 'single'; options: string[]; answer: string }
  | { type: 'multiple'; options: string[]; answers: string[] }
  /** `items` stand in the right order. */
  | { type: 'ordering'; items: string[] }
  | { type: 'numeric'; answer: number; tolerance: number; unit?: string }
  | { type: 'text'; accepted: string[] }
)

/**
 * A learner's answer. Places of options as the learner saw them: one for `single`, ascending for
 * `multiple`, all of them in the chosen order for `ordering`. Text as typed for `numeric` and
 * `text`. Null: not answered.
 */
export type ExamAnswer = number | readonly number[] | string | null

/**
 * A question of one attempt: `order[shown]` is the place in the content of the option that the
 * learner sees at `shown`.
 */
export type DrawnQuestion = { question: ExamQuestion; order: readonly number[] }

/**
 * The browser's view of a question while the attempt is open. It has no id, because authors' ids
 * often hint at the answer. The browser refers to it by its number in the attempt, from 1.
 */
export type ShownQuestion = {
  type: ExamQuestion['type']
  prompt: string
  /** In the order of this attempt; empty for `numeric` and `text`. */
  options: readonly string[]
  /** Only for `numeric`. */
  unit: string | null
}

/** Options as the content lists them; for `ordering` that is the right order. */
export function optionsOf(question: ExamQuestion): readonly string[] {
  if (question.type === 'ordering') {
    return question.items
  }

  return 'options' in question ? question.options : []
}

/** Leaves out everything that tells or hints at the right answer. */
export function shownQuestion({ question, order }: DrawnQuestion): ShownQuestion {
  const options = optionsOf(question)
  return {
    type: question.type,
    prompt: question.prompt,
    options: order.map((place) => options[place] ?? ''),
    unit: question.type === 'numeric' ? (question.unit ?? null) : null,
  }
}

/**
 * @returns a whole number from 0 to below `limit`, each equally likely; `crypto.randomInt` in the
 * product.
 */
export type RandomBelow = (limit: number) => number

/**
 * @returns the same items in random order (Fisher and Yates), leaving the given ones as they are.
 */
export function shuffled<Item>(items: readonly Item[], randomBelow: RandomBelow): Item[] {
  const left = [...items]
  const result: Item[] = []
  while (left.length > 0) {
    result.push(...left.splice(randomBelow(left.length), 1))
  }

  return result
}

/**
 * The questions of one attempt, with the order of their options; drawn once and stored with the
 * attempt.
 *
 * @param count how many of the pool; all of them if the pool is smaller.
 */
export function drawQuestions(
  pool: readonly ExamQuestion[],
  count: number,
  randomBelow: RandomBelow,
): DrawnQuestion[] {
  return shuffled(pool, randomBelow)
    .slice(0, count)
    .map((question) => ({ question, order: drawOrder(question, randomBelow) }))
}

/**
 * An ordering question never starts in the correct order, because doing nothing is not an answer.
 */
function drawOrder(question: ExamQuestion, randomBelow: RandomBelow): number[] {
  const order = shuffled([...optionsOf(question).keys()], randomBelow)
  const startsRight = question.type === 'ordering' && order.every((place, index) => place === index)
  return startsRight ? [...order.slice(1), ...order.slice(0, 1)] : order
}

const longestTyped = 200

/**
 * Checks an answer that came from outside.
 *
 * @returns the answer in its one form (see `ExamAnswer`), null for 'not answered', or undefined if
 * it cannot be an answer
 *   to this question.
 */
export function readAnswer(
  { type, options }: Pick<ShownQuestion, 'type' | 'options'>,
  value: unknown,
): ExamAnswer | undefined {
  if (value === null || value === '') {
    return null
  }

  if (type === 'numeric' || type === 'text') {
    return readTyped(value)
  }

  if (type === 'single') {
    return isPlace(value, options.length) ? value : undefined
  }

  if (!Array.isArray(value)) {
    return undefined
  }

  if (
    !value.every((place) => isPlace(place, options.length)) ||
    new Set(value).size !== value.length
  ) {
    return undefined
  }

  const places: number[] = value
  if (places.length === 0) {
    return null
  }

  if (type === 'multiple') {
    return places.toSorted((a, b) => a - b)
  }

  return places.length === options.length ? places : undefined
}

function isPlace(value: unknown, count: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < count
}

function readTyped(value: unknown): string | null | undefined {
  if (
    typeof value !== 'string' ||
    value.length > longestTyped ||
    value.includes('\0') ||
    /\p{Surrogate}/u.test(value)
  ) {
    return undefined
  }

  return value.trim() === '' ? null : value
}
