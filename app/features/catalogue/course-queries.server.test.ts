import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { courseLessons, courses } from '~/server/database/schema'
import { testDatabase } from '../../../tests/support/test-database'
import { type CourseFilters, parseCourseFilters } from './course-filters'
import { findCourseDetail, listCatalogueCourses } from './course-queries.server'

let db: Database

beforeAll(async () => {
  ;({ db } = await testDatabase())
})

const everything: CourseFilters = { search: '', category: 'all', level: 'all' }
const idsOf = async (filters: Partial<CourseFilters>) =>
  (await listCatalogueCourses(db, { ...everything, ...filters })).map((course) => course.id)

/** A course like Python from Zero, with what a test is about. */
async function addCourse(id: string, changes: Partial<typeof courses.$inferInsert>) {
  const [model] = await db.select().from(courses).where(eq(courses.id, 'python-from-zero'))
  if (!model) throw new Error('the shipped content has this course')
  await db.insert(courses).values({ ...model, id, ...changes })
}

describe('the catalogue', () => {
  it('has the twelve shipped courses at 69 to 249 dollars, most students first', async () => {
    const all = await listCatalogueCourses(db, everything)
    expect(all).toHaveLength(12)
    const prices = all.map((course) => course.priceCents)
    expect([Math.min(...prices), Math.max(...prices)]).toEqual([6900, 24900])
    const students = all.map((course) => course.students)
    expect(students).toEqual(students.toSorted((a, b) => b - a))
  })

  it('finds by title, summary or instructor, whatever the case', async () => {
    expect(await idsOf({ search: 'PYTHON FROM' })).toEqual(['python-from-zero'])
    expect(await idsOf({ search: 'hash tables' })).toEqual(['data-structures-and-algorithms'])
    expect(await idsOf({ search: 'noor hADDad' })).toEqual(['interface-design-fundamentals'])
  })

  it('folds the case of letters beyond ASCII', async () => {
    await addCourse('ecole', { title: 'Écrire à l’école', instructorName: 'ØYSTEIN Ås', published: true })
    expect(await idsOf({ search: 'éCRIRE À' })).toEqual(['ecole'])
    expect(await idsOf({ search: 'øystein å' })).toEqual(['ecole'])
    await db.delete(courses).where(eq(courses.id, 'ecole'))
  })

  it('combines search, category and level', async () => {
    const found = await listCatalogueCourses(db, { search: 'e', category: 'design', level: 'advanced' })
    expect(found.map((course) => course.id)).toEqual(['design-systems-that-last'])
    expect(await idsOf({ search: 'python', category: 'design' })).toEqual([])
  })

  it.each([
    ['technology', 3],
    ['design', 3],
    ['business', 3],
    ['marketing', 2],
    ['photography', 1],
  ] as const)('narrows down to %s', async (category, count) => {
    const found = await listCatalogueCourses(db, { ...everything, category })
    expect(found.map((course) => course.category)).toEqual(Array(count).fill(category))
  })

  it.each(['%', '_', '\\', '%%', "' or 1=1 --", '"; drop table courses; --', '$1', '\\%'])(
    'takes %j literally',
    async (search) => {
      expect(await idsOf({ search })).toEqual([])
    },
  )

  it('finds a percent sign, an underscore and a backslash where they stand', async () => {
    await addCourse('odd', { title: '100% snake_case \\o/' })
    for (const search of ['100%', 'snake_', '\\o/']) expect(await idsOf({ search })).toEqual(['odd'])
    await db.delete(courses).where(eq(courses.id, 'odd'))
  })

  it('survives NUL bytes and any other characters of an address', async () => {
    const filters = parseCourseFilters(new URLSearchParams({ q: 'pyth\0on 😀 \u202e' }))
    expect(await listCatalogueCourses(db, filters)).toEqual([])
  })

  it('keeps drafts and courses outside the catalogue out, also from a search', async () => {
    await addCourse('draft', { title: 'Unfinished draft', published: false })
    await addCourse('hidden', { title: 'Unlisted draft', inCatalogue: false })
    expect(await idsOf({ search: 'draft' })).toEqual([])
    expect(await idsOf({ search: 'Bootcamp' })).toEqual([])
  })
})

describe('a course', () => {
  it('comes whole: the sample of the specification', async () => {
    const course = await findCourseDetail(db, 'complete-web-development')
    expect(course).toMatchObject({
      title: 'The Complete Web Development Bootcamp',
      priceCents: 19900,
      originalPriceCents: 29900,
      durationHours: 65,
      lectures: 180,
      downloadableResources: 15,
      rating: 4.8,
      lastUpdated: '2026-10-12',
      instructor: { name: 'Sofia Lindqvist', courses: 3, rating: 4.8 },
    })
    expect(course?.curriculum).toHaveLength(4)
    expect(course?.curriculum[0]).toMatchObject({
      title: 'How the Web Works, and HTML',
      lectures: 38,
      durationMinutes: 780,
      lessons: [
        {
          title: 'From an Address to a Page',
          kind: 'video',
          preview: true,
          video: '/media/courses/complete-web-development/videos/from-address-to-page',
        },
        { kind: 'article', video: null },
        { kind: 'announced', preview: false },
        { kind: 'announced' },
        { kind: 'quiz' },
      ],
    })
    expect(course?.reviewsList.map((review) => review.rating)).toEqual([5, 5, 3, 5, 4, 5])
    expect(course?.reviewsList.at(-1)).toEqual({
      id: 'just-a-rating',
      name: 'Mei Tanabe',
      photo: null,
      rating: 5,
      date: '2026-04-11',
      edited: false,
      comment: null,
      helpful: 8,
    })
  })

  it('gives away no material: no article and no quiz question', async () => {
    const text = JSON.stringify(await findCourseDetail(db, 'complete-web-development'))
    expect(text).not.toMatch(/"(article|questions|options|correct)":/)
  })

  it('shows no lesson that left the content', async () => {
    await db.update(courseLessons).set({ retired: true }).where(eq(courseLessons.id, 'links-and-paths'))
    const course = await findCourseDetail(db, 'complete-web-development')
    expect(course?.curriculum[0]?.lessons.map((lesson) => lesson.id)).not.toContain('links-and-paths')
  })

  it('is not found when it is unknown or a draft', async () => {
    await addCourse('secret', { published: false })
    expect(await findCourseDetail(db, 'secret')).toBeNull()
    expect(await findCourseDetail(db, 'nope')).toBeNull()
    expect(await findCourseDetail(db, "' or ''='")).toBeNull()
  })

  it('has empty lists rather than none when it has no sections or reviews', async () => {
    await addCourse('bare', {})
    expect(await findCourseDetail(db, 'bare')).toMatchObject({ curriculum: [], reviewsList: [] })
  })
})
