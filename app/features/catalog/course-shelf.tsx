import type { ReactNode } from 'react'
import { countText } from '~/ui/count-text'
import { CourseKind, CourseLink, CourseRating } from './course-card-parts'
import { CourseCover } from './course-cover'
import { priceText } from './price'
import type { ShelfCourse } from './shelf-queries.server'

export type ShelfProps = {
  courses: ShelfCourse[]
  /** What the viewer has to know of a course right now. */
  news(courseId: string): ReactNode
}

/** A row of a few courses in short; on a phone a list. */
export function CourseShelf({ courses, news }: ShelfProps) {
  return (
    <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4 lg:gap-5">
      {courses.map((course) => (
        <li key={course.id}>
          <CourseTile course={course} news={news(course.id)} />
        </li>
      ))}
    </ul>
  )
}

/** The title's link covers the whole tile. */
function CourseTile({ course, news }: { course: ShelfCourse; news: ReactNode }) {
  return (
    <article className="group card relative flex h-full overflow-hidden transition-[border-color,box-shadow,translate] duration-200 ease-settle focus-within:border-accent hover:-translate-y-0.5 hover:border-edge hover:shadow-raised sm:flex-col">
      <CourseCover
        courseId={course.id}
        sizes="(min-width: 80rem) 18rem, (min-width: 64rem) 23vw, (min-width: 40rem) 46vw, 8rem"
        className="max-sm:aspect-auto max-sm:w-28 max-sm:shrink-0"
      />
      <div className="flex min-w-0 flex-1 flex-col p-4">
        <CourseKind course={course} className="text-[0.8125rem]" />
        <h3 className="mt-1.5 font-bold leading-snug">
          <CourseLink courseId={course.id}>{course.title}</CourseLink>
        </h3>
        <p className="mt-1 text-sm text-muted">{course.instructorName}</p>
        <div className="relative z-10 mt-2 empty:hidden">{news}</div>
        <div className="mt-auto flex flex-wrap items-center justify-between gap-x-3 pt-3 text-sm">
          <p className="flex items-center gap-2">
            <CourseRating course={course} />
            {course.reviews > 0 && <span className="sr-only">({countText(course.reviews, 'review', 'reviews')})</span>}
          </p>
          <p className="text-base font-bold">{priceText(course.priceCents)}</p>
        </div>
      </div>
    </article>
  )
}
