import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'

/**
 * The id of a quiz question: the first 12 hexadecimal digits of its text's SHA-256, so that an
 * answer still counts after the operator changed the order.
 */
export function questionId(question: string): string {
  return createHash('sha256').update(question).digest('hex').slice(0, 12)
}

/**
 * The id by which a question of the exam's pool is practiced. The pool's own id may hint at the
 * answer.
 */
export function examQuestionId(id: string): string {
  return questionId(`exam:${id}`)
}

/** `questionId` of a text in the database; a test compares them. */
export function questionIdSql(question: SQL): SQL<string> {
  return sql`left(encode(sha256(convert_to(${question}, 'UTF8')), 'hex'), 12)`
}
