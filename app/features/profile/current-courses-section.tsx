import { BookOpen } from 'lucide-react'
import { useState } from 'react'
import { Link, useRevalidator, useSearchParams } from 'react-router'
import { useOwnCourses } from '~/features/enrollment/own-courses'
import { ButtonLink } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { EnrolledCourseRow } from './enrolled-course-row'
import type { EnrolledCourse, LearnerRecord } from './learner-record'
import { LeaveCourseForm, type LeftCourse, LeftCourseNotice } from './leave-course'
import { RecordNotice, SectionHeading } from './profile-layout'
import { noCourses } from './profile-messages'
import { BookmarksSection, WishListSection } from './saved-lists'

type CurrentCoursesProps = {
  /** Null when it could not be read just now. */
  record: LearnerRecord | null
  now: Date
}

export function CurrentCoursesSection({ record, now }: CurrentCoursesProps) {
  const leaving = useLeaving()
  const { enrollments } = useOwnCourses()
  const courses = record?.enrolledCourses ?? []
  const inProgress = courses.filter((course) => !course.completedAt)
  const completed = courses.filter((course) => course.completedAt)
  const { page, pages } = usePage(courses.length)
  const shown = new Set(
    [...inProgress, ...completed].slice((page - 1) * coursesAPage, page * coursesAPage),
  )
  const groups = [
    {
      title: 'In progress',
      courses: inProgress.filter((course) => shown.has(course)),
      count: inProgress.length,
    },
    {
      title: 'Completed',
      courses: completed.filter((course) => shown.has(course)),
      count: completed.length,
    },
  ].filter((group) => group.courses.length > 0)

  return (
    <>
      <SectionHeading
        intro="Most recently opened first. Longer lessons count more toward your progress."
        action={
          courses.length > 0 && (
            <ButtonLink to="/AllCourses" variant="secondary">
              Browse courses
            </ButtonLink>
          )
        }
      >
        Current Courses
      </SectionHeading>
      {leaving.left && (
        <LeftCourseNotice course={leaving.left} enrollments={enrollments} onUndo={leaving.undo} />
      )}
      {!record && <RecordNotice />}
      {record && courses.length === 0 && <NoCourses />}
      <div className="grid gap-8">
        {groups.map((group) => (
          <CourseGroup
            key={group.title}
            {...group}
            timezone={record?.displayTimezone ?? 'UTC'}
            now={now}
            onLeave={leaving.leave}
          />
        ))}
      </div>
      {pages > 1 && <CoursePager page={page} pages={pages} />}
      {record && <BookmarksSection lessons={record.bookmarks} />}
      {record && <WishListSection courses={record.wishList} />}
    </>
  )
}

/** Leaving can be undone until the next course is left. */
function useLeaving() {
  const { leave: leaveCourse, enroll } = useOwnCourses()
  const [left, setLeft] = useState<LeftCourse | null>(null)
  const { revalidate } = useRevalidator()
  const leave = async ({ id, name }: EnrolledCourse) => {
    const refusal = await leaveCourse(id)
    if (refusal !== null) {
      return refusal
    }

    setLeft({ id, name, undone: false })
    await revalidate()

    return null
  }
  const undo = () => {
    if (!left) {
      return
    }

    setLeft({ ...left, undone: true })
    enroll(left.id)
  }

  return { left, leave, undo }
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
  const shapeClasses =
    'inline-flex min-h-11 items-center font-semibold text-accent underline-offset-4 hover:underline'
  return (
    <nav aria-label="Course pages" className="mt-6 flex flex-wrap items-center gap-x-6">
      {page > 1 && (
        <Link to={`?page=${page - 1}`} className={shapeClasses}>
          Previous courses
        </Link>
      )}
      <span className="text-muted">
        Page {page} of {pages}
      </span>
      {page < pages && (
        <Link to={`?page=${page + 1}`} className={shapeClasses}>
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
  onLeave(course: EnrolledCourse): Promise<string | null>
}

function CourseGroup({ title, courses, count, timezone, now, onLeave }: CourseGroupProps) {
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
              leave={
                !course.completedAt && (
                  <LeaveCourseForm
                    courseId={course.id}
                    name={course.name}
                    onLeave={() => onLeave(course)}
                  />
                )
              }
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
      title={noCourses.title}
      action={<ButtonLink to="/AllCourses">Browse courses</ButtonLink>}
    >
      {noCourses.text}
    </EmptyState>
  )
}
