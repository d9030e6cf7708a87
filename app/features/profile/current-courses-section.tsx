import { Bookmark, BookOpen, Heart, type LucideIcon } from 'lucide-react'
import { Children, type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { Link, useRevalidator, useSearchParams } from 'react-router'
import { type BrowserEnrollments, findRefusal } from '~/features/enrollment/browser-enrollments'
import { enrollmentsPath } from '~/features/enrollment/course-choices'
import { useOwnCourses } from '~/features/enrollment/own-courses'
import { WishButton } from '~/features/enrollment/wish-button'
import { ButtonLink } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Notice } from '~/ui/notice'
import { EnrolledCourseRow } from './enrolled-course-row'
import type {
  BookmarkedLesson,
  EnrolledCourse,
  LearnerRecord,
  WishedCourse,
} from './learner-record'
import { RecordNotice, SectionHeading } from './profile-layout'
import { profileMessages } from './profile-messages'

type CurrentCoursesProps = {
  /** Null if the record could not be loaded. */
  record: LearnerRecord | null
  now: Date
}

export function CurrentCoursesSection({ record, now }: CurrentCoursesProps) {
  const { leftCourse, leaveCourse, undoLeaving } = useLeaveCourse()
  const { enrollments } = useOwnCourses()

  const courses = record?.enrolledCourses ?? []
  const coursesInProgress = courses.filter(({ completedAt }) => completedAt === null)
  const completedCourses = courses.filter(({ completedAt }) => completedAt !== null)

  const { page, pageCount } = usePage(courses.length)
  const coursesOnPage = new Set(
    [...coursesInProgress, ...completedCourses].slice((page - 1) * pageSize, page * pageSize),
  )

  const groups = [
    { title: 'In progress', allCourses: coursesInProgress },
    { title: 'Completed', allCourses: completedCourses },
  ].map(({ title, allCourses }) => ({
    title,
    courses: allCourses.filter((course) => coursesOnPage.has(course)),
    totalCount: allCourses.length,
  }))
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
      {leftCourse && (
        <LeftCourseNotice course={leftCourse} enrollments={enrollments} onUndo={undoLeaving} />
      )}
      {!record && <RecordNotice />}
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

/** Lets the learner leave a course and undo that, until they leave another course. */
function useLeaveCourse() {
  const { leave, enroll } = useOwnCourses()
  const [leftCourse, setLeftCourse] = useState<LeftCourse | null>(null)
  const { revalidate } = useRevalidator()

  const leaveCourse = async ({ id, name }: EnrolledCourse) => {
    const problem = await leave(id)
    if (problem !== null) {
      return problem
    }

    setLeftCourse({ id, name, isUndone: false })
    await revalidate()
    return null
  }

  const undoLeaving = () => {
    if (!leftCourse) {
      return
    }

    setLeftCourse({ ...leftCourse, isUndone: true })
    enroll(leftCourse.id)
  }

  return { leftCourse, leaveCourse, undoLeaving }
}

const pageSize = 20

/** Reads the current page from the URL, so that paging works without JavaScript. */
function usePage(courseCount: number) {
  const [search] = useSearchParams()
  const pageCount = Math.max(1, Math.ceil(courseCount / pageSize))

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
            <EnrolledCourseRow
              course={course}
              timezone={timezone}
              now={now}
              isSuggested={index === 0 && !course.completedAt}
              leaveForm={
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
          <WishButton courseId={course.id} title={course.name} />
        </li>
      ))}
    </SavedList>
  )
}

/** The bookmarked lessons of all courses. Bookmarks are set and removed in the lesson. */
function BookmarksSection({ lessons }: { lessons: readonly BookmarkedLesson[] }) {
  return (
    <SavedList
      id="bookmarks"
      title="Bookmarked lessons"
      icon={Bookmark}
      emptyText={profileMessages.noBookmarks}
    >
      {lessons.map(({ courseId, lessonId, lesson, course }) => (
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
                {lesson}
              </Link>
            </h3>
            <p className="text-sm text-muted">{course}</p>
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

type LeaveCourseFormProps = {
  courseId: string
  name: string
  /** @returns null, or a sentence that says why the learner stays enrolled */
  onLeave(): Promise<string | null>
}

/** Shows an unobtrusive button to leave a course. It also works without JavaScript. */
function LeaveCourseForm({ courseId, name, onLeave }: LeaveCourseFormProps) {
  const [problem, setProblem] = useState('')

  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setProblem((await onLeave()) ?? '')
  }

  return (
    <form method="post" action={enrollmentsPath} onSubmit={handleSubmit}>
      <input type="hidden" name="courseIds" value={courseId} />
      <input type="hidden" name="leave" value="yes" />
      <button
        type="submit"
        aria-label={`Leave course: ${name}`}
        className="min-h-6 text-muted underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current"
      >
        Leave course
      </button>
      {problem && (
        <p role="alert" className="font-medium text-bad">
          {problem}
        </p>
      )}
    </form>
  )
}

type LeftCourse = Pick<EnrolledCourse, 'id' | 'name'> & { isUndone: boolean }

type LeftCourseNoticeProps = {
  course: LeftCourse
  /** Null until the enrollments are loaded. */
  enrollments: BrowserEnrollments | null
  onUndo(): void
}

/**
 * Confirms that the learner has left a course and offers to undo that. The notice takes the focus,
 * because the button that was pressed is gone.
 */
export function LeftCourseNotice({ course, enrollments, onUndo }: LeftCourseNoticeProps) {
  const notice = useRef<HTMLDivElement>(null)
  const { id, name, isUndone } = course
  // biome-ignore lint/correctness/useExhaustiveDependencies: moves the focus for each course, and again after undo.
  useEffect(() => notice.current?.focus(), [id, isUndone])

  return (
    <div ref={notice} role="status" tabIndex={-1} className="mb-6 rounded-control">
      {isUndone ? (
        <UndoneNotice course={course} enrollments={enrollments} />
      ) : (
        <Notice
          silent
          variant="good"
          action={
            <button
              type="button"
              onClick={onUndo}
              className="min-h-11 px-2 font-semibold underline underline-offset-4"
            >
              Undo
            </button>
          }
        >
          {profileMessages.leaveCourse.left(name)}
        </Notice>
      )}
    </div>
  )
}

/** Says whether the learner is enrolled again. The server may refuse or be out of reach. */
function UndoneNotice({
  course,
  enrollments,
}: Pick<LeftCourseNoticeProps, 'course' | 'enrollments'>) {
  if (enrollments?.stored.includes(course.id)) {
    return (
      <Notice silent variant="good">
        {profileMessages.leaveCourse.enrolledAgain(course.name)}
      </Notice>
    )
  }

  if (enrollments?.waiting.includes(course.id)) {
    return (
      <Notice silent variant="info">
        {profileMessages.leaveCourse.enrolling(course.name)}
      </Notice>
    )
  }

  const refusal = enrollments ? findRefusal(enrollments, course.id) : undefined

  return (
    <Notice silent variant="bad">
      {refusal ?? profileMessages.leaveCourse.enrollmentRefused(course.name)}
    </Notice>
  )
}
