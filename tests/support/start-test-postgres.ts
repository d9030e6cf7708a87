import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { contentFeatures } from '~/content-features.server'
import { connect } from '~/server/database/client.server'
import { startEmbeddedPostgres } from '~/server/database/embedded-postgres.server'
import { migrateDatabase } from '~/server/database/migrate.server'
import { loadContent } from '../../app/features/courses/content/content-loader.server'

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string
  }
}

export const templateDatabase = 'learnify_template'

/**
 * Durability is not needed here. Autovacuum would prevent a test's database from being dropped by
 * force.
 */
const settings = { fsync: 'off', autovacuum: 'off' }

/**
 * One real PostgreSQL for the whole run, with a template that has every table and the tests'
 * content; each test file clones it.
 */
export default async function setup(project: TestProject) {
  // Other test processes read the provided values.
  if (!project.isRootProject()) {
    return
  }

  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-database-'))
  const server = await startEmbeddedPostgres({ folder: path.join(folder, 'database'), settings })
  const stop = async () => {
    await server.stop()
    for (const left of [folder, project.config.env.DATA_DIR ?? folder]) {
      await rm(left, { recursive: true, force: true })
    }
  }

  try {
    // This process has not the variables of the tests.
    await makeTemplate(server.url, project.config.env.CONTENT_DIR)
  } catch (error) {
    await stop()
    throw error
  }

  project.provide('databaseUrl', server.url)

  return stop
}

async function makeTemplate(serverUrl: string, content = ''): Promise<void> {
  const admin = connect(serverUrl)
  await admin.pool.query(`create database ${templateDatabase}`)
  await admin.pool.end()
  const url = databaseUrl(serverUrl, templateDatabase)
  await migrateDatabase(url)
  const template = connect(url)
  try {
    await loadContent(template.database, content, contentFeatures)
  } finally {
    await template.pool.end()
  }
}

export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}
