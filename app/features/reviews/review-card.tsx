import { ThumbsUp } from 'lucide-react'
import { useState } from 'react'
import { Link, useFetcher } from 'react-router'
import { Avatar } from '~/ui/avatar'
import type { FormResult } from '~/ui/form/form-result'
import { formatLongDate } from '~/ui/format-date'
import { Stars } from '~/ui/stars'
import {
  formatHelpfulCount,
  type OwnReviews,
  reviewReportUrl,
  reviewsPath,
  type VoteRequirement,
  voteRequirementTexts,
} from './review-messages'
import type { CourseReview } from './review-page-queries.server'

type ReviewCardProps = {
  courseId: string
  instructor: string
  review: CourseReview
  own: OwnReviews | null
}

/**
 * One review. Its text is the learner's own in any script, so that its direction is its own, too.
 */
export function ReviewCard({ courseId, instructor, review, own }: ReviewCardProps) {
  const { name, date, comment } = withPlaceholders(review)
  const mine = own?.review?.id === review.id

  return (
    <article className="card p-5 sm:p-6">
      <div className="flex items-center gap-4">
        <Avatar src={review.photo} name={name} />
        <div className="min-w-0 flex-1">
          <h3 className="font-bold text-base tracking-normal">
            <bdi>{name}</bdi>
            {mine && <span className="ml-2 font-medium text-muted text-sm">You</span>}
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
        mine={mine}
        counted={own?.votes[review.id]}
        lacks={own?.voteLacks ?? null}
        name={name}
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

/** Placeholders for a review's missing fields. */
export function withPlaceholders({
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

type VoteProps = {
  courseId: string
  review: CourseReview
  mine: boolean
  /**
   * How many found it helpful, the learner included; undefined if the learner didn't vote for it.
   */
  counted: number | undefined
  /** The missing requirement for voting; null also for a visitor. */
  lacks: VoteRequirement | null
  /** The author's name, as shown. */
  name: string
}

/**
 * Shows a vote at once, or explains the requirements. Without a script, or an account, it is a form
 * that leads to signing in.
 */
function HelpfulVote({ courseId, review, mine, counted, lacks, name }: VoteProps) {
  const fetcher = useFetcher<FormResult>()
  const intent = fetcher.formData?.get('intent')
  const pressed = intent ? intent === 'vote' : counted !== undefined
  // The public page may be a minute old, with or without this vote. The count of all others stays
  // as it was first shown.
  const [others, setOthers] = useState<number | null>(null)
  const othersNow = others ?? (counted === undefined ? review.helpful : counted - 1)
  const helpful = othersNow + Number(pressed)
  const [asked, setAsked] = useState(false)
  const barred = lacks !== null && !pressed
  const refused = fetcher.data && !fetcher.data.done ? fetcher.data.errors.form : undefined
  const problem = barred && asked ? voteRequirementTexts[lacks] : refused
  if (mine && helpful === 0) {
    return null
  }

  return (
    <div className="mt-4 flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted">
      {!mine && (
        <fetcher.Form
          method="post"
          action={reviewsPath}
          onSubmit={(event) => {
            if (barred) {
              event.preventDefault()
            }

            setAsked(true)
            setOthers(othersNow)
          }}
        >
          <input type="hidden" name="course" value={courseId} />
          <input type="hidden" name="review" value={review.id} />
          <input type="hidden" name="intent" value={pressed ? 'unvote' : 'vote'} />
          <button
            type="submit"
            aria-pressed={pressed}
            className="inline-flex min-h-9 items-center gap-2 rounded-full border border-edge px-3.5 font-semibold text-ink hover:border-ink aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-strong"
          >
            <ThumbsUp aria-hidden="true" size={15} />
            Helpful
          </button>
        </fetcher.Form>
      )}
      {helpful > 0 && <p>{formatHelpfulCount(helpful)}</p>}
      {!mine && review.isLearners && (
        <Link
          to={reviewReportUrl(review.id)}
          rel="nofollow"
          aria-label={`Report the review by ${name}`}
          className="inline-flex min-h-9 items-center underline-offset-4 hover:underline"
        >
          Report
        </Link>
      )}
      {problem && (
        <p role="alert" className="font-medium text-ink">
          {problem}{' '}
          {barred && lacks === 'confirmation' && (
            <Link to="/ConfirmEmail" className="underline underline-offset-4">
              Confirm email address
            </Link>
          )}
        </p>
      )}
    </div>
  )
}
