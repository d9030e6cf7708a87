import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { contentHooks } from '~/content-hooks.server'
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
 * Tests need no durability, for which PostgreSQL's documentation recommends the first three
 * settings. Autovacuum would keep a test's database from being dropped by force.
 */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
}

/**
 * Starts one real PostgreSQL for the whole test run. It has a template database with every table
 * and the tests' content, which each test file clones.
 */
export default async function setup(project: TestProject) {
  // Vitest calls this once for each project. The values are provided to all projects at once.
  if (!project.isRootProject()) {
    return
  }

  // The tests' variables are not in this process's environment.
  const { DATA_DIR, CONTENT_DIR } = project.config.env
  if (!DATA_DIR || !CONTENT_DIR) {
    throw new Error('vitest.config.ts sets DATA_DIR and CONTENT_DIR.')
  }

  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-database-'))
  const server = await startEmbeddedPostgres({ folder: path.join(folder, 'database'), settings })
  const stop = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
    await rm(DATA_DIR, { recursive: true, force: true })
  }

  try {
    await createTemplate(server.url, CONTENT_DIR)
  } catch (error) {
    await stop()
    throw error
  }

  project.provide('databaseUrl', server.url)

  return stop
}

async function createTemplate(serverUrl: string, contentFolder: string): Promise<void> {
  const admin = connect(serverUrl)
  await admin.pool.query(`create database ${templateDatabase}`)
  await admin.pool.end()
  const url = databaseUrl(serverUrl, templateDatabase)
  await migrateDatabase(url)
  const template = connect(url)
  try {
    const load = await loadContent(template.database, contentFolder, contentHooks)
    if (load.status !== 'loaded' || load.problems.length > 0) {
      throw new Error(load.problems.join('\n'))
    }
  } finally {
    await template.pool.end()
  }
}

/** Returns the URL of a database on the server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}
