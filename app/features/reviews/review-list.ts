/** The orders in which a course's reviews can be sorted. The first is the default. */
export const reviewSorts = ['helpful', 'newest', 'highest', 'lowest'] as const
export type ReviewSort = (typeof reviewSorts)[number]

export const reviewSortNames: Record<ReviewSort, string> = {
  helpful: 'Most helpful',
  newest: 'Newest',
  highest: 'Highest rated',
  lowest: 'Lowest rated',
}

/** The part of a course's reviews that a visitor has chosen to see. */
export type ReviewChoice = {
  sort: ReviewSort
  /** The number of stars of the listed reviews, 1 to 5. Null stands for all reviews. */
  stars: number | null
  /** The page number, from 1. A number beyond the last page stands for the last page. */
  page: number
}

export const reviewsPerPage = 10
export const defaultReviewChoice: ReviewChoice = { sort: 'helpful', stars: null, page: 1 }

/** Reads the choice from a URL's parameters. Invalid values fall back to the default. */
export function parseReviewChoice(parameters: URLSearchParams): ReviewChoice {
  const requestedSort = parameters.get('sort')
  const stars = parseWholeNumber(parameters.get('stars'))
  const page = parseWholeNumber(parameters.get('page')) ?? 1

  return {
    sort: reviewSorts.find((sort) => sort === requestedSort) ?? defaultReviewChoice.sort,
    stars: stars !== null && stars >= 1 && stars <= 5 ? stars : null,
    page: Math.max(1, page),
  }
}

function parseWholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null
}

/**
 * Returns a URL relative to the course's page. Defaults are left out, so that a list has only one
 * URL.
 */
export function reviewListUrl({ sort, stars, page }: ReviewChoice): string {
  const parameters = new URLSearchParams({ tab: 'reviews' })
  if (sort !== defaultReviewChoice.sort) {
    parameters.set('sort', sort)
  }

  if (stars !== null) {
    parameters.set('stars', String(stars))
  }

  if (page > 1) {
    parameters.set('page', String(page))
  }

  return `?${parameters}`
}
