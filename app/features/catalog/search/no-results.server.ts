import { type Category, categoryNames } from '../course-filters'
import { countCourses, countOptions, without } from './catalog-filters'
import type { CatalogueQuery } from './catalog-query'
import type { CatalogueResult } from './catalog-result'
import { firstPage, readList } from './course-list.server'
import { facetGroups } from './facets'
import { type Asked, countFacets, type Source, wholeCatalog } from './matches.server'
import { findListing, type Listing } from './search-listing.server'
import type { Connection } from './search-transaction.server'

const mostLinks = 3
/** Each is a search of its own. */
const mostWords = 8

/** What else to try when nothing is found. */
export async function findAlternatives(
  connection: Connection,
  { q }: CatalogueQuery,
  listing: Listing,
  asked: Asked,
): Promise<NonNullable<CatalogueResult['alternatives']>> {
  const words = q.split(' ')
  const shorter: { word: string; q: string; count: number; source: Source }[] = []
  for (const [at, word] of words.length > 1 ? words.slice(0, mostWords).entries() : []) {
    const rest = words.filter((_, index) => index !== at).join(' ')
    const { source } = await findListing(connection, { q: rest, exact: true, mentions: false })
    const count = countCourses((await countFacets(connection, source, asked)).counts)
    if (count > 0) shorter.push({ word, q: rest, count, source })
  }
  shorter.sort((a, b) => b.count - a.count)
  return {
    without: shorter.slice(0, mostLinks).map(({ word, q, count }) => ({ word, q, count })),
    categories: await listCategories(connection, [listing.source, ...shorter.map(({ source }) => source)], asked),
  }
}

/** The categories of the nearest courses: of those that the filters left out, or else of those of fewer words, or of all. */
async function listCategories(connection: Connection, sources: readonly Source[], { chosen, ...asked }: Asked) {
  const all = { ...asked, chosen: without(chosen, ...facetGroups) }
  for (const source of [...sources, wholeCatalog]) {
    const list = await readList(connection, source, { ...all, cursor: firstPage })
    if (list.counts.length === 0) continue
    return countOptions('category', list, all.chosen, asked.languages)
      .filter((option): option is typeof option & { value: Category } => isCategory(option.value) && option.count > 0)
      .sort((a, b) => b.count - a.count)
      .slice(0, mostLinks)
      .map(({ value, count }) => ({ category: value, count }))
  }
  return []
}

const isCategory = (value: string) => value !== 'all' && Object.hasOwn(categoryNames, value)
