import { Link } from 'react-router'
import { formatCount } from '~/ui/format-count'
import { type ReviewChoice, reviewListUrl } from './review-list'
import type { ReviewPage } from './review-page-queries.server'

type StarChartProps = {
  /** The numbers of reviews with 5, 4, 3, 2 and 1 stars. */
  counts: ReviewPage['stars']
  choice: ReviewChoice
}

/**
 * Shows how many written reviews have each number of stars. Ratings without a review are not
 * included, because the course's file has only their average. A row's link filters the list of
 * reviews by its stars.
 */
export function StarChart({ counts, choice }: StarChartProps) {
  const reviewCount = sumCounts(counts)

  return (
    <table className="w-full max-w-md text-sm">
      <caption className="mb-2 text-left text-muted">
        {formatCount(reviewCount, 'written review', 'written reviews')}
      </caption>
      <tbody>
        {calculateStarShares(counts).map(({ stars, count, percent }) => (
          <tr
            key={stars}
            className={choice.stars === null || choice.stars === stars ? '' : 'opacity-60'}
          >
            <th scope="row" className="w-16 text-left font-medium whitespace-nowrap">
              {count > 0 ? (
                <Link
                  to={reviewListUrl({
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

type StarShare = { stars: number; count: number; percent: number }

/** Returns the percentage of the reviews with 5, 4, 3, 2 and 1 stars, as whole numbers. */
export function calculateStarShares(counts: ReviewPage['stars']): StarShare[] {
  const reviewCount = sumCounts(counts)

  return counts.map((count, index) => ({
    stars: 5 - index,
    count,
    percent: reviewCount === 0 ? 0 : Math.round((count * 100) / reviewCount),
  }))
}

function sumCounts(counts: ReviewPage['stars']): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
