import { Link } from 'react-router'
import { formatCount } from '~/ui/format-count'
import { formatLongDate } from '~/ui/format-date'
import { addressOfReviews, type ReviewChoice } from './review-list'
import type { CourseReview, ReviewPage } from './review-page-queries.server'

/** Placeholders for a review's missing fields. */
export function shownReview({
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

type StarShare = { stars: number; count: number; percent: number }

/**
 * @param counts of reviews with 5, 4, 3, 2 and 1 stars.
 * @returns them with their share in whole percent, rounded.
 */
export function starShares(counts: ReviewPage['stars']): StarShare[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  return counts.map((count, index) => ({
    stars: 5 - index,
    count,
    percent: total === 0 ? 0 : Math.round((count * 100) / total),
  }))
}

/**
 * Of the written reviews only: how the other ratings were spread is not known. Each row narrows the
 * list down.
 */
export function StarChart({
  counts,
  choice,
}: {
  counts: ReviewPage['stars']
  choice: ReviewChoice
}) {
  const total = counts.reduce((sum, count) => sum + count, 0)
  return (
    <table className="w-full max-w-md text-sm">
      <caption className="mb-2 text-left text-muted">
        {formatCount(total, 'written review', 'written reviews')}
      </caption>
      <tbody>
        {starShares(counts).map(({ stars, count, percent }) => (
          <tr
            key={stars}
            className={choice.stars === null || choice.stars === stars ? '' : 'opacity-60'}
          >
            <th scope="row" className="w-16 text-left font-medium whitespace-nowrap">
              {count > 0 ? (
                <Link
                  to={addressOfReviews({
                    ...choice,
                    page: 1,
                    stars: choice.stars === stars ? null : stars,
                  })}
                  preventScrollReset
                  aria-current={choice.stars === stars || undefined}
                  className="inline-flex min-h-6 items-center underline-offset-4 hover:underline aria-current:text-accent aria-current:underline"
                >
                  {formatCount(stars, 'star', 'stars')}
                </Link>
              ) : (
                <span className="inline-flex min-h-6 items-center">
                  {formatCount(stars, 'star', 'stars')}
                </span>
              )}
            </th>
            <td className="px-3">
              <svg
                aria-hidden="true"
                width="100%"
                height="8"
                className="block overflow-hidden rounded-full bg-line"
              >
                <rect width={`${percent}%`} height="8" rx="4" className="fill-star" />
              </svg>
            </td>
            <td className="w-8 text-right text-muted tabular-nums">{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
