/**
 * The page with all courses of a learner, and with the lessons and courses that they have saved.
 */
import { Bookmark, BookOpen, Heart, type LucideIcon } from 'lucide-react'
import { Children, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useOwnCourses } from '~/features/enrollment/own-courses'
import { WishButton } from '~/features/enrollment/wish-button'
import { ButtonLink } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { EnrolledCourseRow } from './enrolled-course-row'
import type {
  BookmarkedLesson,
  EnrolledCourse,
  LearnerRecord,
  WishedCourse,
} from './learner-record'
import { LeaveCourseForm, LeaveCourseNotice, useLeaveCourse } from './leave-course'
import { RecordErrorNotice, SectionHeading } from './profile-layout'
import { profileMessages } from './profile-messages'

const coursesPerPage = 20

type CurrentCoursesProps = {
  /** Null if the record could not be loaded. */
  record: LearnerRecord | null
  now: Date
}

export function CurrentCoursesSection({ record, now }: CurrentCoursesProps) {
  const { recentlyLeftCourse, leaveCourse, undoLeaving } = useLeaveCourse()
  const { enrollments } = useOwnCourses()

  const courses = record?.enrolledCourses ?? []
  const coursesInProgress = courses.filter(isInProgress)
  const completedCourses = courses.filter(isCompleted)

  const { page, pageCount } = usePage(courses.length)
  const pageStart = (page - 1) * coursesPerPage
  const coursesOnPage = [...coursesInProgress, ...completedCourses].slice(
    pageStart,
    pageStart + coursesPerPage,
  )

  const groups = [
    {
      title: 'In progress',
      courses: coursesOnPage.filter(isInProgress),
      totalCount: coursesInProgress.length,
    },
    {
      title: 'Completed',
      courses: coursesOnPage.filter(isCompleted),
      totalCount: completedCourses.length,
    },
  ]
  const visibleGroups = groups.filter((group) => group.courses.length > 0)

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
      {recentlyLeftCourse && (
        <LeaveCourseNotice
          course={recentlyLeftCourse}
          enrollments={enrollments}
          onUndo={undoLeaving}
        />
      )}
      {!record && <RecordErrorNotice />}
      {record && courses.length === 0 && <NoCourses />}
      <div className="grid gap-8">
        {visibleGroups.map((group) => (
          <CourseGroup
            key={group.title}
            {...group}
            timezone={record?.displayTimezone ?? 'UTC'}
            now={now}
            onLeave={leaveCourse}
          />
        ))}
      </div>
      {pageCount > 1 && <CoursePager page={page} pageCount={pageCount} />}
      {record && <BookmarksSection lessons={record.bookmarks} />}
      {record && <WishListSection courses={record.wishList} />}
    </>
  )
}

function isInProgress({ completedAt }: EnrolledCourse): boolean {
  return completedAt === null
}

function isCompleted({ completedAt }: EnrolledCourse): boolean {
  return completedAt !== null
}

/** Reads the page number from the URL, so that the pager works without JavaScript. */
function usePage(courseCount: number) {
  const [search] = useSearchParams()
  const pageCount = Math.max(1, Math.ceil(courseCount / coursesPerPage))

  const requestedPage = Number(search.get('page'))
  const page = Number.isInteger(requestedPage) ? Math.min(Math.max(requestedPage, 1), pageCount) : 1

  return { page, pageCount }
}

function CoursePager({ page, pageCount }: { page: number; pageCount: number }) {
  const linkClasses =
    'inline-flex min-h-11 items-center font-semibold text-accent underline-offset-4 hover:underline'
  return (
    <nav aria-label="Course pages" className="mt-6 flex flex-wrap items-center gap-x-6">
      {page > 1 && (
        <Link to={`?page=${page - 1}`} className={linkClasses}>
          Previous courses
        </Link>
      )}
      <span className="text-muted">
        Page {page} of {pageCount}
      </span>
      {page < pageCount && (
        <Link to={`?page=${page + 1}`} className={linkClasses}>
          Next courses
        </Link>
      )}
    </nav>
  )
}

