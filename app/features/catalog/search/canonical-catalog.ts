/**
 * What search engines read about a page of the catalog: its URL, its title, and whether to list it.
 */
import { catalogMessages } from '../courses-page/catalog-messages'
import { type CatalogQuery, type CatalogResult, catalogUrl, getOptionName } from './catalog-query'

/**
 * Returns the only URL under which search engines know a list of courses, whatever its order and
 * the order of its parameters.
 *
 * @param options.isFirstPage whether no page comes before this page of the list
 */
export function getCanonicalCatalogUrl(
  query: CatalogQuery,
  { isFirstPage }: { isFirstPage: boolean },
): string {
  // A later page of another order has other courses, so the canonical URL is that of the first
  // page.
  const isFirstPageCanonical = isFirstPage || query.sort !== 'best'
  return catalogUrl(
    isFirstPageCanonical ? { ...query, sort: 'best', after: null, before: null } : query,
  )
}

/**
 * Returns whether search engines may list the page. Pages of a typed search and empty lists are not
 * listed, and each page of a list is listed only once.
 */
export function isIndexable(
  query: CatalogQuery,
  { total, isFirstPage }: { total: number; isFirstPage: boolean },
): boolean {
  // The same courses are also reached by `after`.
  const isReachedBackward = query.before !== null && !isFirstPage
  return !isTypedSearch(query) && total > 0 && !isReachedBackward
}

/**
 * Returns whether a visitor typed the searched text. Links to an instructor's courses also search
 * for the name, because only a search finds courses outside the catalog.
 */
function isTypedSearch({ q, instructor }: CatalogQuery): boolean {
  return q !== '' && !instructor.includes(q)
}

/** Returns a title such as 'Design courses', 'Beginner courses' or 'Courses by Amara Okafor'. */
export function getCatalogTitle(query: CatalogQuery, facets: CatalogResult['facets']): string {
  if (isTypedSearch(query)) {
    return catalogMessages.listTitles.about(query.q)
  }

  const subject = getSubject(query, facets)
  const [instructor, ...otherInstructors] = query.instructor
  if (instructor === undefined || otherInstructors.length > 0) {
    return subject ? catalogMessages.listTitles.about(subject) : catalogMessages.listTitles.all
  }

  return subject
    ? catalogMessages.listTitles.aboutBy(subject, instructor)
    : catalogMessages.listTitles.by(instructor)
}

/** Returns a text such as 'Beginner Design', or an empty text if nothing is chosen. */
function getSubject(query: CatalogQuery, facets: CatalogResult['facets']): string {
  const names: string[] = []
  if (query.level !== 'all') {
    names.push(getOptionName(facets.level, query.level))
  }

  if (query.category !== 'all') {
    names.push(getOptionName(facets.category, query.category))
  }

  names.push(...query.skill.slice(0, 1))

  return names.join(' ')
}
