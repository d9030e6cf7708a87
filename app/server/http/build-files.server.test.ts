import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase } from '../../../tests/support/test-database'
import { findBuildFile, storeBuildFiles } from './build-files.server'

const { db } = await createTestDatabase()
const day = (number: number) => new Date(Date.UTC(2026, 0, number))
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-build-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Stores a build with one file, which was started on this day. */
async function startBuild(name: string, on: Date) {
  const build = await mkdtemp(path.join(folder, 'build-'))
  await writeFile(path.join(build, name), `console.log('${name}')`)
  await writeFile(path.join(build, `${name}.br`), 'compressed')
  await storeBuildFiles(db, build, on)
}

it('a process finds the files of another build, and no other file', async () => {
  await startBuild('page-11111111.js', day(1))
  await startBuild('page-22222222.js', day(2))
  expect((await findBuildFile(db, 'page-11111111.js'))?.toString()).toBe(
    "console.log('page-11111111.js')",
  )

  for (const name of ['page-11111111.js.br', '../package.json', 'none-11111111.js', 'page']) {
    expect(await findBuildFile(db, name)).toBeNull()
  }
})

it('deletes files of builds that were last started more than 30 days ago', async () => {
  await startBuild('old-11111111.js', day(1))
  await startBuild('again-11111111.js', day(1))
  await startBuild('again-11111111.js', day(20))
  await startBuild('next-22222222.js', day(32))

  expect(await findBuildFile(db, 'old-11111111.js')).toBeNull()
  expect(await findBuildFile(db, 'again-11111111.js')).not.toBeNull()
})
