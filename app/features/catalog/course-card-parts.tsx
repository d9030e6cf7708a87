import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Stars } from '~/ui/stars'
import { type Category, categoryNames, type Level, levelNames } from './course-filters'

/** What the cards of the catalogue and the tiles of a shelf have in common. */
export function CourseKind({ course, className }: { course: { category: Category; level: Level }; className: string }) {
  return (
    <p className={`flex flex-wrap items-center gap-x-2 font-medium text-muted ${className}`}>
      <span className="text-accent">{categoryNames[course.category]}</span>
      <span aria-hidden="true">·</span>
      <span>{levelNames[course.level]}</span>
    </p>
  )
}

/** A rating that nobody gave is none. */
export function CourseRating({ course: { rating, reviews } }: { course: { rating: number; reviews: number } }) {
  if (reviews === 0) return <span className="text-muted">No reviews yet</span>
  return (
    <>
      <Stars rating={rating} />
      <span className="font-bold">{rating.toFixed(1)}</span>
    </>
  )
}

/** Covers its whole card, which has to be its next positioned parent. */
export function CourseLink({ courseId, children }: { courseId: string; children: ReactNode }) {
  return (
    <Link
      to={`/OneCourse/${courseId}`}
      prefetch="intent"
      className="outline-none after:absolute after:inset-0 after:rounded-card focus-visible:after:outline-3 focus-visible:after:-outline-offset-3 focus-visible:after:outline-accent group-hover:text-accent-strong"
    >
      {children}
    </Link>
  )
}
