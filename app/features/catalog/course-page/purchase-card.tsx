import { Award, BookOpen, CirclePlay, Download, InfinityIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatCount } from '~/ui/format-count'
import { formatDate } from '~/ui/format-date'
import { CourseCover } from '../course-card'
import { announcedLength, getAvailabilityTexts } from './course-messages'
import type { CourseDetail } from './course-queries.server'
import { type OnPreview, PreviewLink } from './preview-dialog'

/** The enrollment parts of the course page; the route provides them. */
export type EnrollmentSlots = {
  button: ReactNode
  /** The wish list's heart. */
  wish: ReactNode
  /** A line that says where the enrollment is stored. */
  note: ReactNode
  /**
   * In the place of the price, for everyone who chose the course: how to go on. Null until it is
   * known.
   */
  next: ReactNode
  /** In the place of the wish list's heart, for a learner of the course. */
  progress: ReactNode
}

type PurchaseCardProps = { course: CourseDetail; enrollment: EnrollmentSlots; onPreview: OnPreview }

/**
 * Price, enrollment and what is included: a card beside the text that stays in view, on a phone
 * spread over the page with price and button in a bar at the bottom. There is one button either
 * way.
 */
export function PurchaseCard({ course, enrollment, onPreview }: PurchaseCardProps) {
  return (
    <aside
      aria-label="Price and enrollment"
      className="contents lg:card lg:sticky print:static lg:top-24 lg:block lg:self-start lg:overflow-hidden lg:shadow-raised"
    >
      <div className="relative aspect-video max-lg:in-data-[learner=true]:hidden">
        <CourseCover
          courseId={course.id}
          eager
          first
          sizes="(min-width: 64rem) 24rem, 92vw"
          className="max-lg:rounded-card"
        />
        <CoverPreview course={course} onPreview={onPreview} />
      </div>
      <div
        data-purchase-bar
        className="sticky print:static print:order-2 print:border-0 print:shadow-none bottom-[max(0.75rem,env(safe-area-inset-bottom),calc(var(--phone-bar)+0.5rem))] z-20 order-last flex items-center gap-4 rounded-card border border-line bg-surface p-3 shadow-raised sm:justify-between lg:static lg:block lg:rounded-none lg:border-0 lg:p-6 lg:pb-3 lg:shadow-none"
      >
        {enrollment.next ? (
          <div className="min-h-13 min-w-0 flex-1 print:hidden">{enrollment.next}</div>
        ) : (
          <Price course={course} />
        )}
        <div className="min-w-36 flex-1 sm:max-w-64 lg:mt-4 lg:max-w-none print:hidden in-data-[enrolled=true]:min-w-0 max-lg:in-data-[enrolled=true]:flex-none">
          {enrollment.button}
        </div>
      </div>
      <div className="order-3 lg:px-6 lg:pb-6">
        <div className="mb-2 min-h-11 print:hidden">
          {enrollment.progress || (
            <div className="in-data-[learner=true]:invisible">{enrollment.wish}</div>
          )}
        </div>
        <div className="print:hidden">{enrollment.note}</div>
        <div className={hiddenForLearners}>
          <h2 className="mt-5 mb-3 font-bold tracking-normal">This course includes</h2>
          <Included course={course} />
        </div>
      </div>
    </aside>
  )
}

/** The first public lesson, over the cover. */
function CoverPreview({ course, onPreview }: Pick<PurchaseCardProps, 'course' | 'onPreview'>) {
  const lesson = course.curriculum
    .flatMap(({ lessons }) => lessons)
    .find((one) => one.previewFiles !== null)
  if (!lesson) {
    return null
  }

  return (
    <PreviewLink
      lesson={lesson}
      onPreview={onPreview}
      className="group/preview absolute inset-0 flex items-end rounded-[inherit] p-3 -outline-offset-3 max-lg:rounded-card print:hidden in-data-[learner=true]:hidden"
    >
      <span className="inline-flex items-center gap-2 rounded-full bg-black/70 py-2 pr-4 pl-3 font-semibold text-white leading-tight transition-[background-color] duration-150 group-hover/preview:bg-black/90 forced-colors:border">
        <CirclePlay aria-hidden="true" size={22} /> Preview this course
      </span>
    </PreviewLink>
  )
}

/** A learner of the course has decided. */
const hiddenForLearners = 'in-data-[learner=true]:hidden'

function Price({ course }: { course: CourseDetail }) {
  return (
    <p className="flex flex-wrap content-center items-baseline gap-x-3 leading-tight max-lg:max-w-36 max-lg:pl-1 sm:max-lg:max-w-none lg:min-h-13 in-data-[enrolled=true]:invisible max-lg:in-data-[enrolled=true]:max-w-none! max-lg:in-data-[enrolled=true]:flex-1">
      <span className="font-bold text-2xl tracking-tight lg:text-4xl">{course.price}</span>
      {course.isReduced && (
        <>
          <s className="text-muted lg:text-lg">
            <span className="sr-only">Original price </span>
            {course.originalPrice}
          </s>
          {course.off > 0 && (
            <span className="font-semibold text-good text-sm lg:text-base">{course.off}% off</span>
          )}
          {course.priceUntil && (
            <span className="basis-full text-muted text-xs lg:mt-1 lg:text-sm">
              Until {formatDate(course.priceUntil, 'UTC')}
            </span>
          )}
          {course.lowestPrice && (
            <span className="basis-full text-muted text-xs lg:mt-1 lg:text-sm">
              Lowest price of the last 30 days: {course.lowestPrice}
            </span>
          )}
        </>
      )}
    </p>
  )
}

/** How a preview ends: price and button, below the video. */
export function PreviewEnrollment({
  course,
  enrollment,
}: {
  course: CourseDetail
  enrollment: EnrollmentSlots
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2 p-4 sm:px-5">
      {enrollment.next ? (
        <div className="min-w-48 flex-1">{enrollment.next}</div>
      ) : (
        <Price course={course} />
      )}
      <div className="min-w-36 flex-1 sm:ml-auto sm:max-w-64">{enrollment.button}</div>
      <div className="w-full">{enrollment.note}</div>
    </div>
  )
}

/** The announced amount, and the amount that is available today. */
function Included({ course }: { course: CourseDetail }) {
  const now = getAvailabilityTexts(course)
  const files = [
    Download,
    formatCount(course.downloadableResources, 'downloadable resource', 'downloadable resources'),
    now.downloads,
  ] as const
  const included = [
    [BookOpen, announcedLength(course.durationHours, course.lectures), now.lessons],
    ...(course.downloadableResources > 0 ? [files] : []),
    [InfinityIcon, 'Lifetime access', null],
    [Award, 'Certificate of completion', null],
  ] as const

  return (
    <ul className="grid gap-2.5 sm:max-lg:grid-cols-2">
      {included.map(([Icon, text, there]) => (
        <li key={text} className="flex items-center gap-3">
          <Icon aria-hidden="true" size={18} className="shrink-0 text-muted" />
          <span>
            {text}
            {there && <span className="block text-muted text-sm">{there}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}
