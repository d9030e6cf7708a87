import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import type { Sql } from 'postgres'
import { StartError } from '../env.server'
import { productFolder } from '../product-folder.server'
import { lockForStart } from './start-lock.server'

export const migrationsFolder = path.join(productFolder, 'app/server/database/migrations')

type Queries = Pick<PostgresJsDatabase, 'execute'>

/**
 * Brings the tables up to date, in one transaction. Several processes may start at once: one migrates, the others wait.
 *
 * @throws {StartError} if a newer version of the product has changed them already.
 */
export async function migrateDatabase(client: Sql): Promise<void> {
  await client.begin(async (transaction) => {
    // The migrator begins a transaction of its own, which is a part of this one.
    const inside = Object.assign(transaction, { begin: transaction.savepoint, options: client.options })
    const database = drizzle(inside as unknown as Sql)
    await lockForStart(database, 'tables')
    await refuseNewerTables(database)
    await migrate(database, { migrationsFolder }).catch(refuseForeignTables)
  })
}

/** Says in a sentence that a table, a type or a schema of the migrations is there already. */
function refuseForeignTables(error: Error & { code?: string; cause?: unknown }): never {
  const { code, message } = (error.cause instanceof Error ? error.cause : error) as typeof error
  if (!['42P07', '42710', '42P06', '42723'].includes(code ?? '')) throw error
  throw new StartError(
    `This database has tables that this version of Learnify didn’t create (${message}). They belong to another program or an unreleased version. Use an empty database or a separate DATA_DIR.`,
  )
}

/** @throws {StartError} unless the tables are exactly what this version of the product makes of them. */
export async function requireCurrentTables(database: Queries, place: string): Promise<void> {
  const newest = await findNewestMigration(database)
  if (newest === null) throw new StartError(`${place} isn’t set up for Learnify yet. Start the product with it first.`)
  await refuseNewerTables(database)
  if (newest < ownNewestMigration()) {
    throw new StartError(`${place} was made by an older version of Learnify. Start the product with it first.`)
  }
}

async function refuseNewerTables(database: Queries): Promise<void> {
  const newest = await findNewestMigration(database)
  if (newest === null || newest <= ownNewestMigration()) return
  throw new StartError(
    'A newer version of Learnify has changed this database’s tables. Start that version, or restore a backup.',
  )
}

async function findNewestMigration(database: Queries): Promise<number | null> {
  const [there] = await database.execute<{ there: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  )
  if (!there?.there) return null
  const [row] = await database.execute<{ newest: string | null }>(
    sql`select max(created_at)::text as newest from drizzle.__drizzle_migrations`,
  )
  return row?.newest ? Number(row.newest) : null
}

function ownNewestMigration(): number {
  const journal = path.join(migrationsFolder, 'meta/_journal.json')
  if (!existsSync(journal)) throw new StartError(`${journal} is missing, so this copy of Learnify is incomplete.`)
  const { entries }: { entries: { when: number }[] } = JSON.parse(readFileSync(journal, 'utf8'))
  return Math.max(...entries.map(({ when }) => when))
}
