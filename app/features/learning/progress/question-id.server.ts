import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'

/**
 * Returns the id of a quiz question: the first 12 hexadecimal digits of the SHA-256 of its text.
 * An answer therefore still counts after the questions were put into another order.
 */
export function questionId(question: string): string {
  return createHash('sha256').update(question).digest('hex').slice(0, 12)
}

/**
 * Returns the id under which an exam question is practiced. The question's own id in the exam is
 * not sent to the browser, because it may hint at the answer.
 */
export function examQuestionId(id: string): string {
  return questionId(`exam:${id}`)
}

/** Returns an SQL expression for `questionId` of a text in the database. */
export function questionIdSql(question: SQL): SQL<string> {
  return sql`left(encode(sha256(convert_to(${question}, 'UTF8')), 'hex'), 12)`
}
