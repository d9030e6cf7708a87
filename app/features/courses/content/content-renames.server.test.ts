import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contentFeatures } from '~/content-features.server'
import type { Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { env } from '~/server/env.server'
import { readiness } from '~/server/operations/readiness.server'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { loadContent, loadContentAtStart } from './content-loader.server'
import { findCurrentIds } from './content-renames.server'

const courseId = 'python-from-zero'
let db: Database
let folder: string
let file: string
let original: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-renames-'))
  await cp(env.CONTENT_DIR, folder, { recursive: true })
  await rm(path.join(folder, 'demo-learner.yaml'))
  // One course, because each test loads the folder several times.
  for (const other of await readdir(path.join(folder, 'courses'))) {
    if (other !== courseId) {
      await rm(path.join(folder, 'courses', other), { recursive: true })
    }
  }

  file = path.join(folder, 'courses', courseId, 'course.yaml')
  original = await readFile(file, 'utf8')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

beforeEach(async () => {
  db = (await createTestDatabase()).db
  await writeFile(file, original)
  await loadContent(db, folder, contentFeatures)
  await db.insert(tables.users).values([person('ada'), person('ben')])
  await db.insert(tables.enrollments).values([enrollment('ada'), enrollment('ben')])
})

const person = (id: string) => ({ id, name: id, firstName: id, email: `${id}@example.org` })
const enrollment = (uid: string) => ({ uid, courseId })
const progress = (uid: string, lessonId: string, watchedMs: string) => ({
  uid,
  courseId,
  lessonId,
  watchedMs,
})
const rewrite = (from: string, to: string) => writeFile(file, original.replace(from, to))
const work = (lessonId: string) =>
  db
    .select()
    .from(tables.lessonProgress)
    .where(
      and(
        eq(tables.lessonProgress.courseId, courseId),
        eq(tables.lessonProgress.lessonId, lessonId),
      ),
    )
    .orderBy(tables.lessonProgress.uid)

describe('a lesson whose id changed', () => {
  it('is missed aloud, with its learners and the lesson that probably took its place', async () => {
    await db.insert(tables.lessonProgress).values([progress('ada', 'names-and-values', '{[0,5)}')])
    await db.insert(tables.bookmarks).values({ uid: 'ben', courseId, lessonId: 'names-and-values' })
    await rewrite('id: names-and-values', 'id: labels')
    const { warnings } = await loadContent(db, folder, contentFeatures)
    expect(warnings).toEqual([
      'courses/python-from-zero/course.yaml: The lesson `names-and-values` (2 learners) is gone. If you renamed it, add `aliases: [names-and-values]` to the lesson `labels`, which has the same title, so they keep their work.',
    ])
  })

  it('keeps progress, notes, bookmarks and activities by its alias', async () => {
    await db
      .insert(tables.lessonProgress)
      .values(progress('ada', 'names-and-values', '{[0,20000)}'))
    await db.insert(tables.notes).values({
      uid: 'ada',
      id: 'n',
      courseId,
      lessonId: 'names-and-values',
      body: 'x',
      html: 'x',
      rendering: 1,
    })

    await db.insert(tables.bookmarks).values({ uid: 'ada', courseId, lessonId: 'names-and-values' })
    await db
      .insert(tables.activities)
      .values({ uid: 'ada', id: `lesson:${courseId}:names-and-values`, type: 'lesson', text: 'x' })
    await rewrite('id: names-and-values', 'id: labels\n        aliases: [names-and-values]')
    expect(await loadContent(db, folder, contentFeatures)).toEqual({
      result: 'loaded',
      problems: [],
      warnings: [],
    })

    expect(await work('labels')).toMatchObject([{ uid: 'ada', watchedMs: '{[0,20000)}' }])
    expect(await db.select().from(tables.notes)).toMatchObject([{ lessonId: 'labels' }])
    expect(await db.select().from(tables.bookmarks)).toMatchObject([{ lessonId: 'labels' }])
    expect(await db.select().from(tables.activities)).toMatchObject([
      { id: `lesson:${courseId}:labels` },
    ])
    expect(await findCurrentIds(db, courseId, 'names-and-values')).toEqual({
      courseId,
      lessonId: 'labels',
    })
    expect(await findCurrentIds(db, courseId, 'labels')).toBeNull()
  })

  it('unites what was done under both ids when its alias comes later', async () => {
    await db
      .insert(tables.lessonProgress)
      .values([progress('ada', 'names-and-values', '{[0,5000)}')])
    await rewrite('id: names-and-values', 'id: labels')
    await loadContent(db, folder, contentFeatures)
    await db
      .insert(tables.lessonProgress)
      .values([progress('ada', 'labels', '{[4000,9000)}'), progress('ben', 'labels', '{[0,1)}')])
    await rewrite('id: names-and-values', 'id: labels\n        aliases: [names-and-values]')
    await loadContent(db, folder, contentFeatures)
    expect(await work('names-and-values')).toEqual([])
    expect(await work('labels')).toMatchObject([
      { uid: 'ada', watchedMs: '{[0,9000)}' },
      { uid: 'ben', watchedMs: '{[0,1)}' },
    ])
  })
})

describe('a course whose folder changed its name', () => {
  const moved = () => path.join(folder, 'courses', 'python-anew')
  const move = async (aliases: string) => {
    await rename(path.dirname(file), moved())
    await writeFile(
      path.join(moved(), 'course.yaml'),
      original.replace(/^title:/m, `${aliases}title:`),
    )
  }
  const moveBack = () => rename(moved(), path.dirname(file))

  it('is missed aloud', async () => {
    await move('')
    const { warnings } = await loadContent(db, folder, contentFeatures)
    await moveBack()
    expect(warnings).toEqual([
      'The course `python-from-zero` (2 learners) is gone. If you renamed it, add `aliases: [python-from-zero]` to the course.yaml of its new folder.',
    ])
  })

  it('keeps its learners and their work by its alias, also when that comes later', async () => {
    await db.insert(tables.lessonProgress).values(progress('ada', 'names-and-values', '{[0,5)}'))
    await db.insert(tables.wishes).values({ uid: 'ben', courseId })
    await db
      .insert(tables.coupons)
      .values({ code: 'SPRING', percent: 10, courseIds: ['other', courseId] })
    await move('')
    await loadContent(db, folder, contentFeatures)
    // As the desk counts and the school assigns every course.
    const counted = {
      learners: 0,
      active: 0,
      completed: 0,
      certificates: 0,
      revenueMinor: 0,
      lessons: [],
      questions: [],
    }

    await db.insert(tables.deskCourses).values({ courseId: 'python-anew', ...counted })
    await db.insert(tables.staff).values({ uid: 'ben', role: 'teacher' })
    await db.insert(tables.staffCourses).values({ uid: 'ben', courseId: 'python-anew' })
    await writeFile(
      path.join(moved(), 'course.yaml'),
      original.replace(/^title:/m, `aliases: [${courseId}]\ntitle:`),
    )
    await loadContent(db, folder, contentFeatures)
    await moveBack()
    expect((await db.select().from(tables.coupons))[0]?.courseIds).toEqual(['other', 'python-anew'])
    for (const table of [
      tables.enrollments,
      tables.lessonProgress,
      tables.wishes,
      tables.staffCourses,
    ]) {
      for (const row of await db.select().from(table)) {
        expect(row.courseId).toBe('python-anew')
      }
    }

    expect(await db.$count(tables.enrollments)).toBe(2)
    expect(await db.$count(tables.courses, eq(tables.courses.id, courseId))).toBe(0)
    expect(await findCurrentIds(db, courseId, 'names-and-values')).toEqual({
      courseId: 'python-anew',
      lessonId: 'names-and-values',
    })
  })

  it('has learners even if nothing but an order is left of them, so that nothing is lost by an alias', async () => {
    await move('')
    await loadContent(db, folder, contentFeatures)
    const price = { currency: 'USD', listMinor: 1, totalMinor: 1, buyer: { name: '', email: '' } }
    const left = { id: 'ORDER', uid: null, courseId: 'python-anew', courseTitle: '', ...price }
    await db.insert(tables.orders).values(left)
    await writeFile(
      path.join(moved(), 'course.yaml'),
      original.replace(/^title:/m, `aliases: [${courseId}]\ntitle:`),
    )
    await expect(loadContent(db, folder, contentFeatures)).rejects.toThrow(
      /two courses that both have learners/,
    )
    await moveBack()
    expect(await db.select().from(tables.orders)).toMatchObject([left])
  })

  it('is followed by every table that names a course', async () => {
    const { rows } = await db.execute<{ name: string }>(sql`
      select conname as name from pg_constraint
      where contype = 'f' and confupdtype <> 'c' and confrelid in ('courses'::regclass, 'course_lessons'::regclass)`)
    expect(rows.map(({ name }) => name)).toEqual([])
  })
})

describe('a start with content that cannot be loaded', () => {
  it('goes on with the last good content and says where the problem is', async () => {
    await rewrite('level: beginner', 'level: wizard')
    await loadContentAtStart(contentFeatures, db, folder)
    const { warnings } = await readiness.report()
    expect(warnings.content).toBe(
      'The content files have 1 problem, the first in courses/python-from-zero/course.yaml:14; the log names them all. The content loaded last stays in use.',
    )
    await writeFile(file, original)
    await loadContentAtStart(contentFeatures, db, folder)
    expect((await readiness.report()).warnings).toEqual({})
  })

  it('unpublishes nothing when the folder is empty or gone', async () => {
    const empty = await mkdtemp(path.join(tmpdir(), 'learnify-empty-'))
    await loadContentAtStart(contentFeatures, db, empty)
    await loadContentAtStart(contentFeatures, db, path.join(empty, 'gone'))
    expect(await db.$count(tables.courses, eq(tables.courses.published, true))).toBe(1)
    await rm(empty, { recursive: true })
  })

  it('stops when the database holds none', async () => {
    await db.delete(tables.contentState)
    await rewrite('level: beginner', 'level: wizard')
    await expect(loadContentAtStart(contentFeatures, db, folder)).rejects.toThrow(
      /nothing was changed:\n.*course\.yaml:14: `level`/,
    )
  })

  it('older than what is loaded goes on with the newer and names the way back', async () => {
    await rewrite('level: beginner', 'level: advanced')
    await loadContent(db, folder, contentFeatures)
    await writeFile(file, original)
    await loadContentAtStart(contentFeatures, db, folder)
    expect((await readiness.report()).warnings.content).toContain('npm run content -- load')
  })
})
