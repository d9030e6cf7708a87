import { cp, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { env } from '../env.server'
import { hashAgain, hashContent, hashOfCourse } from './content-hashes.server'
import { ContentStamps } from './content-stamps.server'

let folder: string
let courses: string
const ids = ['one', 'two']
const later = () => Date.now() + 60_000

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-hashes-'))
  courses = path.join(folder, 'courses')
  const [first = ''] = await readdir(path.join(env.CONTENT_DIR, 'courses'))
  for (const id of ids)
    await cp(path.join(env.CONTENT_DIR, 'courses', first), path.join(courses, id), { recursive: true })
  await cp(path.join(env.CONTENT_DIR, 'instructors'), path.join(folder, 'instructors'), { recursive: true })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a course folder that looks as it did', () => {
  it('is not read: its hash is the one of then', () => {
    const { stamped } = hashContent(folder, { now: later() })
    const known = new Map([...stamped].map(([id, { stamp }]) => [id, { stamp, hash: `of ${id}` }]))
    expect([...hashContent(folder, { known }).courses.values()]).toEqual(['of one', 'of two'])
  })

  it('is read once a file was written, even if that has its former size and time', async () => {
    const before = hashContent(folder, { now: later() })
    const file = path.join(courses, 'one/course.yaml')
    const text = await readFile(file, 'utf8')
    const past = new Date(2020, 1, 1)
    await utimes(file, past, past)
    const known = hashContent(folder, { now: later() }).stamped
    await writeFile(file, text.replace(/.\n/, '~\n'))
    await utimes(file, past, past)
    const after = hashContent(folder, { known })
    await writeFile(file, text)
    expect(after.courses.get('one')).not.toBe(before.courses.get('one'))
    expect(after.courses.get('two')).toBe(before.courses.get('two'))
    expect(after.whole).not.toBe(before.whole)
    expect(hashContent(folder).whole).toBe(before.whole)
  })

  it('has no stamp while it may be written once more in the same moment', async () => {
    await writeFile(path.join(courses, 'one/extra.yaml'), '')
    const written = Date.now()
    expect([...hashContent(folder, { now: written }).stamped.keys()]).toEqual([])
    expect([...hashContent(folder, { now: later() }).stamped.keys()]).toEqual(ids)
    await rm(path.join(courses, 'one/extra.yaml'))
  })
})

it('a portrait belongs to the courses of its instructor, and to no other', async () => {
  const [own = '', other = ''] = (await readdir(path.join(folder, 'instructors')))
    .filter((name) => name.endsWith('.webp'))
    .map((name) => path.parse(name).name)
  const file = path.join(folder, 'instructors', `${own}.webp`)
  const before = hashContent(folder)
  await writeFile(file, 'another')
  const after = hashContent(folder)
  expect(hashOfCourse(after, 'one', own)).not.toBe(hashOfCourse(before, 'one', own))
  expect(hashOfCourse(after, 'one', other)).toBe(hashOfCourse(before, 'one', other))
})

it('what was not read is not looked at again', async () => {
  const before = hashContent(folder)
  await rm(path.join(courses, 'two/exam.yaml'))
  expect(hashAgain(folder, before, new Set(['one'])).whole).toBe(before.whole)
  expect(hashAgain(folder, before, new Set(['two'])).whole).not.toBe(before.whole)
})

describe('stamps', () => {
  it('are kept from one start to the next, for their own folder', () => {
    const file = path.join(folder, 'stamps.json')
    const hashes = hashContent(folder, { now: later() })
    new ContentStamps(folder, file).keep(hashes)
    expect(new ContentStamps(folder, file).hashes).toEqual(hashes.stamped)
    expect(new ContentStamps(courses, file).hashes.size).toBe(0)
  })

  it('that cannot be read or written are none', async () => {
    const file = path.join(folder, 'broken.json')
    await writeFile(file, '{"format":1,')
    expect(new ContentStamps(folder, file).hashes.size).toBe(0)
    const nowhere = new ContentStamps(folder, path.join(folder, 'missing/stamps.json'))
    nowhere.keep(hashContent(folder, { now: later() }))
    expect(nowhere.hashes.size).toBe(0)
  })
})
