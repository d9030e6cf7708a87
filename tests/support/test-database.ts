import { randomBytes } from 'node:crypto'
import { inject, vi } from 'vitest'
import { connect, type Database } from '~/server/database/client.server'
import { openDatabases } from './open-databases'
import { databaseUrl, templateDatabase } from './start-test-postgres'

type TestDatabase = {
  db: Database
  url: string
  /** Drops the database. A test file with many databases drops each one after its test. */
  end(): Promise<void>
}

/**
 * Creates a real database with every table and the tests' content. It is dropped after the test
 * file at the latest.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const server = inject('databaseUrl')
  // Generous limits, so that a test does not fail on a busy machine.
  const timeoutMs = 60_000
  const admin = connect(server, { poolSize: 1, timeoutMs })
  // Copying the files takes half as long as copying through PostgreSQL's log.
  await admin.pool.query(`create database ${name} template ${templateDatabase} strategy file_copy`)
  const url = databaseUrl(server, name)
  const { database, pool } = connect(url, { timeoutMs })

  let isEnded = false
  const end = async () => {
    if (isEnded) {
      return
    }

    isEnded = true
    await pool.end()
    await admin.pool.query(`drop database if exists ${name} with (force)`)
    await admin.pool.end()
  }
  openDatabases.push({ end })

  return { db: database, url, end }
}

/** Waits until a query of the database waits for a lock that another transaction holds. */
export async function waitUntilQueryIsBlocked(db: Database): Promise<void> {
  const isQueryBlocked = async () => {
    const { rows } = await db.execute(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
    return rows.length > 0
  }

  await vi.waitUntil(isQueryBlocked, { timeout: 60_000 })
}
