import { ThumbsUp } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { Link, useFetcher } from 'react-router'
import { Avatar } from '~/ui/avatar'
import type { FormResult } from '~/ui/form/form-result'
import { byCount, formatNumber } from '~/ui/format-count'
import { formatLongDate } from '~/ui/format-date'
import { Stars } from '~/ui/stars'
import {
  type OwnReviews,
  reviewsPath,
  type VoteRequirement,
  voteRequirementTexts,
} from './review-messages'
import type { CourseReview } from './review-page-queries.server'

type ReviewCardProps = {
  courseId: string
  instructor: string
  review: CourseReview
  ownReviews: OwnReviews | null
}

/**
 * Shows one review. Its texts may be in any script, so each text has the direction of its own
 * script.
 */
export function ReviewCard({ courseId, instructor, review, ownReviews }: ReviewCardProps) {
  const { name, date, comment } = formatReview(review)
  const isOwnReview = ownReviews?.review?.id === review.id
  const voteCounts = new Map(Object.entries(ownReviews?.votes ?? {}))

  return (
    <article className="card p-5 sm:p-6">
      <div className="flex items-center gap-4">
        <Avatar src={review.photo} name={name} />
        <div className="min-w-0 flex-1">
          <h3 className="font-bold text-base tracking-normal">
            <bdi>{name}</bdi>
            {isOwnReview && <span className="ml-2 font-medium text-muted text-sm">You</span>}
          </h3>
          <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
            <Stars rating={review.rating} />
            <span>
              {date}
              {review.edited && ' · edited'}
            </span>
          </p>
        </div>
      </div>
      <p
        dir="auto"
        className={`mt-4 max-w-[68ch] whitespace-pre-line ${review.comment === null ? 'text-muted italic' : ''}`}
      >
        {comment}
      </p>
      <HelpfulVote
        courseId={courseId}
        review={review}
        isOwnReview={isOwnReview}
        countWithOwnVote={voteCounts.get(review.id)}
        missingRequirement={ownReviews?.voteLacks ?? null}
        authorName={name}
      />
      {review.answer && (
        <div className="mt-4 rounded-control bg-sunken p-4">
          <p className="text-muted text-sm">
            Answer by <bdi className="font-semibold text-ink">{instructor}</bdi>
          </p>
          <p dir="auto" className="mt-1 max-w-[68ch] whitespace-pre-line">
            {review.answer}
          </p>
        </div>
      )}
    </article>
  )
}

/** Formats the fields of a review. Missing fields are replaced by placeholders. */
export function formatReview({
  name,
  date,
  comment,
}: Pick<CourseReview, 'name' | 'date' | 'comment'>) {
  return {
    name: name ?? 'Anonymous',
    date: date === null ? 'Recently' : formatLongDate(date),
    comment: comment ?? 'No comment provided',
  }
}

type HelpfulVoteProps = {
  courseId: string
  review: CourseReview
  isOwnReview: boolean
  /**
   * The number of learners who found the review helpful, including this learner. Undefined if this
   * learner has not voted for it.
   */
  countWithOwnVote: number | undefined
  /**
   * The requirement for voting that the learner does not meet. Null if there is none, and for
   * visitors.
   */
  missingRequirement: VoteRequirement | null
  /** The author's name as the card displays it. */
  authorName: string
}

/**
 * Shows the button "Helpful". It displays a vote at once, or explains what is required for voting.
 * Visitors are sent to the login page.
 */
function HelpfulVote(props: HelpfulVoteProps) {
  const { courseId, review, isOwnReview, authorName } = props
  const { fetcher, isPressed, helpfulCount, handleSubmit, problem, needsConfirmation } =
    useHelpfulVote(props)

  if (isOwnReview && helpfulCount === 0) {
    return null
  }

  return (
    <div className="mt-4 flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted">
      {!isOwnReview && (
        <fetcher.Form method="post" action={reviewsPath} onSubmit={handleSubmit}>
          <input type="hidden" name="course" value={courseId} />
          <input type="hidden" name="review" value={review.id} />
          <input type="hidden" name="intent" value={isPressed ? 'unvote' : 'vote'} />
          <button
            type="submit"
            aria-pressed={isPressed}
            className="inline-flex min-h-9 items-center gap-2 rounded-full border border-edge px-3.5 font-semibold text-ink hover:border-ink aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-strong"
          >
            <ThumbsUp aria-hidden="true" size={15} />
            Helpful
          </button>
        </fetcher.Form>
      )}
      {helpfulCount > 0 && <p>{formatHelpfulCount(helpfulCount)}</p>}
      {!isOwnReview && review.isLearners && (
        <Link
          to={reviewReportUrl(review.id)}
          rel="nofollow"
          aria-label={`Report the review by ${authorName}`}
          className="inline-flex min-h-9 items-center underline-offset-4 hover:underline"
        >
          Report
        </Link>
      )}
      {problem && (
        <p role="alert" className="font-medium text-ink">
          {problem}{' '}
          {needsConfirmation && (
            <Link to="/ConfirmEmail" className="underline underline-offset-4">
              Confirm email address
            </Link>
          )}
        </p>
      )}
    </div>
  )
}

function useHelpfulVote({ review, countWithOwnVote, missingRequirement }: HelpfulVoteProps) {
  const fetcher = useFetcher<FormResult>()
  const submittedIntent = fetcher.formData?.get('intent')
  const hasVoted = countWithOwnVote !== undefined
  const isPressed = submittedIntent ? submittedIntent === 'vote' : hasVoted

  // The public page may be a minute old, so its count may or may not include this learner's vote.
  // From the first click on, the displayed count is the number of other votes at that time plus the
  // own vote.
  const [otherVotesAtFirstClick, setOtherVotesAtFirstClick] = useState<number | null>(null)
  const latestOtherVotes = hasVoted ? countWithOwnVote - 1 : review.helpful
  const otherVotes = otherVotesAtFirstClick ?? latestOtherVotes

  const [hasSubmitted, setHasSubmitted] = useState(false)
  // Learners may always withdraw a vote.
  const requirement = isPressed ? null : missingRequirement

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    if (requirement !== null) {
      event.preventDefault()
    }

    setHasSubmitted(true)
    setOtherVotesAtFirstClick(otherVotes)
  }

  const serverProblem = fetcher.data && !fetcher.data.done ? fetcher.data.errors.form : undefined

  return {
    fetcher,
    isPressed,
    helpfulCount: otherVotes + Number(isPressed),
    handleSubmit,
    problem:
      requirement !== null && hasSubmitted ? voteRequirementTexts[requirement] : serverProblem,
    needsConfirmation: requirement === 'confirmation',
  }
}

/** Returns the URL of the page where a learner reports the review of somebody else. */
function reviewReportUrl(reviewId: string): string {
  return `${reviewsPath}/${reviewId}/Report`
}

function formatHelpfulCount(count: number): string {
  return byCount(
    count,
    '1 learner found this helpful',
    `${formatNumber(count)} learners found this helpful`,
  )
}
