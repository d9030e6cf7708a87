import type { TransactionSql } from './postgres-question'
import type { QueryTurn } from './query-clock.server'

/** A transaction that knows whether its connection was lost. */
export type LosableTransaction = { lost: boolean; whenLost: Promise<never>; lose(): void; turn: QueryTurn }

export function newTransaction(turn: QueryTurn): LosableTransaction {
  let lose = () => {}
  const whenLost = new Promise<never>((_, reject) => {
    lose = () => {
      transaction.lost = true
      reject(Object.assign(new Error('The connection was lost in a transaction.'), { code: 'CONNECTION_CLOSED' }))
    }
  })
  whenLost.catch(() => {})
  const transaction: LosableTransaction = { lost: false, whenLost, lose: () => lose(), turn }
  return transaction
}

/**
 * After the connection is lost nothing more may be sent, not even the rollback: whoever has the connection by then would
 * get it. postgres.js has told the caller already, so that here nothing is ever settled.
 */
export async function runInside(
  transaction: LosableTransaction,
  sql: TransactionSql,
  work: (sql: TransactionSql) => Promise<unknown>,
): Promise<unknown> {
  const { unsafe, savepoint } = sql
  sql.unsafe = (text, values, options) => {
    const question = unsafe(text, values, options)
    const { handler } = question
    question.handler = (self) => {
      if (transaction.lost) transaction.whenLost.catch((error) => self.reject(error))
      else handler(self)
    }
    return question
  }
  sql.savepoint = (inner) =>
    Promise.race([savepoint((innerSql) => runInside(transaction, innerSql, inner)), transaction.whenLost])
  try {
    return await work(sql)
  } finally {
    if (transaction.lost) await new Promise(() => {})
  }
}
