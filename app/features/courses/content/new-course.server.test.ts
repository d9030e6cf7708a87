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

  expect(files).toEqual({
    ok: true,
    value: expect.arrayContaining(['courses/knots-for-2-hands/course.yaml']),
  })

  const { content, problems, warnings } = await readContent(folder, {
    now: new Date('2026-11-25T12:00:00Z'),
  })
  expect(problems).toEqual([])
  expect(warnings).toEqual([])
  expect(content?.courses).toMatchObject([
    {
      title: 'Knots For 2 Hands',
      published: false,
      priceMinor: 0,
      // Nothing of this is in the file. It follows from the two lessons of a minute.
      lectures: 2,
      durationHours: 0.1,
      downloadableResources: 0,
      curriculum: [{ lectures: 2, durationMinutes: 2 }],
    },
  ])
})

it('the file of a new course leads editors to its JSON Schema', async () => {
  await createCourse(folder, 'with-schema', '2026-11-25')

  const courseFolder = path.join(folder, 'courses/with-schema')
  const courseYaml = await readFile(path.join(courseFolder, 'course.yaml'), 'utf8')
  const schemaPath = /\$schema=(.*)/.exec(courseYaml)?.[1] ?? 'missing'
  expect(path.resolve(courseFolder, schemaPath)).toBe(path.resolve('docs/schemas/course.json'))

  await rm(courseFolder, { recursive: true })
})

it('a folder that exists stays as it is', async () => {
  await createCourse(folder, 'taken', '2026-11-25')
  const courseFile = path.join(folder, 'courses/taken/course.yaml')
  const courseYaml = await readFile(courseFile, 'utf8')

  expect(await createCourse(folder, 'taken', '2026-11-26')).toEqual({
    ok: false,
    problem: expect.stringContaining('taken is already there'),
  })

  expect(await readFile(courseFile, 'utf8')).toBe(courseYaml)
})

it.each(['My Course', '../x', 'a--b', '', 'Ä'])('%j cannot be the ID of a course', async (id) => {
  expect(await createCourse(folder, id, '2026-11-25')).toEqual({
    ok: false,
    problem: expect.stringContaining('can’t be a course’s address'),
  })
})
