import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contentFeatures } from '~/content-features.server'
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
import { loadContent, loadContentAtStart } from './content-loader.server'

const slug = 'python-from-zero'
let db: Database
let folder: string
let courseFile: string
let original: string

beforeAll(async () => {
  db = (await createTestDatabase()).db
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-content-'))
  await cp(env.CONTENT_DIR, folder, { recursive: true })
  // One course, because each test loads the folder several times.
  for (const other of await readdir(path.join(folder, 'courses'))) {
    if (other !== slug) {
      await rm(path.join(folder, 'courses', other), { recursive: true })
    }
  }

  await rm(path.join(folder, 'demo-learner.yaml'))
  courseFile = path.join(folder, 'courses', slug, 'course.yaml')
  original = await readFile(courseFile, 'utf8')
})
beforeEach(async () => {
  await writeFile(courseFile, original)
  await db.delete(contentHistory)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const rewrite = (from: string | RegExp, to: string) =>
  writeFile(courseFile, original.replace(from, to))
const titleOf = async () => (await db.select().from(courses).where(eq(courses.id, slug)))[0]?.title

describe('content', () => {
  it('that is broken leaves what was loaded before as it was', async () => {
    await loadContent(db, folder, contentFeatures)
    const before = await db.select().from(courses).orderBy(courses.id)
    await writeFile(
      courseFile,
      original.replace(/^title: .*$/m, 'title: Changed').replace(/^level: .*$/m, 'level: wizard'),
    )
    await expect(loadContent(db, folder, contentFeatures)).rejects.toThrow(/nothing was changed/)
    expect(await db.select().from(courses).orderBy(courses.id)).toEqual(before)
  })

  it('of a broken course blocks that course alone, until it is repaired', async () => {
    const second = path.join(folder, 'courses', 'second')
    await cp(path.join(folder, 'courses', slug), second, { recursive: true })
    await loadContent(db, folder, contentFeatures)
    await rewrite(/^title: .*$/m, 'title: Changed')
    await writeFile(
      path.join(second, 'course.yaml'),
      original.replace(/^level: .*$/m, 'level: wizard'),
    )
    for (const _ of ['first', 'again']) {
      const { result, problems } = await loadContent(db, folder, contentFeatures)
      expect(result).toBe('loaded')
      expect(problems).toEqual([
        expect.stringMatching(/second\/course\.yaml:\d+: `level` is 'wizard'/),
      ])
      expect(await titleOf()).toBe('Changed')
      const [left] = await db.select().from(courses).where(eq(courses.id, 'second'))
      expect(left).toMatchObject({ level: 'beginner', published: true })
    }

    await writeFile(path.join(second, 'course.yaml'), original)
    expect(await loadContent(db, folder, contentFeatures)).toMatchObject({
      result: 'loaded',
      problems: [],
    })
    expect((await loadContent(db, folder, contentFeatures)).result).toBe('unchanged')
    await rm(second, { recursive: true })
  })

  it('whose categories changed names the courses that lost theirs', async () => {
    const file = path.join(folder, 'categories.yaml')
    const before = await readFile(file, 'utf8')
    const twin = path.join(folder, 'courses', 'twin')
    await cp(path.join(folder, 'courses', slug), twin, { recursive: true })
    await writeFile(
      path.join(twin, 'course.yaml'),
      original.replace(/^category: .*$/m, 'category: design'),
    )
    await loadContent(db, folder, contentFeatures)
    await writeFile(file, '- { id: design, name: Design }\n- { id: baking, name: Baking }\n')
    const { problems } = await loadContent(db, folder, contentFeatures)
    await writeFile(file, before)
    await rm(twin, { recursive: true })
    expect(problems).toEqual([
      expect.stringMatching(
        /python-from-zero\/course\.yaml:\d+: `category` is 'technology', which categories\.yaml doesn’t/,
      ),
    ])
  })

  it('that is unchanged writes nothing, and an edit is loaded', async () => {
    await loadContent(db, folder, contentFeatures)
    expect(await loadContent(db, folder, contentFeatures)).toMatchObject({ result: 'unchanged' })
    await rewrite(/^title: .*$/m, 'title: A new title')
    expect(await loadContent(db, folder, contentFeatures)).toMatchObject({ result: 'loaded' })
    expect(await titleOf()).toBe('A new title')
  })

  it('retires a lesson that leaves the file and keeps its row', async () => {
    await loadContent(db, folder, contentFeatures)
    const { content } = await readContent(folder)
    const announced = content?.courses
      .find((course) => course.id === slug)
      ?.curriculum.flatMap((section) => section.lessons)
      .find((lesson) => lesson.kind === 'announced')
    await rewrite(new RegExp(`\\bid: ${announced?.id}\\b`), 'id: a-lesson-of-another-name')
    await loadContent(db, folder, contentFeatures)
    const rowOf = (id: string) =>
      db
        .select()
        .from(courseLessons)
        .where(and(eq(courseLessons.courseId, slug), eq(courseLessons.id, id)))

    expect(await rowOf(announced?.id ?? '')).toMatchObject([{ retired: true }])
    expect(await rowOf('a-lesson-of-another-name')).toMatchObject([{ retired: false }])
  })

  it('is read again only where a course has changed', async () => {
    const twin = path.join(folder, 'courses', 'twin')
    await cp(path.join(folder, 'courses', slug), twin, { recursive: true })
    await loadContent(db, folder, contentFeatures)
    // An unchanged course is not read or stored again, so a manual change stays.
    await db.update(courses).set({ title: 'By hand' })
    await rewrite(/^title: .*$/m, 'title: Read again')
    await loadContent(db, folder, contentFeatures)
    const titles = db
      .select({ id: courses.id, title: courses.title })
      .from(courses)
      .where(eq(courses.published, true))
    expect(await titles.orderBy(courses.id)).toEqual([
      { id: slug, title: 'Read again' },
      { id: 'twin', title: 'By hand' },
    ])

    await rm(twin, { recursive: true })
    await loadContent(db, folder, contentFeatures)
    await cp(path.join(folder, 'courses', slug), twin, { recursive: true })
    await loadContent(db, folder, contentFeatures)
    const [back] = await db.select().from(courses).where(eq(courses.id, 'twin'))
    expect(back).toMatchObject({ title: 'Read again', published: true })
    await rm(twin, { recursive: true })
    await loadContent(db, folder, contentFeatures)
    await db.delete(courses).where(eq(courses.id, 'twin'))
  })

  it('that is unchanged is loaded anew after a migration', async () => {
    await loadContent(db, folder, contentFeatures)
    expect(await loadContent(db, folder, contentFeatures)).toMatchObject({ result: 'unchanged' })
    await db.update(contentState).set({ migrations: countMigrations() - 1 })
    expect(await loadContent(db, folder, contentFeatures)).toMatchObject({ result: 'loaded' })
  })

  it('is read again where an instructor’s portrait has changed, and nowhere else', async () => {
    await loadContent(db, folder, contentFeatures)
    await db.update(courses).set({ title: 'By hand' }).where(eq(courses.id, slug))
    const portraits = path.join(folder, 'instructors')
    await writeFile(path.join(portraits, 'somebody-new.webp'), 'of no course yet')
    await loadContent(db, folder, contentFeatures)
    expect(await titleOf()).toBe('By hand')
    const own = path.join(portraits, `${/^ {2}image: (\S+)$/m.exec(original)?.[1]}.webp`)
    const before = await readFile(own)
    await writeFile(own, Buffer.alloc(9))
    await expect(loadContent(db, folder, contentFeatures)).rejects.toThrow(
      /isn’t a readable picture/,
    )
    await writeFile(own, before)
    await rm(path.join(portraits, 'somebody-new.webp'))
  })

  it('is read again only where a course has changed, also beside one that names a former folder', async () => {
    const twin = path.join(folder, 'courses', 'twin')
    await cp(path.join(folder, 'courses', slug), twin, { recursive: true })
    const twinFile = path.join(twin, 'course.yaml')
    await writeFile(twinFile, `aliases: [former-twin]\n${original}`)
    await loadContent(db, folder, contentFeatures)
    await rewrite(/^title: .*$/m, 'title: Read again')
    await loadContent(db, folder, contentFeatures)
    expect(await db.select().from(courseAliases)).toEqual([
      { alias: 'former-twin', courseId: 'twin' },
    ])
    await writeFile(courseFile, `aliases: [former-twin]\n${original}`)
    await expect(loadContent(db, folder, contentFeatures)).rejects.toThrow(
      /`former-twin` is a course, or appears twice/,
    )
    await rm(twin, { recursive: true })
    await loadContent(db, folder, contentFeatures)
    expect(await db.select().from(courseAliases)).toEqual([
      { alias: 'former-twin', courseId: slug },
    ])
    await writeFile(courseFile, original)
    await loadContent(db, folder, contentFeatures, { backToo: true })
    expect(await db.select().from(courseAliases)).toEqual([])
    await db.delete(courses).where(eq(courses.id, 'twin'))
  })

  it('is read whole where another process loaded other content meanwhile', async () => {
    await loadContent(db, folder, contentFeatures)
    const other = await mkdtemp(path.join(tmpdir(), 'learnify-other-'))
    await cp(folder, other, { recursive: true })
    const file = path.join(other, 'courses', slug, 'course.yaml')
    await writeFile(file, original.replace(/^title: .*$/m, 'title: Of the other'))
    await writeFile(path.join(folder, 'synonyms.yaml'), '- [a-word, another-word]\n')
    const ownWay = { backToo: true }
    await Promise.all([
      loadContent(db, other, contentFeatures),
      loadContent(db, folder, contentFeatures, ownWay),
    ])
    // The last load is stored completely.
    const [{ hash } = { hash: '' }] = await db.select().from(contentState)
    const isOwn = hash === hashContent(folder).whole
    expect(await titleOf()).toBe(isOwn ? 'Python from Zero' : 'Of the other')
    await rm(other, { recursive: true })
    await rm(path.join(folder, 'synonyms.yaml'))
  })

  it('loaded by two processes at once is loaded once', async () => {
    await rewrite(/^title: .*$/m, 'title: Twice at once')
    const results = await Promise.all([
      loadContent(db, folder, contentFeatures),
      loadContent(db, folder, contentFeatures),
    ])
    expect(results.map(({ result }) => result).sort()).toEqual(['loaded', 'unchanged'])
  })

  it('that newer content has replaced comes back only by an explicit load', async () => {
    await loadContent(db, folder, contentFeatures)
    await rewrite(/^title: .*$/m, 'title: The newer one')
    await loadContent(db, folder, contentFeatures)
    await writeFile(courseFile, original)
    expect(await loadContent(db, folder, contentFeatures)).toMatchObject({ result: 'superseded' })
    expect(await titleOf()).toBe('The newer one')
    expect(await loadContent(db, folder, contentFeatures, { backToo: true })).toMatchObject({
      result: 'loaded',
    })
    expect(await titleOf()).toBe('Python from Zero')
    await rewrite(/^title: .*$/m, 'title: The newer one')
    expect(await loadContent(db, folder, contentFeatures)).toMatchObject({ result: 'superseded' })
  })

  it('is read again when the currency goes back to one of other decimal places', async () => {
    const price = async () =>
      (await db.select().from(courses).where(eq(courses.id, slug)))[0]?.priceCents
    const before = env.CURRENCY
    try {
      await rewrite(/^price(Cents)?: .*$/m, 'price: 49')
      await loadContent(db, folder, contentFeatures)
      expect(await price()).toBe(4900)
      env.CURRENCY = 'JPY'
      await loadContent(db, folder, contentFeatures)
      expect(await price()).toBe(49)
      env.CURRENCY = 'USD'
      expect(await loadContent(db, folder, contentFeatures)).toMatchObject({ result: 'loaded' })
      expect(await price()).toBe(4900)
    } finally {
      env.CURRENCY = before
    }
  })

  it('with a broken price does not start in a currency of other decimal places', async () => {
    const before = env.CURRENCY
    try {
      await rewrite(/^price: .*$/m, 'price: 49.50')
      await loadContentAtStart(contentFeatures, db, folder)
      env.CURRENCY = 'JPY'
      await expect(loadContentAtStart(contentFeatures, db, folder)).rejects.toThrow(
        'JPY has no decimal places',
      )
    } finally {
      env.CURRENCY = before
    }
  })

  it.each([0, 1, 2, 50])(
    'with %i testimonials and categories is checked as good and loads',
    async (count) => {
      const many = (entry: string) => (count === 0 ? '[]\n' : entry.repeat(count))
      const files = {
        'testimonials.yaml': many('- { rating: 5, text: Good, name: Ada, role: Learner }\n'),
        'categories.yaml':
          count === 0
            ? '[]\n'
            : Array.from(
                { length: count },
                (_, index) => `- { id: ${index ? `music-${index}` : 'technology'}, name: Music }\n`,
              ).join(''),
      }
      const before = await Promise.all(
        Object.keys(files).map((name) => readFile(path.join(folder, name))),
      )
      for (const [name, text] of Object.entries(files)) {
        await writeFile(path.join(folder, name), text)
      }

      const { problems } = await readContent(folder)
      const { result } = await loadContent(db, folder, contentFeatures)
      for (const [index, name] of Object.keys(files).entries()) {
        await writeFile(path.join(folder, name), before[index] ?? '')
      }

      expect(problems).toEqual([])
      expect(result).toBe('loaded')
      expect(await db.$count(testimonials)).toBe(count)
      // Without a category of its own, a file has those of earlier versions.
      expect(await db.$count(categories)).toBe(count || 5)
    },
  )

  it('without sections, reviews or skills, with the largest numbers and names, is checked as good and loads', async () => {
    const bare = original
      .replace(/^curriculum:[\s\S]*/m, 'curriculum: []\nreviewsList: []\n')
      .replace(/^(skills|requirements|whatYouLearn):\n( {2}- .*\n)+/gm, '$1: []\n')
      .replace(/^title: .*$/m, `title: ${'W'.repeat(80)}`)
      .replace(/^students: .*$/m, 'students: 1000000000')
      .replace(/^originalPriceCents: .*$/m, 'originalPriceCents: 1000000000')
      .replace(/^lastUpdated: .*$/m, 'lastUpdated: 1900-01-01')

    await writeFile(courseFile, bare)
    const lessons = path.join(folder, 'courses', slug, 'lessons')
    const articles = `${lessons}.kept`
    await cp(lessons, articles, { recursive: true })
    await rm(lessons, { recursive: true })
    const { problems } = await readContent(folder)
    const { result } = await loadContent(db, folder, contentFeatures)
    await cp(articles, lessons, { recursive: true })
    await rm(articles, { recursive: true })
    expect(problems).toEqual([])
    expect(result).toBe('loaded')
  })
})
