import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../tests/support/test-database'
import type { Database } from '../database/client.server'
import { courseLessons, courses } from '../database/schema'
import { env } from '../env.server'
import { readContent } from './content-files.server'
import { loadContent } from './content-loader.server'

const slug = 'python-from-zero'
let db: Database
let folder: string
let courseFile: string
let original: string

beforeAll(async () => {
  db = (await testDatabase()).db
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-content-'))
  await cp(env.CONTENT_DIR, folder, { recursive: true })
  courseFile = path.join(folder, 'courses', slug, 'course.yaml')
  original = await readFile(courseFile, 'utf8')
})
beforeEach(() => writeFile(courseFile, original))
afterAll(() => rm(folder, { recursive: true, force: true }))

const rewrite = (from: string | RegExp, to: string) => writeFile(courseFile, original.replace(from, to))
const lineOf = (text: string) => original.slice(0, original.indexOf(text)).split('\n').length

describe('content', () => {
  it('as shipped is good: twelve courses in the catalogue and the sample beside them', async () => {
    const { content, problems } = await readContent(folder)
    expect(problems).toEqual([])
    expect(content?.courses.filter((course) => course.inCatalogue)).toHaveLength(12)
    expect(content?.courses.filter((course) => !course.inCatalogue).map((course) => course.id)).toEqual([
      'complete-web-development',
    ])
    expect(content?.testimonials).toHaveLength(8)
    expect(content?.categories).toHaveLength(8)
  })

  it('names file, line and what is expected of a wrong value', async () => {
    await rewrite(/^level: .*$/m, 'level: wizard')
    const { problems } = await readContent(folder)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(new RegExp(`courses/${slug}/course.yaml:${lineOf('level:')}: level: .*"beginner"`))
  })

  it('reports a misspelt key instead of ignoring it', async () => {
    await rewrite(/^subtitle:/m, 'subtitel:')
    const { problems } = await readContent(folder)
    expect(problems.join('\n')).toMatch(/subtitle/)
    expect(problems.join('\n')).toMatch(/Unrecognized key: "subtitel"/)
  })

  it('names the line of broken YAML', async () => {
    await rewrite(/^level: .*$/m, 'level: "beginner')
    const { problems } = await readContent(folder)
    expect(problems[0]).toMatch(/course\.yaml:\d+: /)
  })

  it.each([
    [
      'two sections of one id',
      /^ {2}- id: [\w-]+\n/gm,
      '  - id: twice\n',
      /course\.yaml:\d+: expected each section id once/,
    ],
    [
      'an instructor without a portrait',
      /^ {2}image: .*$/m,
      '  image: nobody',
      /course\.yaml:\d+: expected the portrait/,
    ],
    [
      'a date that is none',
      /^lastUpdated: .*$/m,
      'lastUpdated: 2026-02-31',
      /course\.yaml:\d+: lastUpdated: use a date of the calendar/,
    ],
    ['a lesson of more than a day', /durationSeconds: \d+/, 'durationSeconds: 100000000', /durationSeconds: Too big/],
    [
      'fewer lectures than lessons',
      /^ {4}lectures: \d+$/m,
      '    lectures: 1',
      /course\.yaml:\d+: expected at least \d lectures/,
    ],
  ])('reports %s', async (_, from, to, problem) => {
    await rewrite(from, to)
    expect((await readContent(folder)).problems.join('\n')).toMatch(problem)
  })

  it.each([
    ['videos/names-and-values.vtt', 'hello', /vtt:1: expected the first line 'WEBVTT'/],
    ['videos/names-and-values.vtt', 'WEBVTT\n\n00:04.000 --> 00:01.000\nx\n', /vtt:3: expected an end after the start/],
    ['videos/names-and-values.vtt', 'WEBVTT\n\n4 --> 5\nx\n', /vtt:3: expected two times/],
    [
      'videos/names-and-values.vtt',
      'WEBVTT\n\n05:00.000 --> 05:01.000\nx\n',
      /vtt:3: expected a start within the film/,
    ],
    ['videos/names-and-values.vtt', 'WEBVTT\n', /vtt: expected at least one caption/],
    ['videos/names-and-values.webm', '', /webm: expected a file that is not empty/],
    ['course.yaml', '', /course\.yaml:1: the file: /],
    ['course.yaml', 'title: *nope\n', /course\.yaml: .*nope/],
    ['course.yaml', `\0`, /course\.yaml: expected text without the character NUL/],
    ['lessons/functions-that-return.md', ' \n', /functions-that-return\.md: expected a text/],
    ['lessons/nobody-links-here.md', 'x', /nobody-links-here\.md: expected an article of this id/],
  ])('reports what is wrong with %s (%j)', async (name, text, problem) => {
    const file = path.join(folder, 'courses', slug, name)
    const before = await readFile(file).catch(() => null)
    await writeFile(file, text)
    const { problems } = await readContent(folder)
    await (before ? writeFile(file, before) : rm(file))
    expect(problems.join('\n')).toMatch(problem)
  })

  it('that is broken leaves what was loaded before as it was', async () => {
    await loadContent(db, folder)
    const before = await db.select().from(courses).orderBy(courses.id)
    await writeFile(
      courseFile,
      original.replace(/^title: .*$/m, 'title: Changed').replace(/^level: .*$/m, 'level: wizard'),
    )
    await expect(loadContent(db, folder)).rejects.toThrow(/nothing was changed/)
    expect(await db.select().from(courses).orderBy(courses.id)).toEqual(before)
  })

  it('that is unchanged writes nothing, and an edit is loaded', async () => {
    await loadContent(db, folder)
    expect(await loadContent(db, folder)).toBe(false)
    await rewrite(/^title: .*$/m, 'title: A new title')
    expect(await loadContent(db, folder)).toBe(true)
    const [course] = await db.select().from(courses).where(eq(courses.id, slug))
    expect(course?.title).toBe('A new title')
  })

  it('retires a lesson that leaves the file and keeps its row', async () => {
    await loadContent(db, folder)
    const { content } = await readContent(folder)
    const announced = content?.courses
      .find((course) => course.id === slug)
      ?.curriculum.flatMap((section) => section.lessons)
      .find((lesson) => lesson.kind === 'announced')
    await rewrite(new RegExp(`\\bid: ${announced?.id}\\b`), 'id: a-lesson-of-another-name')
    await loadContent(db, folder)
    const rowOf = (id: string) =>
      db
        .select()
        .from(courseLessons)
        .where(and(eq(courseLessons.courseId, slug), eq(courseLessons.id, id)))
    expect(await rowOf(announced?.id ?? '')).toMatchObject([{ retired: true }])
    expect(await rowOf('a-lesson-of-another-name')).toMatchObject([{ retired: false }])
  })

  it('loaded by two processes at once is loaded once', async () => {
    await rewrite(/^title: .*$/m, 'title: Twice at once')
    const results = await Promise.all([loadContent(db, folder), loadContent(db, folder)])
    expect(results.sort()).toEqual([false, true])
  })
})
