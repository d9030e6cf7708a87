import { MessageSquareText } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { PrefetchPageLinks, useNavigation } from 'react-router'
import { EmptyState } from '~/ui/empty-state'
import { formatCount } from '~/ui/format-count'
import { PanelHeading } from '~/ui/panel-heading'
import { Stars } from '~/ui/stars'
import { OwnReviewBox } from './own-review'
import { ReviewCard } from './review-card'
import type { ReviewChoice } from './review-list'
import { ReviewFilterNote, ReviewPager, ReviewSortLinks, StarChart } from './review-list-controls'
import { noReviews, type OwnReviews, reviewsPath } from './review-messages'
import type { CourseReview, ReviewPage } from './review-page-queries.server'

export type ReviewsPanelProps = {
  course: {
    id: string
    rating: number
    reviews: number
    instructor: { name: string }
    reviewsList: CourseReview[]
    reviewPage: Omit<ReviewPage, 'list'>
  }
  choice: ReviewChoice
  /** Undefined while the session is being determined, null for a visitor. */
  uid: string | null | undefined
  /** The learner's own part; null for a visitor and until it is known. */
  own: OwnReviews | null
}

/** The reviews of a course: the same for everyone, beside the learner's own part. */
export function ReviewsPanel({ course, choice, uid, own }: ReviewsPanelProps) {
  const empty = course.reviews > 0 ? noReviews.written : noReviews.any
  const written = course.reviewPage.stars.some((count) => count > 0)

  return (
    <div>
      <PanelHeading>What learners say</PanelHeading>
      {course.reviews > 0 && (
        <div className="mt-6 grid items-center gap-x-12 gap-y-6 sm:grid-cols-[auto_1fr]">
          <div>
            <p className="display leading-none">{course.rating.toFixed(1)}</p>
            <Stars rating={course.rating} className="mt-2" />
            <p className="mt-1 text-sm text-muted">
              {formatCount(course.reviews, 'review', 'reviews')}
            </p>
          </div>
          {written && <StarChart counts={course.reviewPage.stars} choice={choice} />}
        </div>
      )}
      {/* Loaded before it is needed, so that sending without a connection shows a message. */}
      {own && <PrefetchPageLinks page={reviewsPath} />}
      <OwnReviewBox courseId={course.id} uid={uid} own={own} />
      {written ? (
        <ReviewList course={course} choice={choice} own={own} />
      ) : (
        <div className="mt-10">
          <EmptyState icon={<MessageSquareText size={26} />} title={empty.title}>
            {empty.text}
          </EmptyState>
        </div>
      )}
    </div>
  )
}

function ReviewList({ course, choice, own }: Omit<ReviewsPanelProps, 'uid'>) {
  const { page, pages } = course.reviewPage
  const start = useStartOnNewPage(page)
  const { state, location } = useNavigation()
  const waiting =
    state === 'loading' && new URLSearchParams(location.search).get('tab') === 'reviews'

  return (
    <>
      <div ref={start} tabIndex={-1} className="mt-10 scroll-mt-32 outline-none">
        <ReviewSortLinks choice={choice} />
      </div>
      <ReviewFilterNote choice={choice} />
      <ul
        aria-busy={waiting || undefined}
        className="mt-6 space-y-5 transition-opacity duration-200 aria-busy:opacity-60"
      >
        {useOwnReview(course.reviewsList, own).map((review) => (
          <li key={review.id}>
            <ReviewCard
              courseId={course.id}
              instructor={course.instructor.name}
              review={review}
              own={own}
            />
          </li>
        ))}
      </ul>
      <ReviewPager choice={choice} page={page} pages={pages} />
    </>
  )
}

/**
 * The public list may be a minute old. The learner's own review shows as it is now, and is gone
 * once it was deleted.
 */
function useOwnReview(
  list: readonly CourseReview[],
  own: OwnReviews | null,
): readonly CourseReview[] {
  const review = own?.review
  const [ownId, setOwnId] = useState<string | null>(null)
  if (review && review.id !== ownId) {
    setOwnId(review.id)
  }

  if (!own || !ownId) {
    return list
  }

  return list.flatMap((listed) => {
    if (listed.id !== ownId) {
      return [listed]
    }

    return review ? [{ ...listed, rating: review.rating, comment: review.comment }] : []
  })
}

/** Another page begins where the list begins, for eyes and for the keyboard. */
function useStartOnNewPage(page: number) {
  const start = useRef<HTMLDivElement>(null)
  const shown = useRef(page)
  useEffect(() => {
    if (shown.current === page) {
      return
    }

    shown.current = page
    start.current?.scrollIntoView({ block: 'start' })
    start.current?.focus({ preventScroll: true })
  }, [page])

  return start
}
