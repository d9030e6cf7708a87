import type { SQL } from 'drizzle-orm'
import { PgDialect, type PreparedQueryConfig } from 'drizzle-orm/pg-core'
import type { Database } from './client.server'
import { isUnknownStatement } from './postgres-question'

type Statement<Result> = { execute(values?: Record<string, unknown>): Promise<Result> }
type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

const dialect = new PgDialect()

/**
 * Runs a frequent statement as a prepared one: one round trip, and planned once a connection. Drizzle's own `execute`
 * prepares nothing, so that PostgreSQL describes and plans the statement every time.
 */
export function executePrepared<Row>(database: Database, query: SQL): Promise<Row[]> {
  return againIfUnknown(() => run<Row>(database, query))
}

/** The same with a query of Drizzle's builder, whose text must be one of few. */
export function prepared<Result>(query: { prepare(name: string): { execute(): Promise<Result> } }): Promise<Result> {
  return againIfUnknown(() => query.prepare('prepared').execute())
}

/** The same, put together once a database: what changes from call to call are placeholders. */
export function preparedOnce<Result>(
  build: (database: Database) => { prepare(name: string): Statement<Result> },
): (database: Database, values?: Record<string, unknown>) => Promise<Result> {
  // The session of a transaction is its own, so that no statement is kept beyond it.
  const statements = new WeakMap<object, Statement<Result>>()
  return (database, values) =>
    againIfUnknown(() => {
      const { session } = database._
      const statement = statements.get(session) ?? build(database).prepare('prepared')
      statements.set(session, statement)
      return statement.execute(values)
    })
}

/** The same as a part of a `preparedTransaction`. */
export function executePreparedIn<Row>(transaction: Transaction, query: SQL): Promise<Row[]> {
  return run<Row>(transaction, query)
}

/** @param work may be called twice, and then the first time changed nothing. */
export function preparedTransaction<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return againIfUnknown(() => database.transaction(work))
}

function run<Row>({ _: { session } }: Pick<Database, '_'>, query: SQL): Promise<Row[]> {
  // Any name prepares: postgres.js knows statements by their text.
  const prepared = session.prepareQuery<PreparedQueryConfig & { execute: Row[] }>(
    dialect.sqlToQuery(query),
    undefined,
    'prepared',
    false,
  )
  return prepared.execute()
}

/** A statement that is unknown has not run, and the pool prepares no more. */
function againIfUnknown<Result>(ask: () => Promise<Result>): Promise<Result> {
  return ask().catch((error) => {
    if (isUnknownStatement(error.cause ?? error)) return ask()
    throw error
  })
}
