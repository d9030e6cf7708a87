import { Clock, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatCount } from '~/ui/format-count'
import { formatHours } from '~/ui/format-duration'
import { Stars } from '~/ui/stars'
import type { CatalogCourse } from './search/catalog-query'
import { type Level, levelNames } from './search/facets'
import { MarkedText } from './search/marked-text'

export function CourseCategoryAndLevel({
  course,
  className,
}: {
  course: { categoryName: string; level: Level }
  className: string
}) {
  return (
    <p className={`flex flex-wrap items-center gap-x-2 font-medium text-muted ${className}`}>
      <span className="text-accent">{course.categoryName}</span>
      <span aria-hidden="true">·</span>
      <span>{levelNames[course.level]}</span>
    </p>
  )
}

/** The course's rating, or a note that there are no reviews yet. */
export function CourseRating({
  course: { rating, reviews },
}: {
  course: { rating: number; reviews: number }
}) {
  if (reviews === 0) {
    return <span className="text-muted">No reviews yet</span>
  }

  return (
    <>
      <Stars rating={rating} />
      <span className="font-bold">{rating.toFixed(1)}</span>
    </>
  )
}

/**
 * A link to the course's page. It covers the whole card, which has to be the nearest positioned
 * parent.
 */
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

/** The covers of the first cards load at once, because most screens show them without scrolling. */
const eagerCardCount = 3

/** The width of a cover, which follows the columns of the catalog's list. */
const coverSizes =
  '(min-width: 80rem) 19rem, (min-width: 64rem) 36vw, (min-width: 40rem) 46vw, 92vw'

/** The parts of a card that depend on the viewer. The route provides them. */
export type CardSlots = {
  /** Small buttons on the cover. */
  coverButtons(course: { id: string; title: string }): ReactNode
  price(course: { id: string; price: string }): ReactNode
}

type CourseCardProps = {
  course: CatalogCourse
  /** The index of the card in the list. */
  index: number
  slots: CardSlots
}

/** One course of the catalog. The title's link covers the whole card. */
export function CourseCard({ course, index, slots }: CourseCardProps) {
  return (
    <article className="group card relative flex h-full flex-col overflow-hidden transition-[border-color,box-shadow,translate] duration-200 ease-settle focus-within:border-accent hover:-translate-y-0.5 hover:border-edge hover:shadow-raised">
      <CourseCover
        courseId={course.id}
        isEager={index < eagerCardCount}
        hasHighPriority={index === 0}
        sizes={coverSizes}
      />
      <div className="flex flex-1 flex-col p-5">
        <CourseCategoryAndLevel course={course} className="text-sm" />
        <h2 className="mt-2 text-lg font-bold">
          <CourseLink courseId={course.id}>
            <MarkedText text={course.title} marks={course.marks.title} />
          </CourseLink>
        </h2>
        <p className="mt-1 text-sm text-muted">
          <MarkedText text={course.instructorName} marks={course.marks.instructorName} />
        </p>
        <p className="mt-3 line-clamp-3 text-[0.9375rem] leading-relaxed">
          <MarkedText text={course.summary} marks={course.marks.summary} />
        </p>
        <div className="mt-auto pt-4">
          <p className="flex flex-wrap items-center gap-x-2 text-sm">
            <CourseRating course={course} />
            {course.reviews > 0 && (
              <span className="text-muted">{`(${formatCount(course.reviews, 'review', 'reviews')})`}</span>
            )}
          </p>
          <div className="mt-3 flex items-end justify-between gap-3 border-line border-t pt-3">
            <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
              <span className="inline-flex items-center gap-1.5">
                <Clock aria-hidden="true" size={15} />
                {formatHours(course.durationHours)}
              </span>
              {course.students > 0 && (
                <span className="inline-flex items-center gap-1.5">
                  <Users aria-hidden="true" size={15} />
                  {formatCount(course.students, 'student', 'students')}
                </span>
              )}
            </p>
            <p className="shrink-0 text-xl font-bold leading-none">{slots.price(course)}</p>
          </div>
        </div>
      </div>
      <div className="absolute top-3 right-3 z-10 flex items-start gap-2">
        {slots.coverButtons(course)}
      </div>
    </article>
  )
}

/** The course's picture. Its text alternative is empty, because the title stands beside it. */
export function CourseCover({
  courseId,
  sizes,
  isEager = false,
  hasHighPriority = false,
  className = '',
}: {
  courseId: string
  /** The displayed width, as in the attribute `sizes` of an image. */
  sizes: string
  /** Whether the cover loads at once, and not only when it is scrolled near. */
  isEager?: boolean
  /** Whether the browser loads this picture first, because it is the page's largest. */
  hasHighPriority?: boolean
  className?: string
}) {
  const folder = `/media/courses/${courseId}`
  return (
    <img
      src={`${folder}/cover.webp`}
      srcSet={`${folder}/cover.webp 640w, ${folder}/cover-1280.webp 1280w`}
      sizes={sizes}
      width={640}
      height={360}
      alt=""
      loading={isEager ? 'eager' : 'lazy'}
      fetchPriority={hasHighPriority ? 'high' : undefined}
      decoding="async"
      className={`block aspect-video w-full bg-sunken object-cover ${className}`}
    />
  )
}
