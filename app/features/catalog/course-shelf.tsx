import type { ReactNode } from 'react'
import { formatCount } from '~/ui/format-count'
import { MoreLink } from '~/ui/more-link'
import {
  type CardSlots,
  CourseCategoryAndLevel,
  CourseCover,
  CourseLink,
  CourseRating,
} from './course-card'
import type { ShelfCourse } from './shelf-queries.server'

/** The parts of a tile that depend on the viewer. The route provides them. */
type ShelfSlots = Pick<CardSlots, 'price'> & {
  /** A note about what the viewer is doing in the course, such as an exam in progress. */
  notice(courseId: string): ReactNode
}

type ShelfProps = {
  courses: ShelfCourse[]
  slots: ShelfSlots
}

/** Small cards in a row or, on a phone, in a list. */
function CourseShelf({ courses, slots }: ShelfProps) {
  return (
    <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4 lg:gap-5">
      {courses.map((course) => (
        <li key={course.id}>
          <CourseTile course={course} slots={slots} />
        </li>
      ))}
    </ul>
  )
}

/** One small card. The title's link covers the whole card. */
function CourseTile({ course, slots }: { course: ShelfCourse; slots: ShelfSlots }) {
  return (
    <article className="group card relative flex h-full overflow-hidden transition-[border-color,box-shadow,translate] duration-200 ease-settle focus-within:border-accent hover:-translate-y-0.5 hover:border-edge hover:shadow-raised sm:flex-col">
      <CourseCover
        courseId={course.id}
        sizes="(min-width: 80rem) 18rem, (min-width: 64rem) 23vw, (min-width: 40rem) 46vw, 8rem"
        className="max-sm:aspect-auto max-sm:w-28 max-sm:shrink-0"
      />
      <div className="flex min-w-0 flex-1 flex-col p-4">
        <CourseCategoryAndLevel course={course} className="text-[0.8125rem]" />
        <h3 className="mt-1.5 font-bold leading-snug">
          <CourseLink courseId={course.id}>{course.title}</CourseLink>
        </h3>
        <p className="mt-1 text-sm text-muted">{course.instructorName}</p>
        <div className="relative z-10 mt-2 empty:hidden">{slots.notice(course.id)}</div>
        <div className="mt-auto flex flex-wrap items-center justify-between gap-x-3 pt-3 text-sm">
          <p className="flex items-center gap-2">
            <CourseRating course={course} />
            {course.reviews > 0 && (
              <span className="sr-only">({formatCount(course.reviews, 'review', 'reviews')})</span>
            )}
          </p>
          <p className="text-base font-bold">{slots.price(course)}</p>
        </div>
      </div>
    </article>
  )
}

/** The section of Home with the most popular courses. */
export function PopularCourses({ courses, slots }: ShelfProps) {
  if (courses.length === 0) {
    return null
  }

  return (
    <section aria-labelledby="popular-title" className="column pt-24 lg:pt-32">
      <div className="mb-8 flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div>
          <p className="eyebrow">Popular</p>
          <h2 id="popular-title" className="title mt-3">
            What most people are learning
          </h2>
        </div>
        <MoreLink to="/AllCourses">Browse all courses</MoreLink>
      </div>
      <CourseShelf courses={courses} slots={slots} />
    </section>
  )
}

/** The section at the end of a course's page. */
export function RelatedCourses({ courses, slots }: ShelfProps) {
  if (courses.length === 0) {
    return null
  }

  return (
    <section aria-labelledby="related-title" className="column pt-20 lg:pt-28 print:hidden">
      <h2 id="related-title" className="mb-6 text-2xl font-bold">
        Related courses
      </h2>
      <CourseShelf courses={courses} slots={slots} />
    </section>
  )
}
