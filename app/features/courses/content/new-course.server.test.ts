import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { env } from '~/server/env.server'
import { readContent } from './content-files.server'
import { createCourse } from './new-course.server'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-new-'))
  for (const name of ['testimonials.yaml', 'categories.yaml']) {
    await cp(path.join(env.CONTENT_DIR, name), path.join(folder, name))
  }
})
afterAll(() => rm(folder, { recursive: true }))

it('a new course passes the check without a warning, and is not published', async () => {
  const files = await createCourse(folder, 'knots-for-2-hands', '2026-11-25')
  expect(files).toContain('courses/knots-for-2-hands/course.yaml')
  const course = path.join(folder, 'courses/knots-for-2-hands')
  const [, schema = ''] =
    /\$schema=(.*)/.exec(await readFile(path.join(course, 'course.yaml'), 'utf8')) ?? []
  expect(path.resolve(course, schema)).toBe(path.resolve('docs/schemas/course.json'))
  const { content, problems, warnings } = await readContent(folder, {
    now: new Date('2026-11-25T12:00:00Z'),
  })
  expect([problems, warnings]).toEqual([[], []])
  expect(content?.courses).toMatchObject([
    { title: 'Knots For 2 Hands', published: false, priceCents: 0 },
  ])
})

it('a folder that is there stays as it is', async () => {
  await createCourse(folder, 'taken', '2026-11-25')
  const before = await readFile(path.join(folder, 'courses/taken/course.yaml'), 'utf8')
  await expect(createCourse(folder, 'taken', '2026-11-26')).rejects.toThrow(
    /taken is already there/,
  )
  expect(await readFile(path.join(folder, 'courses/taken/course.yaml'), 'utf8')).toBe(before)
})

it.each(['My Course', '../x', 'a--b', '', 'Ä'])('%j is no address of a course', async (id) => {
  await expect(createCourse(folder, id, '2026-11-25')).rejects.toThrow(
    /can’t be a course’s address/,
  )
})