type CourseGroupProps = {
  title: string
  courses: readonly EnrolledCourse[]
  /** The number of courses in this group on all pages. */
  totalCount: number
  timezone: string
  now: Date
  /** Returns null, or a sentence that says why the learner stays enrolled. */
  onLeave(course: EnrolledCourse): Promise<string | null>
}

function CourseGroup({ title, courses, totalCount, timezone, now, onLeave }: CourseGroupProps) {
  return (
    <section>
      <h2 className="mb-4 font-bold text-lg">
        {title} <span className="font-medium text-muted">{totalCount}</span>
      </h2>
      <ul className="grid gap-4">
        {courses.map((course, index) => (
          <li key={course.id} className="card p-4 sm:p-5">
            {/* Of the courses in progress on this page, the one that was opened last is suggested. */}
            <EnrolledCourseRow
              course={course}
              timezone={timezone}
              now={now}
              isSuggested={index === 0 && !course.completedAt}
              leaveForm={
                !course.completedAt && (
                  <LeaveCourseForm
                    courseId={course.id}
                    courseName={course.name}
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
      title={profileMessages.noCourses.title}
      action={<ButtonLink to="/AllCourses">Browse courses</ButtonLink>}
    >
      {profileMessages.noCourses.text}
    </EmptyState>
  )
}

function WishListSection({ courses }: { courses: readonly WishedCourse[] }) {
  return (
    <SavedList id="wish-list" title="Wish list" icon={Heart} emptyText={profileMessages.noWishes}>
      {courses.map((course) => (
        <li key={course.id} className="card flex items-center gap-4 p-3">
          <img
            src={`/media/courses/${course.id}/cover.webp`}
            alt=""
            width={640}
            height={360}
            loading="lazy"
            className="aspect-video w-24 shrink-0 rounded-control bg-sunken object-cover"
          />
          <div className="min-w-0 flex-1">
            <h3 className="font-bold leading-snug">
              <Link to={`/OneCourse/${course.id}`} className="hover:underline">
                {course.name}
              </Link>
            </h3>
            <p className="text-sm text-muted">{course.instructor}</p>
          </div>
          <WishButton courseId={course.id} courseTitle={course.name} />
        </li>
      ))}
    </SavedList>
  )
}

/** Lists the bookmarked lessons of all courses. Learners set and remove bookmarks in a lesson. */
function BookmarksSection({ lessons }: { lessons: readonly BookmarkedLesson[] }) {
  return (
    <SavedList
      id="bookmarks"
      title="Bookmarked lessons"
      icon={Bookmark}
      emptyText={profileMessages.noBookmarks}
    >
      {lessons.map(({ courseId, lessonId, lesson: lessonTitle, course: courseTitle }) => (
        <li key={`${courseId}/${lessonId}`} className="card relative flex items-start gap-3 p-4">
          <Bookmark
            aria-hidden="true"
            size={20}
            fill="currentColor"
            className="mt-0.5 shrink-0 text-accent"
          />
          <div className="min-w-0">
            <h3 className="font-bold leading-snug">
              <Link
                to={`/Learn/${courseId}/${lessonId}`}
                className="after:absolute after:inset-0 hover:underline"
              >
                {lessonTitle}
              </Link>
            </h3>
            <p className="text-sm text-muted">{courseTitle}</p>
          </div>
        </li>
      ))}
    </SavedList>
  )
}

type SavedListProps = {
  id: string
  title: string
  icon: LucideIcon
  emptyText: string
  children: ReactNode
}

/** Lists a learner's saved items, or explains how to save one. */
function SavedList({ id, title, icon: Icon, emptyText, children }: SavedListProps) {
  const count = Children.count(children)
  return (
    <section className="mt-10" aria-labelledby={id}>
      <h2 id={id} className="mb-4 font-bold text-lg">
        {title} <span className="font-medium text-muted">{count}</span>
      </h2>
      {count === 0 ? (
        <p className="flex items-center gap-3 rounded-card border border-edge border-dashed p-5 text-muted">
          <Icon aria-hidden="true" size={20} className="shrink-0" />
          {emptyText}
        </p>
      ) : (
        <ul className="grid gap-3 sm:grid-cols-2">{children}</ul>
      )}
    </section>
  )
}
