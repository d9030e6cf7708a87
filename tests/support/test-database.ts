import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { connect, type Database } from '~/server/database/client.server'
import { openDatabases } from './open-databases'
import { databaseUrl, templateDatabase } from './start-test-postgres'

/**
 * A real database of one's own, with every table and the tests' content; dropped after the test
 * file.
 */
export async function createTestDatabase(): Promise<{ db: Database; url: string }> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const server = inject('databaseUrl')
  const admin = connect(server, { poolSize: 1 })
  await admin.pool.query(`create database ${name} template ${templateDatabase}`)
  const url = databaseUrl(server, name)
  const { database, pool } = connect(url)
  openDatabases.push({
    async end() {
      await pool.end()
      await admin.pool.query(`drop database if exists ${name} with (force)`)
      await admin.pool.end()
    },
  })

  return { db: database, url }
}
