import { parseSync } from 'libpg-query'
import { StatementReader } from './statement-reader'
import type { Relations } from './statement-scope'

/**
 * Finds the places of a statement where rows of one learner may meet rows of another one: it joins two relations of
 * learners, or puts one into a part of the other, and doesn't say that the learner is the same.
 *
 * @param values of its parameters: two parameters with the same value are the same learner.
 * @returns a sentence for each; none if the statement can be answered by machines that each hold some learners.
 */
export function listJoinedLearners(statement: string, values: readonly unknown[], relations: Relations): string[] {
  const reader = new StatementReader(relations, values)
  for (const { stmt } of parseSync(statement).stmts ?? []) if (stmt) reader.read(stmt, null)
  return reader.found
}
