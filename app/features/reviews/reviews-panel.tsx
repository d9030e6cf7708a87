import { ChevronLeft, ChevronRight, MessageSquareText } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, PrefetchPageLinks, useNavigation } from 'react-router'
import { EmptyState } from '~/ui/empty-state'
import { byCount, formatCount } from '~/ui/format-count'
import { PanelHeading } from '~/ui/panel-heading'
import { Stars } from '~/ui/stars'
import { OwnReviewBox } from './own-review'
import { ReviewCard } from './review-card'
import { type ReviewChoice, reviewListUrl, reviewSortNames, reviewSorts } from './review-list'
import { type OwnReviews, reviewsPath } from './review-messages'
import type { CourseReview, ReviewPage } from './review-page-queries.server'
import { StarChart } from './star-chart'

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
  /**
   * The data that only the learner sees. Null for a visitor, and until the viewer's data has
   * arrived.
   */
  ownReviews: OwnReviews | null
}

/** Shows the reviews of a course, which are the same for everyone, and the learner's own review. */
export function ReviewsPanel({ course, choice, uid, ownReviews }: ReviewsPanelProps) {
  const emptyTexts = course.reviews > 0 ? emptyListTexts.onlyRatings : emptyListTexts.noRatings
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
      {/* The code of the forms' route is loaded early, so that it can say that the connection is lost. */}
      {ownReviews && <PrefetchPageLinks page={reviewsPath} />}
      <OwnReviewBox courseId={course.id} uid={uid} ownReviews={ownReviews} />
      {hasWrittenReviews ? (
        <ReviewList course={course} choice={choice} ownReviews={ownReviews} />
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

function ReviewList({ course, choice, ownReviews }: Omit<ReviewsPanelProps, 'uid'>) {
  const { page, pages } = course.reviewPage
  const listStart = useScrollToListStart(page)
  const reviewsOnPage = useLatestOwnReview(course.reviewsList, ownReviews)
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
              ownReviews={ownReviews}
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
function useLatestOwnReview(
  publicReviews: readonly CourseReview[],
  ownReviews: OwnReviews | null,
): readonly CourseReview[] {
  const ownReview = ownReviews?.review
  // The state still has the ID after the learner has deleted the review, so that the review is left
  // out.
  const [ownReviewId, setOwnReviewId] = useState<string | null>(null)
  if (ownReview && ownReview.id !== ownReviewId) {
    setOwnReviewId(ownReview.id)
  }

  if (!ownReviews || !ownReviewId) {
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

/** Shows links that sort the reviews. They also work without JavaScript. */
function ReviewSortLinks({ choice }: { choice: ReviewChoice }) {
  return (
    <nav aria-label="Sort reviews" className="flex flex-wrap gap-2">
      {reviewSorts.map((sort) => (
        <Link
          key={sort}
          to={reviewListUrl({ ...choice, sort, page: 1 })}
          preventScrollReset
          aria-current={sort === choice.sort || undefined}
          className="inline-flex min-h-9 items-center rounded-full border border-line px-3.5 font-medium text-muted text-sm hover:border-edge hover:text-ink aria-current:border-accent aria-current:bg-accent-soft aria-current:text-accent-strong"
        >
          {reviewSortNames[sort]}
        </Link>
      ))}
    </nav>
  )
}

/** Says that only reviews with a number of stars are listed, and links to all reviews. */
function ReviewFilterNote({ choice }: { choice: ReviewChoice }) {
  if (choice.stars === null) {
    return null
  }

  return (
    <p className="mt-4 text-sm">
      {byCount(choice.stars, 'Showing 1 star only.', `Showing ${choice.stars} stars only.`)}{' '}
      <Link
        to={reviewListUrl({ ...choice, stars: null, page: 1 })}
        preventScrollReset
        className="inline-flex min-h-6 items-center font-semibold text-accent underline underline-offset-4"
      >
        Show all reviews
      </Link>
    </p>
  )
}

type ReviewPagerProps = { choice: ReviewChoice; page: number; pageCount: number }

function ReviewPager({ choice, page, pageCount }: ReviewPagerProps) {
  if (pageCount === 1) {
    return null
  }

  return (
    <nav aria-label="Review pages" className="mt-8 flex items-center justify-between gap-4">
      <PageLink choice={choice} page={page > 1 ? page - 1 : null}>
        <ChevronLeft aria-hidden="true" size={18} />
        Previous
      </PageLink>
      <p className="text-sm text-muted">
        Page {page} of {pageCount}
      </p>
      <PageLink choice={choice} page={page < pageCount ? page + 1 : null}>
        Next
        <ChevronRight aria-hidden="true" size={18} />
      </PageLink>
    </nav>
  )
}

const pageLinkClasses =
  'inline-flex min-h-11 items-center gap-1.5 rounded-control px-4 font-semibold'

type PageLinkProps = {
  choice: ReviewChoice
  /** Null if there is no such page. The link is invisible then, but its space stays empty. */
  page: number | null
  children: ReactNode
}

function PageLink({ choice, page, children }: PageLinkProps) {
  if (page === null) {
    return <span className={`${pageLinkClasses} invisible`}>{children}</span>
  }

  return (
    <Link
      to={reviewListUrl({ ...choice, page })}
      preventScrollReset
      className={`${pageLinkClasses} border border-edge hover:border-ink`}
    >
      {children}
    </Link>
  )
}

const emptyListTexts = {
  noRatings: {
    title: 'No reviews yet',
    text: 'Complete part of the course, then write the first one.',
  },
  onlyRatings: {
    title: 'No written reviews yet',
    text: 'Learners have rated this course, but no one has written a review yet.',
  },
} as const
