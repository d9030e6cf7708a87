import { createHash } from 'node:crypto'

/**
 * The id of a quiz question: the first 12 hexadecimal digits of its text's SHA-256, so that an answer still counts after
 * the operator changed the order.
 */
export function questionId(question: string): string {
  return createHash('sha256').update(question).digest('hex').slice(0, 12)
}
