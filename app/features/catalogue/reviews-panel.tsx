import { MessageSquareText, ThumbsUp } from 'lucide-react'
import { Avatar } from '~/ui/avatar'
import { EmptyState } from '~/ui/empty-state'
import { Stars } from '~/ui/stars'
import type { CourseDetail, CourseReview } from './course-queries.server'
import { PanelHeading } from './panel-heading'
import { countText } from './quantity-text'
import { shownReview, starShares } from './review-fallbacks'

export function ReviewsPanel({ course }: { course: CourseDetail }) {
  const reviews = course.reviewsList
  return (
    <div>
      <PanelHeading>What learners say</PanelHeading>
      <div className="mt-6 grid items-center gap-x-12 gap-y-6 sm:grid-cols-[auto_1fr]">
        <div>
          <p className="display leading-none">{course.rating.toFixed(1)}</p>
          <Stars rating={course.rating} className="mt-2" />
          <p className="mt-1 text-sm text-muted">{countText(course.reviews, 'review')}</p>
        </div>
        {reviews.length > 0 && <StarChart ratings={reviews.map((review) => review.rating)} />}
      </div>
      {reviews.length > 0 ? (
        <ul className="mt-10 space-y-5">
          {reviews.map((review) => (
            <li key={review.id}>
              <Review review={review} />
            </li>
          ))}
        </ul>
      ) : (
        <div className="mt-10">
          <EmptyState icon={<MessageSquareText size={26} />} title="No written reviews yet">
            Learners have rated this course, but nobody has written about it so far.
          </EmptyState>
        </div>
      )}
    </div>
  )
}

/** Of the reviews in the list only: how the others were spread is not known. */
function StarChart({ ratings }: { ratings: number[] }) {
  return (
    <table className="w-full max-w-md text-sm">
      <caption className="mb-2 text-left text-muted">
        {ratings.length === 1 ? 'The review below' : `The ${ratings.length} reviews below`}
      </caption>
      <tbody>
        {starShares(ratings).map(({ stars, count, percent }) => (
          <tr key={stars}>
            <th scope="row" className="w-16 py-0.5 text-left font-medium">
              {countText(stars, 'star')}
            </th>
            <td className="px-3 py-0.5">
              <svg aria-hidden="true" width="100%" height="8" className="block overflow-hidden rounded-full bg-line">
                <rect width={`${percent}%`} height="8" rx="4" className="fill-star" />
              </svg>
            </td>
            <td className="w-8 py-0.5 text-right text-muted tabular-nums">{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Review({ review }: { review: CourseReview }) {
  const { name, date, comment } = shownReview(review)
  return (
    <article className="card p-5 sm:p-6">
      <div className="flex items-center gap-4">
        <Avatar src={null} name={name} />
        <div className="min-w-0 flex-1">
          <h3 className="font-bold text-base tracking-normal">{name}</h3>
          <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
            <Stars rating={review.rating} />
            {date}
          </p>
        </div>
      </div>
      <p className={`mt-4 max-w-[68ch] ${review.comment === null ? 'text-muted italic' : ''}`}>{comment}</p>
      <p className="mt-4 inline-flex items-center gap-2 text-sm text-muted">
        <ThumbsUp aria-hidden="true" size={15} />
        {countText(review.helpful, 'learner')} found this helpful
      </p>
    </article>
  )
}
