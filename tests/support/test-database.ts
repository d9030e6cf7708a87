import { randomBytes } from 'node:crypto'
import { loadModule } from 'libpg-query'
import type { Sql } from 'postgres'
import { inject } from 'vitest'
import { connect, type Database } from '~/server/database/client.server'
import { listJoinedLearners } from './joined-learners'
import { readRelations } from './learner-relations'
import { openDatabases } from './open-databases'
import { templateDatabase, urlOf } from './start-test-server'

/**
 * A real database of one's own, with every table and the tests' content; dropped after the test file. The file fails if one
 * of its statements joins learners: docs/scale.md.
 */
export async function testDatabase(): Promise<{ db: Database; url: string }> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const server = inject('databaseUrl')
  const admin = connect(server, { poolSize: 2 })
  await admin.client.unsafe(`create database ${name} template ${templateDatabase}`)
  const url = urlOf(server, name)
  const statements = new Map<string, unknown[]>()
  const { database, client } = connect(url, { logger: { logQuery: (text, values) => statements.set(text, values) } })
  openDatabases.push({
    async end() {
      const joined = await findJoinedLearners(client, statements)
      await client.end({ timeout: 1 })
      await admin.client.unsafe(`drop database if exists ${name} with (force)`)
      await admin.client.end({ timeout: 1 })
      if (joined.length > 0) throw new Error(`Statements join learners:\n${joined.join('\n')}`)
    },
  })
  return { db: database, url }
}

async function findJoinedLearners(client: Sql, statements: ReadonlyMap<string, unknown[]>): Promise<string[]> {
  const relations = await readRelations(client)
  const names = [...relations].filter(([, { learner }]) => learner).map(([name]) => name)
  const mention = new RegExp(`\\b(${names.join('|')})\\b`, 'g')
  await loadModule()
  return [...statements]
    .filter(([text]) => (text.match(mention)?.length ?? 0) > 1)
    .flatMap(([text, values]) => listJoinedLearners(text, values, relations).map((found) => `${found}\n${text}`))
}
