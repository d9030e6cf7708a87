import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatCount } from '~/ui/format-count'
import { type ReviewChoice, reviewListUrl, reviewSortNames, reviewSorts } from './review-list'
import { renderStarFilterNote } from './review-messages'
import type { ReviewPage } from './review-page-queries.server'

/** Links that sort the reviews. Each order has a URL and works without a script. */
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

/** Says that only reviews with a number of stars are listed, and links to all reviews. */
export function ReviewFilterNote({ choice }: { choice: ReviewChoice }) {
  if (choice.stars === null) {
    return null
  }

  return (
    <p className="mt-4 text-sm">
      {renderStarFilterNote(choice.stars, (label) => (
        <Link
          to={reviewListUrl({ ...choice, stars: null, page: 1 })}
          preventScrollReset
          className="inline-flex min-h-6 items-center font-semibold text-accent underline underline-offset-4"
        >
          {label}
        </Link>
      ))}
    </p>
  )
}

type ReviewPagerProps = { choice: ReviewChoice; page: number; pageCount: number }

export function ReviewPager({ choice, page, pageCount }: ReviewPagerProps) {
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

const pageLinkStyle = 'inline-flex min-h-11 items-center gap-1.5 rounded-control px-4 font-semibold'

type PageLinkProps = {
  choice: ReviewChoice
  /** Null if there is no such page. The link is invisible then, but keeps its room. */
  page: number | null
  children: ReactNode
}

function PageLink({ choice, page, children }: PageLinkProps) {
  if (page === null) {
    return <span className={`${pageLinkStyle} invisible`}>{children}</span>
  }

  return (
    <Link
      to={reviewListUrl({ ...choice, page })}
      preventScrollReset
      className={`${pageLinkStyle} border border-edge hover:border-ink`}
    >
      {children}
    </Link>
  )
}

type StarShare = { stars: number; count: number; percent: number }

/**
 * Returns the share of the reviews with 5, 4, 3, 2 and 1 stars in whole percent.
 *
 * @param counts the numbers of these reviews
 */
export function calculateStarShares(counts: ReviewPage['stars']): StarShare[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  return counts.map((count, index) => ({
    stars: 5 - index,
    count,
    percent: total === 0 ? 0 : Math.round((count * 100) / total),
  }))
}

type StarChartProps = { counts: ReviewPage['stars']; choice: ReviewChoice }

/**
 * A chart of the written reviews by their stars. For ratings without a review, the course's file only
 * has the average. Each row is a link that lists only the reviews with its stars.
 */
export function StarChart({ counts, choice }: StarChartProps) {
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
