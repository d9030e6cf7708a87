import { expect, it } from 'vitest'
import { createCourseJsonLd } from '../sharing/structured-course'
import { getAvailabilityTexts } from './course-messages'
import type { CourseDetail } from './course-queries.server'

const lesson = (
  kind: 'video' | 'article' | 'quiz' | 'announced',
  durationSeconds: number,
  count = 0,
) => ({
  kind,
  durationSeconds,
  downloads: { count, bytes: count * 10 },
})
const course = (
  lessons: ReturnType<typeof lesson>[],
  lectures = 180,
  downloadableResources = 15,
) => ({
  curriculum: [{ lessons }, { lessons: [] }],
  lectures,
  downloadableResources,
})

it('a course says what is there today beside what it announces', () => {
  const lessons = [lesson('video', 150), lesson('article', 5_850, 5), lesson('announced', 9_000)]
  expect(getAvailabilityTexts(course(lessons))).toEqual({
    lessons: 'Available now: 2 lessons, 1 h 40 min',
    downloads: 'Available now: 5',
  })
})

it('a course without material says so', () => {
  expect(getAvailabilityTexts(course([lesson('announced', 600)]))).toEqual({
    lessons: 'No lessons available yet',
    downloads: 'None available yet',
  })
})

it('a course that has everything says nothing', () => {
  expect(getAvailabilityTexts(course([lesson('quiz', 20, 2)], 1, 2))).toEqual({
    lessons: null,
    downloads: null,
  })
})

it('the shortest material counts as a minute', () => {
  expect(getAvailabilityTexts(course([lesson('video', 28)])).lessons).toBe(
    'Available now: 1 lesson, 1 min',
  )
})

it('search engines read the price, and how long the material of today is, not what is announced', () => {
  const offer = { price: '49.00', currency: 'EUR' }
  const read = (lessons: Parameters<typeof course>[0]) =>
    createCourseJsonLd(
      {
        ...course(lessons),
        durationHours: 40,
        instructor: {},
        skills: [],
        offer,
      } as unknown as CourseDetail,
      {
        pageUrl: 'https://a.example/OneCourse/chess',
        imageUrl: 'https://a.example/chess.webp',
      },
    )
  const { hasCourseInstance, offers } = read([lesson('video', 1800), lesson('announced', 7200)])

  expect(hasCourseInstance.courseWorkload).toBe('PT30M')
  expect(offers).toMatchObject({ price: '49.00', priceCurrency: 'EUR' })
  expect(read([lesson('announced', 7200)]).hasCourseInstance.courseWorkload).toBeUndefined()
})
