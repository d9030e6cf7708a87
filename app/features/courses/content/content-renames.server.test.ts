import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { and, eq, sql } from 'drizzle-orm'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from 'vitest'
import { contentHooks } from '~/content-hooks.server'
import { followSharedState } from '~/server/cache/shared-state.server'
import type { Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { env } from '~/server/env.server'
import { readiness } from '~/server/operations/readiness.server'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { loadContent } from './content-loader.server'
import { loadContentAtStart, refreshContentWarning } from './content-reload.server'
import { findCurrentIds } from './content-renames.server'

const courseId = 'python-from-zero'
const lessonId = 'names-and-values'

let db: Database
let folder: string
let courseFolder: string
let courseFile: string
let courseYaml: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-renames-'))
  await cp(env.CONTENT_DIR, folder, { recursive: true })
  await rm(path.join(folder, 'demo-learner.yaml'))

  // One course is enough, because each test loads the folder several times.
  for (const otherId of await readdir(path.join(folder, 'courses'))) {
    if (otherId !== courseId) {
      await rm(path.join(folder, 'courses', otherId), { recursive: true })
    }
  }

  courseFolder = path.join(folder, 'courses', courseId)
  courseFile = path.join(courseFolder, 'course.yaml')
  courseYaml = await readFile(courseFile, 'utf8')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

beforeEach(async () => {
  db = (await createTestDatabase()).db
  await writeFile(courseFile, courseYaml)
  await load()

  const learners = ['ada', 'ben'].map((id) => ({
    id,
    name: id,
    firstName: id,
    email: `${id}@example.org`,
  }))
  await db.insert(tables.users).values(learners)
  await db.insert(tables.enrollments).values(learners.map(({ id }) => ({ uid: id, courseId })))
})

function load() {
  return loadContent(db, folder, contentHooks)
}

function changeCourseFile(text: string, replacement: string) {
  return writeFile(courseFile, courseYaml.replace(text, replacement))
}

function addProgress(uid: string, progressLessonId: string, watchedMs: string) {
  return db
    .insert(tables.lessonProgress)
    .values({ uid, courseId, lessonId: progressLessonId, watchedMs })
}

function findProgress(progressLessonId: string) {
  const { lessonProgress } = tables
  return db
    .select()
    .from(lessonProgress)
    .where(
      and(eq(lessonProgress.courseId, courseId), eq(lessonProgress.lessonId, progressLessonId)),
    )
    .orderBy(lessonProgress.uid)
}

describe('a lesson whose ID has changed', () => {
  it('without an alias causes a warning that names the learners and a lesson with the same title', async () => {
    await addProgress('ada', lessonId, '{[0,5)}')
    await db.insert(tables.bookmarks).values({ uid: 'ben', courseId, lessonId })
    await changeCourseFile(`id: ${lessonId}`, 'id: labels')

    const { warnings } = await load()

    expect(warnings).toEqual([
      'courses/python-from-zero/course.yaml: The lesson `names-and-values` (2 learners) is gone. If you renamed it, add `aliases: [names-and-values]` to the lesson `labels`, which has the same title, so they keep their work.',
    ])
  })

  it('with an alias keeps progress, notes, bookmarks and activities', async () => {
    await addProgress('ada', lessonId, '{[0,20000)}')
    await db.insert(tables.notes).values({
      uid: 'ada',
      id: 'n',
      courseId,
      lessonId,
      body: 'x',
      html: 'x',
      rendering: 1,
    })
    await db.insert(tables.bookmarks).values({ uid: 'ada', courseId, lessonId })
    await db
      .insert(tables.activities)
      .values({ uid: 'ada', id: `lesson:${courseId}:${lessonId}`, type: 'lesson', text: 'x' })
    await changeCourseFile(`id: ${lessonId}`, `id: labels\n        aliases: [${lessonId}]`)

    expect(await load()).toEqual({ status: 'loaded', problems: [], warnings: [] })

    expect(await findProgress('labels')).toMatchObject([{ uid: 'ada', watchedMs: '{[0,20000)}' }])
    expect(await db.select().from(tables.notes)).toMatchObject([{ lessonId: 'labels' }])
    expect(await db.select().from(tables.bookmarks)).toMatchObject([{ lessonId: 'labels' }])
    expect(await db.select().from(tables.activities)).toMatchObject([
      { id: `lesson:${courseId}:labels` },
    ])
    expect(await findCurrentIds(db, courseId, lessonId)).toEqual({ courseId, lessonId: 'labels' })
    expect(await findCurrentIds(db, courseId, 'labels')).toBeNull()
  })

  it('unites the progress under both IDs if the alias is added later', async () => {
    await addProgress('ada', lessonId, '{[0,5000)}')
    await changeCourseFile(`id: ${lessonId}`, 'id: labels')
    await load()
    await addProgress('ada', 'labels', '{[4000,9000)}')
    await addProgress('ben', 'labels', '{[0,1)}')

    await changeCourseFile(`id: ${lessonId}`, `id: labels\n        aliases: [${lessonId}]`)
    await load()

    expect(await findProgress(lessonId)).toEqual([])
    expect(await findProgress('labels')).toMatchObject([
      { uid: 'ada', watchedMs: '{[0,9000)}' },
      { uid: 'ben', watchedMs: '{[0,1)}' },
    ])
  })
})

describe('a course whose folder was renamed', () => {
  const newId = 'python-anew'
  let renamedFolder: string

  beforeEach(async () => {
    renamedFolder = path.join(folder, 'courses', newId)
    await rename(courseFolder, renamedFolder)
  })
  afterEach(() => rename(renamedFolder, courseFolder))

  function addAlias() {
    return writeFile(
      path.join(renamedFolder, 'course.yaml'),
      courseYaml.replace(/^title:/m, `aliases: [${courseId}]\ntitle:`),
    )
  }

  it('causes a warning without an alias', async () => {
    const { warnings } = await load()

    expect(warnings).toEqual([
      'The course `python-from-zero` (2 learners) is gone. If you renamed it, add `aliases: [python-from-zero]` to the course.yaml of its new folder.',
    ])
  })

  it('keeps its learners and their progress with an alias, even if the alias is added later', async () => {
    await addProgress('ada', lessonId, '{[0,5)}')
    await db.insert(tables.wishes).values({ uid: 'ben', courseId })
    await db
      .insert(tables.coupons)
      .values({ code: 'SPRING', percent: 10, courseIds: ['other', courseId] })
    await load()
    // The desk has a row for every course, and the school may assign a teacher to every course.
    await db.insert(tables.deskCourses).values({
      courseId: newId,
      learners: 0,
      active: 0,
      completed: 0,
      certificates: 0,
      revenueMinor: 0,
      lessons: [],
      questions: [],
    })
    await db.insert(tables.staff).values({ uid: 'ben', role: 'teacher' })
    await db.insert(tables.staffCourses).values({ uid: 'ben', courseId: newId })

    await addAlias()
    await load()

    expect(await db.select().from(tables.coupons)).toMatchObject([{ courseIds: ['other', newId] }])

    for (const table of [
      tables.enrollments,
      tables.lessonProgress,
      tables.wishes,
      tables.staffCourses,
    ]) {
      for (const row of await db.select().from(table)) {
        expect(row.courseId).toBe(newId)
      }
    }

    expect(await db.$count(tables.enrollments)).toBe(2)
    expect(await db.$count(tables.courses, eq(tables.courses.id, courseId))).toBe(0)
    expect(await findCurrentIds(db, courseId, lessonId)).toEqual({ courseId: newId, lessonId })
  })

  it('is not merged with a course that has an order of a deleted account', async () => {
    await load()
    const order = {
      id: 'ORDER',
      uid: null,
      courseId: newId,
      courseTitle: '',
      currency: 'USD',
      listMinor: 1,
      totalMinor: 1,
      buyer: { name: '', email: '' },
    }
    await db.insert(tables.orders).values(order)

    await addAlias()

    expect(await load()).toMatchObject({
      status: 'failed',
      problems: [expect.stringContaining('two courses that both have learners')],
    })
    expect(await db.select().from(tables.orders)).toMatchObject([order])
  })
})

it('every table that refers to a course or lesson follows a changed ID', async () => {
  const { rows: otherForeignKeys } = await db.execute<{ name: string }>(sql`
    select conname as name
    from pg_constraint
    where contype = 'f'
      and confupdtype <> 'c'
      and confrelid in ('courses'::regclass, 'course_lessons'::regclass)`)

  expect(otherForeignKeys.map(({ name }) => name)).toEqual([])
})

describe('the warning of a server about content', () => {
  let stopFollowing: () => void
  const findWarning = async () => (await readiness.report()).warnings.content

  /** Loads the content in the way of a command, which knows nothing about the server's warnings. */
  const loadByCommand = () => loadContent(db, folder, contentHooks, { isManual: true })

  beforeEach(async () => {
    stopFollowing = await followSharedState(() => refreshContentWarning(db, folder), db)
  })
  afterEach(() => stopFollowing())

  it('goes away within 5 seconds after a command has loaded the repaired content', async () => {
    await changeCourseFile('level: beginner', 'level: wizard')
    await loadContentAtStart(contentHooks, db, folder)
    expect(await findWarning()).toContain('course.yaml:14')

    await changeCourseFile('level: beginner', 'level: advanced')
    await loadByCommand()
    await expect.poll(findWarning, { timeout: 5_000 }).toBeUndefined()
  })

  it('goes away after an edit was undone, although a command finds nothing to load', async () => {
    const siteFile = path.join(folder, 'categories.yaml')
    const siteYaml = await readFile(siteFile, 'utf8')
    await writeFile(siteFile, 'no categories')
    await loadContentAtStart(contentHooks, db, folder)
    expect(await findWarning()).toContain('categories.yaml')

    await writeFile(siteFile, siteYaml)
    expect(await loadByCommand()).toMatchObject({ status: 'unchanged' })
    await expect.poll(findWarning, { timeout: 5_000 }).toBeUndefined()
  })

  it('stays without another look at the files until a command has loaded them', async () => {
    await changeCourseFile('level: beginner', 'level: wizard')
    await loadContentAtStart(contentHooks, db, folder)
    await refreshContentWarning(db, folder)

    await writeFile(courseFile, courseYaml)
    await refreshContentWarning(db, folder)
    expect(await findWarning()).toContain('course.yaml:14')

    await loadByCommand()
    await expect.poll(findWarning, { timeout: 5_000 }).toBeUndefined()
  })

  it('appears if a command has loaded all courses but one with a problem', async () => {
    const otherCourseFolder = path.join(folder, 'courses/another-course')
    await cp(courseFolder, otherCourseFolder, { recursive: true })
    onTestFinished(() => rm(otherCourseFolder, { recursive: true }))
    await loadContentAtStart(contentHooks, db, folder)
    await changeCourseFile('level: beginner', 'level: wizard')

    expect(await loadByCommand()).toMatchObject({ status: 'loaded' })
    await expect.poll(findWarning, { timeout: 5_000 }).toContain('course.yaml:14')
  })
})

it('several changes during an update of the warning cause one more update', async () => {
  const queries = vi.spyOn(db, 'select')
  await Promise.all([1, 2, 3, 4].map(() => refreshContentWarning(db, folder)))

  expect(queries).toHaveBeenCalledTimes(2)
})

describe('a start with content that cannot be loaded', () => {
  it('uses the stored content and names the file and line of the first problem', async () => {
    await changeCourseFile('level: beginner', 'level: wizard')
    await loadContentAtStart(contentHooks, db, folder)

    const { warnings } = await readiness.report()
    expect(warnings.content).toBe(
      'The content files have 1 problem, the first in courses/python-from-zero/course.yaml:14; the log names them all. The content loaded last stays in use.',
    )

    await writeFile(courseFile, courseYaml)
    await loadContentAtStart(contentHooks, db, folder)
    expect((await readiness.report()).warnings).toEqual({})
  })

  it('unpublishes nothing if the folder is empty or missing', async () => {
    const emptyFolder = await mkdtemp(path.join(tmpdir(), 'learnify-empty-'))

    await loadContentAtStart(contentHooks, db, emptyFolder)
    await loadContentAtStart(contentHooks, db, path.join(emptyFolder, 'missing'))

    expect(await db.$count(tables.courses, eq(tables.courses.published, true))).toBe(1)

    await rm(emptyFolder, { recursive: true })
  })

  it('fails if the database has no content', async () => {
    await db.delete(tables.contentState)
    await changeCourseFile('level: beginner', 'level: wizard')

    await expect(loadContentAtStart(contentHooks, db, folder)).rejects.toThrow(
      /nothing was changed:\n.*course\.yaml:14: `level`/,
    )
  })

  it('uses newer stored content instead of older files, and says how to load these', async () => {
    await changeCourseFile('level: beginner', 'level: advanced')
    await load()
    await writeFile(courseFile, courseYaml)

    await loadContentAtStart(contentHooks, db, folder)

    expect((await readiness.report()).warnings.content).toContain('npm run content -- load')
  })
})
