import path from 'node:path'
import { connect, type Database } from '~/server/database/client.server'
import { startEmbeddedPostgres } from '~/server/database/embedded-postgres.server'

/** The database of the product that the journeys visit, beside the product; for what would take a browser too long. */
export async function withProductDatabase<Result>(use: (db: Database) => Promise<Result>): Promise<Result> {
  const server = await startEmbeddedPostgres({ folder: path.join(process.env.E2E_DATA_DIR ?? '', 'database') })
  const { database, client } = connect(server.url, { poolSize: 1 })
  try {
    return await use(database)
  } finally {
    await client.end({ timeout: 1 })
    await server.stop()
  }
}
