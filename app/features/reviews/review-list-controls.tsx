import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatCount } from '~/ui/format-count'
import { type ReviewChoice, reviewListUrl, reviewSortNames, reviewSorts } from './review-list'
import { reviewsWithStars } from './review-messages'
import type { ReviewPage } from './review-page-queries.server'

/** The four orders as links, so that each has an address and works without a script. */
export function ReviewSortLinks({ choice }: { choice: ReviewChoice }) {
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

/** Says that the list is narrowed down to a number of stars, and leads back to all. */
export function ReviewFilterNote({ choice }: { choice: ReviewChoice }) {
  if (choice.stars === null) {
    return null
  }

  return (
    <p className="mt-4 text-sm">
      {reviewsWithStars(choice.stars, (words) => (
        <Link
          to={reviewListUrl({ ...choice, stars: null, page: 1 })}
          preventScrollReset
          className="inline-flex min-h-6 items-center font-semibold text-accent underline underline-offset-4"
        >
          {words}
        </Link>
      ))}
    </p>
  )
}

export function ReviewPager({
  choice,
  page,
  pages,
}: {
  choice: ReviewChoice
  page: number
  pages: number
}) {
  if (pages === 1) {
    return null
  }

  return (
    <nav aria-label="Review pages" className="mt-8 flex items-center justify-between gap-4">
      <PageLink choice={choice} page={page > 1 ? page - 1 : null}>
        <ChevronLeft aria-hidden="true" size={18} />
        Previous
      </PageLink>
      <p className="text-sm text-muted">
        Page {page} of {pages}
      </p>
      <PageLink choice={choice} page={page < pages ? page + 1 : null}>
        Next
        <ChevronRight aria-hidden="true" size={18} />
      </PageLink>
    </nav>
  )
}

const pageLink = 'inline-flex min-h-11 items-center gap-1.5 rounded-control px-4 font-semibold'

function PageLink({
  choice,
  page,
  children,
}: {
  choice: ReviewChoice
  page: number | null
  children: ReactNode
}) {
  if (page === null) {
    return <span className={`${pageLink} invisible`}>{children}</span>
  }

  return (
    <Link
      to={reviewListUrl({ ...choice, page })}
      preventScrollReset
      className={`${pageLink} border border-edge hover:border-ink`}
    >
      {children}
    </Link>
  )
}

type StarShare = { stars: number; count: number; percent: number }

/**
 * @param counts of reviews with 5, 4, 3, 2 and 1 stars.
 * @returns them with their share in whole percent, rounded.
 */
export function calculateStarShares(counts: ReviewPage['stars']): StarShare[] {
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
