import path from 'node:path'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import type { Sql } from 'postgres'

export const migrationsFolder = path.resolve('app/server/database/migrations')

/** Any number; every process of the product agrees on it. */
const migrationLock = 7_301_001

/** Brings the tables up to date. Several processes may start at once: one migrates, the others wait for it. */
export async function migrateDatabase(client: Sql): Promise<void> {
  const connection = await client.reserve()
  try {
    await connection`select pg_advisory_lock(${migrationLock})`
    await migrate(drizzle(client), { migrationsFolder })
  } finally {
    await connection`select pg_advisory_unlock(${migrationLock})`
    connection.release()
  }
}
