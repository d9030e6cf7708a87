import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { env } from '~/server/env.server'
import { hashContent, hashCourse } from './content-hashes.server'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-hashes-'))
  const [shippedCourse = ''] = await readdir(path.join(env.CONTENT_DIR, 'courses'))
  for (const id of ['one', 'two']) {
    await cp(
      path.join(env.CONTENT_DIR, 'courses', shippedCourse),
      path.join(folder, 'courses', id),
      { recursive: true },
    )
  }

  await cp(path.join(env.CONTENT_DIR, 'instructors'), path.join(folder, 'instructors'), {
    recursive: true,
  })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('a changed text changes the hash of its course, but not of other courses', async () => {
  const hashesBefore = hashContent(folder)
  const courseFile = path.join(folder, 'courses', 'one', 'course.yaml')
  const courseYaml = await readFile(courseFile, 'utf8')

  await writeFile(courseFile, courseYaml.replace(/.\n/, '~\n'))
  const hashesAfter = hashContent(folder)

  expect(hashesAfter.courses.get('one')).not.toBe(hashesBefore.courses.get('one'))
  expect(hashesAfter.courses.get('two')).toBe(hashesBefore.courses.get('two'))
  expect(hashesAfter.content).not.toBe(hashesBefore.content)

  await writeFile(courseFile, courseYaml)
  expect(hashContent(folder).content).toBe(hashesBefore.content)
})

it('a changed portrait changes the hashes of its instructor’s courses only', async () => {
  const [changedPortrait = '', otherPortrait = ''] = (
    await readdir(path.join(folder, 'instructors'))
  )
    .filter((name) => name.endsWith('.webp'))
    .map((name) => path.parse(name).name)
  const hashesBefore = hashContent(folder)

  await writeFile(path.join(folder, 'instructors', `${changedPortrait}.webp`), 'another')
  const hashesAfter = hashContent(folder)

  expect(hashCourse(hashesAfter, 'one', changedPortrait)).not.toBe(
    hashCourse(hashesBefore, 'one', changedPortrait),
  )
  expect(hashCourse(hashesAfter, 'one', otherPortrait)).toBe(
    hashCourse(hashesBefore, 'one', otherPortrait),
  )
})
