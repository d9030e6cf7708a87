import type { Sql, TransactionSql } from 'postgres'
import { listTables, type Query, quoted, type StoredTable } from './stored-tables.server'

/** Reads all tables as of one moment, which the first question of `read` fixes. */
export async function readSnapshot<Result>(
  sql: Sql,
  read: (snapshot: TransactionSql) => Promise<Result>,
): Promise<Result> {
  const held = await listTables(sql)
  // postgres.js takes results apart that are lists of promises; nobody here gives one.
  return (await sql.begin('isolation level repeatable read read only', async (snapshot) => {
    await settleFormat(snapshot)
    await holdTables(snapshot, held)
    return read(snapshot)
  })) as Result
}

/**
 * Holds tables as they are until the transaction ends. Before its first question: the rows of a table that was rewritten after
 * its moment would be missing, as PostgreSQL says of `ALTER TABLE`.
 */
async function holdTables(transaction: Query, tables: readonly StoredTable[]): Promise<void> {
  const names = tables.map(({ name }) => `public.${quoted(name)}`)
  if (names.length > 0) await transaction.unsafe(`lock table ${names.join(', ')} in access share mode`)
}

/** Rows look the same from every PostgreSQL, whatever its settings are. */
const settings = `
  set local timezone = 'UTC';
  set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres';
  set local extra_float_digits = 1;
  set local bytea_output = 'hex';
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0`

export async function settleFormat(sql: Query): Promise<void> {
  await sql.unsafe(settings)
}
