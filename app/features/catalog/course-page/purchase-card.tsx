import { Award, BookOpen, CirclePlay, Download, InfinityIcon, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { byCount, formatCount, formatNumber } from '~/ui/format-count'
import { formatDate } from '~/ui/format-date'
import { formatHours } from '~/ui/format-duration'
import { CourseCover } from '../course-card'
import { getAvailabilityTexts } from './course-messages'
import type { CourseDetail } from './course-queries.server'
import { type OnPreview, PreviewLink } from './preview-dialog'

/**
 * Hides what only convinces viewers to enroll, because learners of the course have done so.
 *
 * The styles of this page read two attributes of the element around it, which
 * `EnrollmentAttributes` sets: `data-learner` if the course belongs to the viewer's account, and
 * `data-enrolled` also if a visitor is enrolled in this browser only.
 */
export const hiddenForLearners = 'in-data-[learner=true]:hidden'

/** The parts of the course page that depend on the viewer's enrollment. The route provides them. */
export type EnrollmentSlots = {
  /** The button that enrolls the viewer, or leads to the checkout. */
  button: ReactNode
  /** The button that adds the course to the wish list. */
  wishButton: ReactNode
  /** A line that says where the enrollment is stored. */
  note: ReactNode
  /**
   * The next step of a viewer who has enrolled, in the place of the price. Null or false for
   * everyone else, and until the viewer's data has arrived.
   */
  nextStep: ReactNode
  /**
   * The progress of a learner of the course, in the place of `wishButton`. Null or false otherwise.
   */
  progress: ReactNode
}

type PurchaseCardProps = { course: CourseDetail; enrollment: EnrollmentSlots; onPreview: OnPreview }

/**
 * The price, the button to enroll, and what the course includes.
 *
 * On a large screen, this is a card beside the text that stays in view. On a phone, its parts are
 * spread over the page, and a bar at the bottom has the price and the button.
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
          isEager
          hasHighPriority
          sizes="(min-width: 64rem) 24rem, 92vw"
          className="max-lg:rounded-card"
        />
        <CoverPreview course={course} onPreview={onPreview} />
      </div>
      {/* On a phone, this is the bar at the bottom. `theme.css` keeps the page from scrolling under it. */}
      <div
        data-purchase-bar
        className="sticky print:static print:order-2 print:border-0 print:shadow-none bottom-[max(0.75rem,env(safe-area-inset-bottom),calc(var(--phone-bar)+0.5rem))] z-20 order-last flex items-center gap-4 rounded-card border border-line bg-surface p-3 shadow-raised sm:justify-between lg:static lg:block lg:rounded-none lg:border-0 lg:p-6 lg:pb-3 lg:shadow-none"
      >
        {enrollment.nextStep ? (
          <div className="min-h-13 min-w-0 flex-1 print:hidden">{enrollment.nextStep}</div>
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
            <div className="in-data-[learner=true]:invisible">{enrollment.wishButton}</div>
          )}
        </div>
        <div className="print:hidden">{enrollment.note}</div>
        <div className={hiddenForLearners}>
          <h2 className="mt-5 mb-3 font-bold tracking-normal">This course includes</h2>
          <IncludedItems course={course} />
        </div>
      </div>
    </aside>
  )
}

/** Lies over the cover, and links it to the video of the first preview lesson. */
function CoverPreview({ course, onPreview }: Pick<PurchaseCardProps, 'course' | 'onPreview'>) {
  const lesson = course.curriculum
    .flatMap(({ lessons }) => lessons)
    .find(({ previewFiles }) => previewFiles !== null)
  if (!lesson) {
    return null
  }

  return (
    <PreviewLink
      lesson={lesson}
      onPreview={onPreview}
      className={`group/preview absolute inset-0 flex items-end rounded-[inherit] p-3 -outline-offset-3 max-lg:rounded-card print:hidden ${hiddenForLearners}`}
    >
      <span className="inline-flex items-center gap-2 rounded-full bg-black/70 py-2 pr-4 pl-3 font-semibold text-white leading-tight transition-[background-color] duration-150 group-hover/preview:bg-black/90 forced-colors:border">
        <CirclePlay aria-hidden="true" size={22} /> Preview this course
      </span>
    </PreviewLink>
  )
}

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
          {course.percentOff > 0 && (
            <span className="font-semibold text-good text-sm lg:text-base">
              {course.percentOff}% off
            </span>
          )}
          {course.priceUntil && (
            <span className="basis-full text-muted text-xs lg:mt-1 lg:text-sm">
              {/* The day has no time, so UTC displays it unchanged. */}
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

/** The price and the button to enroll, below the video of a preview. */
export function PreviewEnrollment({
  course,
  enrollment,
}: {
  course: CourseDetail
  enrollment: EnrollmentSlots
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2 p-4 sm:px-5">
      {enrollment.nextStep ? (
        <div className="min-w-48 flex-1">{enrollment.nextStep}</div>
      ) : (
        <Price course={course} />
      )}
      <div className="min-w-36 flex-1 sm:ml-auto sm:max-w-64">{enrollment.button}</div>
      <div className="w-full">{enrollment.note}</div>
    </div>
  )
}

type IncludedItem = {
  icon: LucideIcon
  text: string
  /** How much of the item is available today. Null if all of it is. */
  availability: string | null
}

function listIncludedItems(course: CourseDetail): IncludedItem[] {
  const availability = getAvailabilityTexts(course)
  const lessons = {
    icon: BookOpen,
    text: formatAnnouncedLength(course.durationHours, course.lectures),
    availability: availability.lessons,
  }
  const downloads = {
    icon: Download,
    text: formatCount(
      course.downloadableResources,
      'downloadable resource',
      'downloadable resources',
    ),
    availability: availability.downloads,
  }

  return [
    lessons,
    ...(course.downloadableResources > 0 ? [downloads] : []),
    { icon: InfinityIcon, text: 'Lifetime access', availability: null },
    { icon: Award, text: 'Certificate of completion', availability: null },
  ]
}

function IncludedItems({ course }: { course: CourseDetail }) {
  return (
    <ul className="grid gap-2.5 sm:max-lg:grid-cols-2">
      {listIncludedItems(course).map(({ icon: Icon, text, availability }) => (
        <li key={text} className="flex items-center gap-3">
          <Icon aria-hidden="true" size={18} className="shrink-0 text-muted" />
          <span>
            {text}
            {availability && <span className="block text-muted text-sm">{availability}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}

/**
 * Returns a text such as '65 hours in 180 lectures'. The screens call the announced lessons
 * lectures.
 */
function formatAnnouncedLength(hours: number, lectures: number): string {
  const length = formatHours(hours)
  return byCount(
    lectures,
    `${length} in 1 lecture`,
    `${length} in ${formatNumber(lectures)} lectures`,
  )
}
