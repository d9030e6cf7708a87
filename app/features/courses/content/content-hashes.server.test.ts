import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { env } from '~/server/env.server'
import { hashContent, hashCourse } from './content-hashes.server'

let folder: string
let courses: string
const ids = ['one', 'two']

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-hashes-'))
  courses = path.join(folder, 'courses')
  const [first = ''] = await readdir(path.join(env.CONTENT_DIR, 'courses'))
  for (const id of ids) {
    await cp(path.join(env.CONTENT_DIR, 'courses', first), path.join(courses, id), {
      recursive: true,
    })
  }

  await cp(path.join(env.CONTENT_DIR, 'instructors'), path.join(folder, 'instructors'), {
    recursive: true,
  })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('a course has another hash once one of its texts has changed, and no other course has', async () => {
  const before = hashContent(folder)
  const file = path.join(courses, 'one/course.yaml')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace(/.\n/, '~\n'))
  const after = hashContent(folder)
  await writeFile(file, text)
  expect(after.courses.get('one')).not.toBe(before.courses.get('one'))
  expect(after.courses.get('two')).toBe(before.courses.get('two'))
  expect(after.whole).not.toBe(before.whole)
  expect(hashContent(folder).whole).toBe(before.whole)
})

it('a portrait belongs to the courses of its instructor, and to no other', async () => {
  const [own = '', other = ''] = (await readdir(path.join(folder, 'instructors')))
    .filter((name) => name.endsWith('.webp'))
    .map((name) => path.parse(name).name)
  const file = path.join(folder, 'instructors', `${own}.webp`)
  const before = hashContent(folder)
  await writeFile(file, 'another')
  const after = hashContent(folder)
  expect(hashCourse(after, 'one', own)).not.toBe(hashCourse(before, 'one', own))
  expect(hashCourse(after, 'one', other)).toBe(hashCourse(before, 'one', other))
})
