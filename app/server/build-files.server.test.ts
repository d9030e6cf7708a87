import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase } from '../../tests/support/test-database'
import { findBuildFile, publishBuildFiles } from './build-files.server'

const { db } = await testDatabase()
const day = (number: number) => new Date(Date.UTC(2026, 0, number))
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-build-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A build of one file, published on a day. */
async function publish(name: string, on: Date) {
  const build = await mkdtemp(path.join(folder, 'build-'))
  await writeFile(path.join(build, name), `console.log('${name}')`)
  await writeFile(path.join(build, `${name}.br`), 'compressed')
  await publishBuildFiles(db, build, on)
}

it('a process has the files of another build, with their type', async () => {
  await publish('page-11111111.js', day(1))
  await publish('page-22222222.js', day(2))
  const file = await findBuildFile(db, 'page-11111111.js')
  expect(file?.type).toBe('text/javascript; charset=utf-8')
  expect(file?.bytes.toString()).toBe("console.log('page-11111111.js')")
})

it('forgets files that no build has used for a week', async () => {
  await publish('gone-11111111.js', day(10))
  await publish('kept-11111111.js', day(12))
  await publish('next-22222222.js', day(18))
  expect(await findBuildFile(db, 'gone-11111111.js')).toBeNull()
  expect(await findBuildFile(db, 'kept-11111111.js')).not.toBeNull()
})

it('has nothing but files of a build', async () => {
  for (const name of ['page-11111111.js.br', '../package.json', 'none-11111111.js', 'page']) {
    expect(await findBuildFile(db, name)).toBeNull()
  }
})
