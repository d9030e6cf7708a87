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
  /** Undefined until the session is known, null for a visitor. */
  uid: string | null | undefined
  /** What only the learner sees. Null for a visitor, and until the viewer's data has arrived. */
  own: OwnReviews | null
}

/** The reviews of a course, which are the same for everyone, and the learner's own review. */
export function ReviewsPanel({ course, choice, uid, own }: ReviewsPanelProps) {
  const emptyTexts = course.reviews > 0 ? noReviews.written : noReviews.any
  const hasWrittenReviews = course.reviewPage.stars.some((count) => count > 0)

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
          {hasWrittenReviews && <StarChart counts={course.reviewPage.stars} choice={choice} />}
        </div>
      )}
      {/* This is loaded early, so that sending a form without a connection shows a message. */}
      {own && <PrefetchPageLinks page={reviewsPath} />}
      <OwnReviewBox courseId={course.id} uid={uid} own={own} />
      {hasWrittenReviews ? (
        <ReviewList course={course} choice={choice} own={own} />
      ) : (
        <div className="mt-10">
          <EmptyState icon={<MessageSquareText size={26} />} title={emptyTexts.title}>
            {emptyTexts.text}
          </EmptyState>
        </div>
      )}
    </div>
  )
}

function ReviewList({ course, choice, own }: Omit<ReviewsPanelProps, 'uid'>) {
  const { page, pages } = course.reviewPage
  const listStart = useScrollToListStart(page)
  const reviewsOnPage = useCurrentOwnReview(course.reviewsList, own)
  const { state, location } = useNavigation()
  const isLoading =
    state === 'loading' && new URLSearchParams(location.search).get('tab') === 'reviews'

  return (
    <>
      <div ref={listStart} tabIndex={-1} className="mt-10 scroll-mt-32 outline-none">
        <ReviewSortLinks choice={choice} />
      </div>
      <ReviewFilterNote choice={choice} />
      <ul
        aria-busy={isLoading || undefined}
        className="mt-6 space-y-5 transition-opacity duration-200 aria-busy:opacity-60"
      >
        {reviewsOnPage.map((review) => (
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
      <ReviewPager choice={choice} page={page} pageCount={pages} />
    </>
  )
}

/**
 * Returns the reviews with the latest version of the learner's own review. The public list may be a
 * minute old, so it may have an older version, or a review that the learner has deleted.
 */
function useCurrentOwnReview(
  publicReviews: readonly CourseReview[],
  own: OwnReviews | null,
): readonly CourseReview[] {
  const ownReview = own?.review
  /** The ID is kept after the review was deleted, so that the deleted review can be left out. */
  const [ownReviewId, setOwnReviewId] = useState<string | null>(null)
  if (ownReview && ownReview.id !== ownReviewId) {
    setOwnReviewId(ownReview.id)
  }

  if (!own || !ownReviewId) {
    return publicReviews
  }

  return publicReviews.flatMap((review) => {
    if (review.id !== ownReviewId) {
      return [review]
    }

    return ownReview ? [{ ...review, rating: ownReview.rating, comment: ownReview.comment }] : []
  })
}

/** Scrolls to the start of the list after another page was chosen, and moves the focus there. */
function useScrollToListStart(page: number) {
  const listStart = useRef<HTMLDivElement>(null)
  const previousPage = useRef(page)

  useEffect(() => {
    if (previousPage.current === page) {
      return
    }

    previousPage.current = page
    listStart.current?.scrollIntoView({ block: 'start' })
    listStart.current?.focus({ preventScroll: true })
  }, [page])

  return listStart
}
