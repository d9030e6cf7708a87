import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { and, eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contentHooks } from '~/content-hooks.server'
import type { Database } from '~/server/database/client.server'
import { countMigrations } from '~/server/database/migrate.server'
import {
  categories,
  contentHistory,
  contentState,
  courseAliases,
  courseLessons,
  courses,
  testimonials,
} from '~/server/database/schema'
import { env } from '~/server/env.server'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { readContent } from './content-files.server'
import { hashContent } from './content-hashes.server'
import { loadContent } from './content-loader.server'
import { lockContent } from './content-lock.server'
import { loadContentAtStart } from './content-reload.server'

const courseId = 'python-from-zero'
const configuredCurrency = env.CURRENCY

let db: Database
let folder: string
let courseFile: string
let courseYaml: string

beforeAll(async () => {
  db = (await createTestDatabase()).db
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-content-'))
  await cp(env.CONTENT_DIR, folder, { recursive: true })

  // One course is enough, because each test loads the folder several times.
  for (const otherId of await readdir(path.join(folder, 'courses'))) {
    if (otherId !== courseId) {
      await rm(path.join(folder, 'courses', otherId), { recursive: true })
    }
  }

  await rm(path.join(folder, 'demo-learner.yaml'))
  courseFile = path.join(folder, 'courses', courseId, 'course.yaml')
  courseYaml = await readFile(courseFile, 'utf8')
})
beforeEach(async () => {
  await writeFile(courseFile, courseYaml)
  await db.delete(contentHistory)
})
afterEach(() => {
  env.CURRENCY = configuredCurrency
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function load(options: Parameters<typeof loadContent>[3] = {}) {
  return loadContent(db, folder, contentHooks, options)
}

function withTitle(title: string): string {
  return courseYaml.replace(/^title: .*$/m, `title: ${title}`)
}

function withPrice(price: string): string {
  return courseYaml.replace(/^price(Cents)?: .*$/m, `price: ${price}`)
}

const invalidLevel = () => courseYaml.replace(/^level: .*$/m, 'level: wizard')

/** Adds a copy of the course with its own course.yaml. */
async function addCourse(id: string, yaml = courseYaml): Promise<string> {
  const courseFolder = path.join(folder, 'courses', id)
  await cp(path.join(folder, 'courses', courseId), courseFolder, { recursive: true })
  await writeFile(path.join(courseFolder, 'course.yaml'), yaml)
  return courseFolder
}

async function findCourse(id = courseId) {
  const [course] = await db.select().from(courses).where(eq(courses.id, id))
  return course
}

function findLessonRows(lessonId: string) {
  return db
    .select()
    .from(courseLessons)
    .where(and(eq(courseLessons.courseId, courseId), eq(courseLessons.id, lessonId)))
}

describe('content with problems', () => {
  it('changes nothing if every course is broken', async () => {
    await load()
    const coursesBefore = await db.select().from(courses).orderBy(courses.id)
    await writeFile(courseFile, invalidLevel().replace(/^title: .*$/m, 'title: Changed'))

    expect(await load()).toMatchObject({
      status: 'rejected',
      problems: [expect.stringContaining('`level` is')],
    })

    expect(await db.select().from(courses).orderBy(courses.id)).toEqual(coursesBefore)
  })

  it('leaves out a broken course, at each load until it is repaired', async () => {
    const secondFolder = await addCourse('second')
    await load()
    await writeFile(courseFile, withTitle('Changed'))
    await writeFile(path.join(secondFolder, 'course.yaml'), invalidLevel())

    for (const _ of ['first load', 'second load']) {
      expect(await load()).toMatchObject({
        status: 'loaded',
        problems: [expect.stringMatching(/second\/course\.yaml:\d+: `level` is 'wizard'/)],
      })
      expect(await findCourse()).toMatchObject({ title: 'Changed' })
      expect(await findCourse('second')).toMatchObject({ level: 'beginner', published: true })
    }

    await writeFile(path.join(secondFolder, 'course.yaml'), courseYaml)
    expect(await load()).toMatchObject({ status: 'loaded', problems: [] })
    expect(await load()).toMatchObject({ status: 'unchanged' })

    await rm(secondFolder, { recursive: true })
  })

  it('names the courses whose category has been removed', async () => {
    const categoriesFile = path.join(folder, 'categories.yaml')
    const categoriesYaml = await readFile(categoriesFile, 'utf8')
    const designFolder = await addCourse(
      'design-course',
      courseYaml.replace(/^category: .*$/m, 'category: design'),
    )
    await load()

    await writeFile(
      categoriesFile,
      '- { id: design, name: Design }\n- { id: baking, name: Baking }\n',
    )
    const { problems } = await load()

    await writeFile(categoriesFile, categoriesYaml)
    await rm(designFolder, { recursive: true })

    expect(problems).toEqual([
      expect.stringMatching(
        /python-from-zero\/course\.yaml:\d+: `category` is 'technology', which categories\.yaml doesn’t/,
      ),
    ])
  })
})

describe('a load of changed files', () => {
  it('stores an edit, and writes nothing without one', async () => {
    await load()
    expect(await load()).toMatchObject({ status: 'unchanged' })

    await writeFile(courseFile, withTitle('A new title'))
    expect(await load()).toMatchObject({ status: 'loaded' })
    expect(await findCourse()).toMatchObject({ title: 'A new title' })
  })

  it('retires a lesson that has been removed from the file, and keeps its row', async () => {
    await load()
    const { content } = await readContent(folder)
    const lessons = content?.courses[0]?.curriculum.flatMap((section) => section.lessons) ?? []
    const removedLesson = lessons.find((lesson) => lesson.kind === 'announced')
    if (!removedLesson) {
      throw new Error('The course has no planned lesson.')
    }

    await writeFile(
      courseFile,
      courseYaml.replace(new RegExp(`\\bid: ${removedLesson.id}\\b`), 'id: a-new-lesson'),
    )
    await load()

    expect(await findLessonRows(removedLesson.id)).toMatchObject([{ retired: true }])
    expect(await findLessonRows('a-new-lesson')).toMatchObject([{ retired: false }])
  })

  it('stores a lesson whose ID is the name of a property that every object has', async () => {
    await writeFile(courseFile, courseYaml.replace('id: while-and-when-to-stop', 'id: constructor'))

    expect(await load()).toMatchObject({ status: 'loaded' })
    expect(await findLessonRows('constructor')).toMatchObject([{ downloads: [], retired: false }])
  })

  it('reads only the courses that have changed', async () => {
    const twinFolder = await addCourse('twin')
    await load()
    // An unchanged course is neither read nor stored, so it keeps a title from elsewhere.
    await db.update(courses).set({ title: 'Title in the database' })

    await writeFile(courseFile, withTitle('Title in the file'))
    await load()

    const storedTitles = db
      .select({ id: courses.id, title: courses.title })
      .from(courses)
      .where(eq(courses.published, true))
      .orderBy(courses.id)
    expect(await storedTitles).toEqual([
      { id: courseId, title: 'Title in the file' },
      { id: 'twin', title: 'Title in the database' },
    ])

    await rm(twinFolder, { recursive: true })
    await load()
    await addCourse('twin', withTitle('Title in the file'))
    await load()
    expect(await findCourse('twin')).toMatchObject({ title: 'Title in the file', published: true })

    await rm(twinFolder, { recursive: true })
    await load()
    await db.delete(courses).where(eq(courses.id, 'twin'))
  })

  it('stores unchanged content again after a migration', async () => {
    await load()
    expect(await load()).toMatchObject({ status: 'unchanged' })

    await db.update(contentState).set({ migrations: countMigrations() - 1 })

    expect(await load()).toMatchObject({ status: 'loaded' })
  })

  it('reads a course again if its instructor’s portrait has changed, but no other portrait', async () => {
    await load()
    await db.update(courses).set({ title: 'Title in the database' }).where(eq(courses.id, courseId))
    const portraitsFolder = path.join(folder, 'instructors')
    const otherPortrait = path.join(portraitsFolder, 'new-instructor.webp')
    await writeFile(otherPortrait, 'a portrait of no course')
    await load()
    expect(await findCourse()).toMatchObject({ title: 'Title in the database' })

    const portraitName = /^ {2}image: (\S+)$/m.exec(courseYaml)?.[1]
    const portrait = path.join(portraitsFolder, `${portraitName}.webp`)
    const portraitBytes = await readFile(portrait)
    await writeFile(portrait, Buffer.alloc(9))
    const { problems } = await load()

    await writeFile(portrait, portraitBytes)
    await rm(otherPortrait)
    expect(problems).toEqual([expect.stringContaining('isn’t a readable picture')])
  })

  it('follows an alias that moves from one course to another', async () => {
    const yamlWithAlias = `aliases: [previous-twin]\n${courseYaml}`
    const twinFolder = await addCourse('twin', yamlWithAlias)
    await load()
    await writeFile(courseFile, withTitle('Read again'))
    await load()
    expect(await db.select().from(courseAliases)).toEqual([
      { alias: 'previous-twin', courseId: 'twin' },
    ])

    await writeFile(courseFile, yamlWithAlias)
    expect((await load()).problems.join()).toContain(
      '`previous-twin` is a course, or appears twice',
    )

    await rm(twinFolder, { recursive: true })
    await load()
    expect(await db.select().from(courseAliases)).toEqual([{ alias: 'previous-twin', courseId }])

    await writeFile(courseFile, courseYaml)
    await load({ isManual: true })
    expect(await db.select().from(courseAliases)).toEqual([])

    await db.delete(courses).where(eq(courses.id, 'twin'))
  })
})

describe('two processes that load at the same time', () => {
  it('wait for each other with a limit, which does not count for later statements', async () => {
    const limits = await db.transaction(async (transaction) => {
      await lockContent(transaction)
      const { rows } = await transaction.execute(sql`show lock_timeout`)
      const otherResult = await db.transaction((tx) => lockContent(tx, { maxWaitSeconds: 0.1 }))

      return { rows, otherResult }
    })

    expect(limits.rows).toEqual([{ lock_timeout: '0' }])
    expect(limits.otherResult).toMatchObject({
      ok: false,
      problem: expect.stringContaining('has been loading content for 0.1 seconds'),
    })
  })

  it('store the same content once', async () => {
    await writeFile(courseFile, withTitle('Loaded twice'))

    const loads = await Promise.all([load(), load()])

    expect(loads.map(({ status }) => status).sort()).toEqual(['loaded', 'unchanged'])
  })

  it('leave one of two different contents, and all of it', async () => {
    await load()
    const otherFolder = await mkdtemp(path.join(tmpdir(), 'learnify-other-'))
    await cp(folder, otherFolder, { recursive: true })
    await writeFile(
      path.join(otherFolder, 'courses', courseId, 'course.yaml'),
      withTitle('Of the other folder'),
    )
    await writeFile(path.join(folder, 'synonyms.yaml'), '- [a-word, another-word]\n')

    await Promise.all([loadContent(db, otherFolder, contentHooks), load({ isManual: true })])

    const [storedContent] = await db.select().from(contentState)
    const isFirstFolder = storedContent?.hash === hashContent(folder).content
    expect(await findCourse()).toMatchObject({
      title: isFirstFolder ? 'Python from Zero' : 'Of the other folder',
    })

    await rm(otherFolder, { recursive: true })
    await rm(path.join(folder, 'synonyms.yaml'))
  })
})

it('content that newer content has replaced comes back only on request', async () => {
  await load()
  await writeFile(courseFile, withTitle('The newer one'))
  await load()

  await writeFile(courseFile, courseYaml)
  expect(await load()).toMatchObject({ status: 'superseded' })
  expect(await findCourse()).toMatchObject({ title: 'The newer one' })

  expect(await load({ isManual: true })).toMatchObject({ status: 'loaded' })
  expect(await findCourse()).toMatchObject({ title: 'Python from Zero' })

  await writeFile(courseFile, withTitle('The newer one'))
  expect(await load()).toMatchObject({ status: 'superseded' })
})

describe('a currency with another number of decimal places', () => {
  it('makes every price be read again, also when the previous currency returns', async () => {
    await writeFile(courseFile, withPrice('49'))
    await load()
    expect(await findCourse()).toMatchObject({ priceMinor: 4900 })

    env.CURRENCY = 'JPY'
    await load()
    expect(await findCourse()).toMatchObject({ priceMinor: 49 })

    env.CURRENCY = 'USD'
    expect(await load()).toMatchObject({ status: 'loaded' })
    expect(await findCourse()).toMatchObject({ priceMinor: 4900 })
  })

  it('makes prices be read again even if the currency changed during a load', async () => {
    await writeFile(courseFile, withPrice('57'))
    const changeCurrency = () => {
      env.CURRENCY = 'JPY'
    }
    await load({ onProgress: changeCurrency })

    await load()

    expect(await findCourse()).toMatchObject({ priceMinor: 57 })
  })

  it('prevents the start while a price is not valid in it', async () => {
    await writeFile(courseFile, withPrice('49.50'))
    await loadContentAtStart(contentHooks, db, folder)

    env.CURRENCY = 'JPY'

    await expect(loadContentAtStart(contentHooks, db, folder)).rejects.toThrow(
      'JPY has no decimal places',
    )
  })
})

describe('content of an unusual size is valid and loads', () => {
  it.each([0, 1, 2, 50])('with %i testimonials and categories', async (count) => {
    const testimonial = '- { rating: 5, text: Good, name: Ada, role: Learner }\n'
    const categoryEntries = Array.from(
      { length: count },
      (_, index) => `- { id: ${index === 0 ? 'technology' : `music-${index}`}, name: Music }\n`,
    )
    const siteFiles = [
      { name: 'testimonials.yaml', text: testimonial.repeat(count) || '[]\n' },
      { name: 'categories.yaml', text: categoryEntries.join('') || '[]\n' },
    ]
    const originals = await Promise.all(
      siteFiles.map(async ({ name }) => ({
        name,
        bytes: await readFile(path.join(folder, name)),
      })),
    )
    for (const { name, text } of siteFiles) {
      await writeFile(path.join(folder, name), text)
    }

    const { problems } = await readContent(folder)
    const { status } = await load()

    for (const { name, bytes } of originals) {
      await writeFile(path.join(folder, name), bytes)
    }

    expect(problems).toEqual([])
    expect(status).toBe('loaded')
    expect(await db.$count(testimonials)).toBe(count)
    // A file without a category gets the five categories of earlier versions.
    expect(await db.$count(categories)).toBe(count || 5)
  })

  it('with the largest numbers, and without sections, reviews and skills', async () => {
    const extremeYaml = courseYaml
      .replace(/^curriculum:[\s\S]*/m, 'curriculum: []\nreviewsList: []\n')
      .replace(/^(skills|requirements|whatYouLearn):\n( {2}- .*\n)+/gm, '$1: []\n')
      .replace(/^title: .*$/m, `title: ${'W'.repeat(80)}`)
      .replace(/^students: .*$/m, 'students: 1000000000')
      .replace(/^originalPriceCents: .*$/m, 'originalPriceCents: 1000000000')
      .replace(/^lastUpdated: .*$/m, 'lastUpdated: 1900-01-01')
    await writeFile(courseFile, extremeYaml)
    const lessonsFolder = path.join(folder, 'courses', courseId, 'lessons')
    const lessonsBackup = `${lessonsFolder}.backup`
    await cp(lessonsFolder, lessonsBackup, { recursive: true })
    await rm(lessonsFolder, { recursive: true })

    const { problems } = await readContent(folder)
    const { status } = await load()

    await cp(lessonsBackup, lessonsFolder, { recursive: true })
    await rm(lessonsBackup, { recursive: true })

    expect(problems).toEqual([])
    expect(status).toBe('loaded')
  })
})
