import type { ExamAnswer, ShownQuestion } from './exam-question'

const longestTyped = 200

/**
 * Checks an answer that came from outside.
 *
 * @returns the answer in its one form (see `ExamAnswer`), null for 'not answered', or undefined if it cannot be an answer
 *   to this question.
 */
export function readAnswer(
  { type, options }: Pick<ShownQuestion, 'type' | 'options'>,
  value: unknown,
): ExamAnswer | undefined {
  if (value === null || value === '') return null
  if (type === 'numeric' || type === 'text') return readTyped(value)
  if (type === 'single') return isPlace(value, options.length) ? value : undefined
  if (!Array.isArray(value)) return undefined
  if (!value.every((place) => isPlace(place, options.length)) || new Set(value).size !== value.length) return undefined
  const places: number[] = value
  if (places.length === 0) return null
  if (type === 'multiple') return places.toSorted((a, b) => a - b)
  return places.length === options.length ? places : undefined
}

function isPlace(value: unknown, count: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < count
}

function readTyped(value: unknown): string | null | undefined {
  if (typeof value !== 'string' || value.length > longestTyped || value.includes('\0') || /\p{Surrogate}/u.test(value))
    return undefined
  return value.trim() === '' ? null : value
}
