import path from 'node:path'
import { connect, type Database } from '~/server/database/client.server'
import { startEmbeddedPostgres } from '~/server/database/embedded-postgres.server'

/**
 * Runs a function on the database of the product under test, for steps that take too long in a
 * browser.
 *
 * @param dataDir the data folder of a product that the test has started itself
 */
export async function withProductDatabase<Result>(
  use: (db: Database) => Promise<Result>,
  dataDir?: string,
): Promise<Result> {
  const { E2E_DATABASE_URL, E2E_DATA_DIR = '' } = process.env
  if (E2E_DATABASE_URL && !dataDir) {
    return withDatabase(E2E_DATABASE_URL, use)
  }

  const server = await startEmbeddedPostgres({
    folder: path.join(dataDir ?? E2E_DATA_DIR, 'database'),
  })
  try {
    return await withDatabase(server.url, use)
  } finally {
    await server.stop()
  }
}

async function withDatabase<Result>(
  url: string,
  use: (db: Database) => Promise<Result>,
): Promise<Result> {
  const { database, pool } = connect(url, { poolSize: 1 })
  try {
    return await use(database)
  } finally {
    await pool.end()
  }
}
