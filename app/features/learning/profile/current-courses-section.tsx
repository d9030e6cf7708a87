import { BookOpen } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { ButtonLink } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import type { Wishes } from '../enrollment/wish-button'
import { BookmarksSection } from './bookmarks-section'
import { EnrolledCourseRow } from './enrolled-course-row'
import type { EnrolledCourse, LearnerRecord } from './learner-record'
import { SectionHeading } from './profile-layout'
import { RecordNotice } from './record-notice'
import { WishListSection } from './wish-list-section'

type CurrentCoursesProps = {
  wishes: Wishes
  /** Null when it could not be read just now. */
  record: LearnerRecord | null
  now: Date
}

export function CurrentCoursesSection({ record, now, wishes }: CurrentCoursesProps) {
  const courses = record?.enrolledCourses ?? []
  const inProgress = courses.filter((course) => !course.completedAt)
  const completed = courses.filter((course) => course.completedAt)
  const { page, pages } = usePage(courses.length)
  const shown = new Set([...inProgress, ...completed].slice((page - 1) * coursesAPage, page * coursesAPage))
  const groups = [
    { title: 'In progress', courses: inProgress.filter((course) => shown.has(course)), count: inProgress.length },
    { title: 'Completed', courses: completed.filter((course) => shown.has(course)), count: completed.length },
  ].filter((group) => group.courses.length > 0)
  return (
    <>
      <SectionHeading
        intro="Most recently opened first. Longer lessons count more toward your progress."
        action={
          courses.length > 0 && (
            <ButtonLink to="/AllCourses" look="secondary">
              Browse courses
            </ButtonLink>
          )
        }
      >
        Current Courses
      </SectionHeading>
      {!record && <RecordNotice />}
      {record && courses.length === 0 && <NoCourses />}
      <div className="grid gap-8">
        {groups.map((group) => (
          <CourseGroup key={group.title} {...group} timezone={record?.displayTimezone ?? 'UTC'} now={now} />
        ))}
      </div>
      {pages > 1 && <CoursePager page={page} pages={pages} />}
      {record && <BookmarksSection lessons={record.bookmarks} />}
      {record && <WishListSection courses={record.wishList} wishes={wishes} />}
    </>
  )
}

const coursesAPage = 20

/** In the address, so that it needs no script. */
function usePage(courses: number) {
  const [search] = useSearchParams()
  const pages = Math.max(1, Math.ceil(courses / coursesAPage))
  const asked = Number(search.get('page'))
  return { page: Number.isInteger(asked) ? Math.min(Math.max(asked, 1), pages) : 1, pages }
}

function CoursePager({ page, pages }: { page: number; pages: number }) {
  const look = 'inline-flex min-h-11 items-center font-semibold text-accent underline-offset-4 hover:underline'
  return (
    <nav aria-label="Course pages" className="mt-6 flex flex-wrap items-center gap-x-6">
      {page > 1 && (
        <Link to={`?page=${page - 1}`} className={look}>
          Previous courses
        </Link>
      )}
      <span className="text-muted">
        Page {page} of {pages}
      </span>
      {page < pages && (
        <Link to={`?page=${page + 1}`} className={look}>
          Next courses
        </Link>
      )}
    </nav>
  )
}

type CourseGroupProps = {
  title: string
  courses: readonly EnrolledCourse[]
  /** On all pages. */
  count: number
  timezone: string
  now: Date
}

function CourseGroup({ title, courses, count, timezone, now }: CourseGroupProps) {
  return (
    <section>
      <h2 className="mb-4 font-bold text-lg">
        {title} <span className="font-medium text-muted">{count}</span>
      </h2>
      <ul className="grid gap-4">
        {courses.map((course, index) => (
          <li key={course.id} className="card p-4 sm:p-5">
            <EnrolledCourseRow
              course={course}
              timezone={timezone}
              now={now}
              main={index === 0 && !course.completedAt}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function NoCourses() {
  return (
    <EmptyState
      icon={<BookOpen />}
      title="You’re not enrolled in any courses yet"
      action={<ButtonLink to="/AllCourses">Browse courses</ButtonLink>}
    >
      Browse the courses and preview a few lessons before you decide.
    </EmptyState>
  )
}
