import { BookOpen } from 'lucide-react'
import { ButtonLink } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { BookmarksSection } from './bookmarks-section'
import { EnrolledCourseRow } from './enrolled-course-row'
import type { EnrolledCourse, LearnerRecord } from './learner-record'
import { SectionHeading } from './profile-layout'
import { RecordNotice } from './record-notice'
import { WishListSection } from './wish-list-section'

type CurrentCoursesProps = {
  /** Null when it could not be read just now. */
  record: LearnerRecord | null
  now: Date
}

export function CurrentCoursesSection({ record, now }: CurrentCoursesProps) {
  const courses = record?.enrolledCourses ?? []
  const groups = [
    { title: 'In progress', courses: courses.filter((course) => !course.completedAt) },
    { title: 'Completed', courses: courses.filter((course) => course.completedAt) },
  ].filter((group) => group.courses.length > 0)
  return (
    <>
      <SectionHeading
        intro="What you are learning, last opened first. Progress is weighted by the length of the lessons."
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
      {record && <BookmarksSection lessons={record.bookmarks} />}
      {record && <WishListSection courses={record.wishList} uid={record.uid} />}
    </>
  )
}

type CourseGroupProps = { title: string; courses: readonly EnrolledCourse[]; timezone: string; now: Date }

function CourseGroup({ title, courses, timezone, now }: CourseGroupProps) {
  return (
    <section>
      <h2 className="mb-4 font-bold text-lg">
        {title} <span className="font-medium text-muted">{courses.length}</span>
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
      title="You are not enrolled in a course yet"
      action={<ButtonLink to="/AllCourses">Browse courses</ButtonLink>}
    >
      Pick one from the catalogue. Each has lessons you can preview before you decide.
    </EmptyState>
  )
}
