import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it } from 'vitest'
import { learnerLimits } from '~/features/enrollment/learner-limits'
import { CurrentCoursesSection } from './current-courses-section'
import type { EnrolledCourse, LearnerRecord } from './learner-record'

const long = 'A title as long as an operator may think of for a course or lesson '.repeat(2)
const course = (index: number): EnrolledCourse => ({
  id: `course-${index}`,
  name: `Course ${index} ${long}`,
  instructor: long,
  progress: 50,
  totalLessons: 10,
  certifiedLessons: 3,
  completedLessons: 5,
  enrolledAt: '2026-11-20T12:00:00.000Z',
  lastAccessed: '2026-11-20T12:00:00.000Z',
  completedAt: index % 2 ? '2026-11-20T12:00:00.000Z' : null,
  next: { id: 'lesson', title: long, positionMs: 1000 },
  published: true,
  certificateId: null,
  examDue: false,
})
const list = <Item,>(length: number, item: (index: number) => Item) =>
  Array.from({ length }, (_, index) => item(index))
const record = {
  uid: 'ada',
  timezone: null,
  enrolledCourses: list(learnerLimits.enrollments, course),
  bookmarks: list(learnerLimits.bookmarks, (index) => ({
    courseId: 'c',
    lessonId: `l${index}`,
    lesson: long,
    course: long,
  })),
  wishList: list(learnerLimits.wishes, (index) => ({
    id: `w${index}`,
    name: long,
    instructor: long,
  })),
} as unknown as LearnerRecord

const now = new Date('2026-11-21T12:00:00Z')

const sectionPath = '/Profile/current-courses'

function render(search: string, displayedRecord = record): string {
  const section = <CurrentCoursesSection record={displayedRecord} now={now} />
  const router = createMemoryRouter([{ path: sectionPath, element: section }], {
    initialEntries: [sectionPath + search],
  })
  return renderToStaticMarkup(<RouterProvider router={router} />)
}

/**
 * Lists the numbers of the displayed courses. The title of a course is in several places of its
 * row.
 */
const listCourseNumbers = (html: string) => [
  ...new Set([...html.matchAll(/Course (\d+) A title/g)].map(([, index]) => index)),
]

it('the courses of whoever keeps the most that an account may keep come in pages, each small', () => {
  const pages = [1, 13, 25].map((page) => render(`?page=${page}`))
  for (const html of pages) {
    expect(html.length).toBeLessThan(500_000)
  }

  expect(new Set(pages.flatMap(listCourseNumbers)).size).toBe(60)
  expect(pages[1]).toContain('Page 13 of 25')
  expect(listCourseNumbers(render('?page=999'))).toEqual(listCourseNumbers(pages[2] ?? ''))
  expect(listCourseNumbers(render('?page=x'))).toEqual(listCourseNumbers(pages[0] ?? ''))
}, 60_000)

it('a withdrawn course still leads to the learner’s certificate', () => {
  const withdrawnCourse = { ...course(1), published: false, certificateId: 'ada-certificate' }
  const html = render('', { ...record, enrolledCourses: [withdrawnCourse] })

  expect(html).toContain('href="/Certificate/ada-certificate"')
  expect(html).not.toContain('/Learn/course-1')
})
