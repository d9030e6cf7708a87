import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { courseLessons, courses } from '~/server/database/schema'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { findCourseDetail } from './course-queries.server'

let db: Database

beforeAll(async () => {
  ;({ db } = await createTestDatabase())
})

/** Stores a copy of Python from Zero with the fields that a test needs. */
async function addCourse(id: string, changes: Partial<typeof courses.$inferInsert>) {
  const [model] = await db.select().from(courses).where(eq(courses.id, 'python-from-zero'))
  if (!model) {
    throw new Error('the shipped content has this course')
  }

  await db.insert(courses).values({ ...model, id, ...changes })
}

describe('a course', () => {
  it('plays a lesson that is flagged preview and has a video, and no other', async () => {
    await db.update(courseLessons).set({ preview: true }).where(eq(courseLessons.kind, 'quiz'))
    const course = await findCourseDetail(db, 'python-from-zero')
    const lessons = course?.curriculum.flatMap((section) => section.lessons) ?? []
    const playable = lessons.filter(({ previewFiles }) => previewFiles !== null)

    expect(playable.length).toBeGreaterThan(0)
    expect(playable).toEqual(lessons.filter(({ preview, kind }) => preview && kind === 'video'))
  })

  it('comes whole: the sample of the specification', async () => {
    const course = await findCourseDetail(db, 'complete-web-development')

    expect(course).toMatchObject({
      title: 'The Complete Web Development Bootcamp',
      price: '$199',
      originalPrice: '$299',
      offer: { price: '199.00', currency: 'USD' },
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
          previewFiles: {
            mp4: '/media/courses/complete-web-development/videos/from-address-to-page.mp4',
            webm: '/media/courses/complete-web-development/videos/from-address-to-page.webm',
            captions: '/media/courses/complete-web-development/videos/from-address-to-page.vtt',
            poster: '/media/courses/complete-web-development/videos/from-address-to-page.webp',
          },
        },
        { kind: 'article', previewFiles: null, downloads: { count: 0, bytes: 0 } },
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
      answer: null,
      isLearners: false,
      helpful: 8,
    })
  })

  it('gives away no material: no article and no quiz question', async () => {
    const text = JSON.stringify(await findCourseDetail(db, 'complete-web-development'))
    expect(text).not.toMatch(/"(article|questions|options|correct)":/)
  })

  it('shows no lesson that left the content', async () => {
    await db
      .update(courseLessons)
      .set({ retired: true })
      .where(eq(courseLessons.id, 'links-and-paths'))
    const course = await findCourseDetail(db, 'complete-web-development')

    expect(course?.curriculum[0]?.lessons.map((lesson) => lesson.id)).not.toContain(
      'links-and-paths',
    )
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
