import { listTitles } from '../courses-page/catalog-messages'
import { type CatalogQuery, type CatalogResult, catalogUrl, getOptionName } from './catalog-query'

/**
 * The one address of a list of courses for search engines, whatever its order and the order of its
 * parameters.
 *
 * @param isFirst whether nothing comes before this page of the list.
 */
export function getCanonicalCatalogUrl(
  query: CatalogQuery,
  { isFirst }: { isFirst: boolean },
): string {
  // A later page has different courses in another order.
  const beginsAnew = isFirst || query.sort !== 'best'
  return catalogUrl(beginsAnew ? { ...query, sort: 'best', after: null, before: null } : query)
}

/**
 * Whether search engines may show the page: not a typed search, not an empty list, and each page of
 * a list once.
 */
export function isIndexable(
  query: CatalogQuery,
  { total, isFirst }: { total: number; isFirst: boolean },
): boolean {
  return !isTyped(query) && total > 0 && (query.before === null || isFirst)
}

/**
 * An instructor's courses are searched by the name, so that those outside the catalog are found,
 * too.
 */
function isTyped({ q, instructor }: CatalogQuery): boolean {
  return q !== '' && !instructor.includes(q)
}

/** The page's title: 'Design courses', 'Beginner courses', 'Courses by Amara Okafor'. */
export function getCatalogTitle(query: CatalogQuery, facets: CatalogResult['facets']): string {
  if (isTyped(query)) {
    return listTitles.of(query.q)
  }

  const subject = [
    ...(query.level === 'all' ? [] : [getOptionName(facets.level, query.level)]),
    ...(query.category === 'all' ? [] : [getOptionName(facets.category, query.category)]),
    ...query.skill.slice(0, 1),
  ].join(' ')
  const [instructor, ...others] = query.instructor
  if (instructor === undefined || others.length > 0) {
    return subject ? listTitles.of(subject) : listTitles.all
  }

  return subject ? listTitles.ofBy(subject, instructor) : listTitles.by(instructor)
}
