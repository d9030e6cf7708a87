import { Link } from 'react-router'
import { countText } from '~/ui/count-text'
import { Stars } from '~/ui/stars'
import { CourseCover } from './course-cover'
import { categoryNames, levelNames } from './course-filters'
import { priceText } from './price'
import type { ShelfCourse } from './shelf-queries.server'

/** A row of a few courses in short; on a phone a list. */
export function CourseShelf({ courses }: { courses: ShelfCourse[] }) {
  return (
    <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4 lg:gap-5">
      {courses.map((course) => (
        <li key={course.id}>
          <CourseTile course={course} />
        </li>
      ))}
    </ul>
  )
}

/** The title's link covers the whole tile. */
function CourseTile({ course }: { course: ShelfCourse }) {
  return (
    <article className="group card relative flex h-full overflow-hidden transition duration-200 ease-settle focus-within:border-accent hover:-translate-y-0.5 hover:border-edge hover:shadow-raised sm:flex-col">
      <CourseCover
        courseId={course.id}
        sizes="(min-width: 80rem) 18rem, (min-width: 64rem) 23vw, (min-width: 40rem) 46vw, 8rem"
        className="max-sm:aspect-auto max-sm:w-28 max-sm:shrink-0"
      />
      <div className="flex min-w-0 flex-1 flex-col p-4">
        <p className="flex flex-wrap gap-x-2 text-[0.8125rem] font-medium text-muted">
          <span className="text-accent">{categoryNames[course.category]}</span>
          <span aria-hidden="true">·</span>
          <span>{levelNames[course.level]}</span>
        </p>
        <h3 className="mt-1.5 font-bold leading-snug">
          <Link
            to={`/OneCourse/${course.id}`}
            prefetch="intent"
            className="outline-none after:absolute after:inset-0 after:rounded-card focus-visible:after:outline-3 focus-visible:after:-outline-offset-3 focus-visible:after:outline-accent group-hover:text-accent-strong"
          >
            {course.title}
          </Link>
        </h3>
        <p className="mt-1 text-sm text-muted">{course.instructorName}</p>
        <div className="mt-auto flex flex-wrap items-center justify-between gap-x-3 pt-3 text-sm">
          <p className="flex items-center gap-2">
            <Stars rating={course.rating} />
            <span className="font-bold">{course.rating.toFixed(1)}</span>
            <span className="sr-only">({countText(course.reviews, 'review')})</span>
          </p>
          <p className="text-base font-bold">{priceText(course.priceCents)}</p>
        </div>
      </div>
    </article>
  )
}
