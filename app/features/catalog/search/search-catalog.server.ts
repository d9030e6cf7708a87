import type { Database } from '~/server/database/client.server'
import { type CourseRow, listCards } from './card-queries.server'
import { countCourses, countOptions, facetTest, listChosen, nameOptions, without } from './catalog-filters'
import { type CatalogueQuery, mostCounted } from './catalog-query'
import type { CatalogueCourse, CatalogueResult } from './catalog-result'
import { type CourseList, firstPage, readList } from './course-list.server'
import { listLanguages } from './course-search.server'
import { packedGroups } from './facet-steps'
import { type FacetGroup, namedGroups } from './facets'
import { listMarks } from './match-marks'
import { type Asked, countFacets } from './matches.server'
import { findAlternatives } from './no-results.server'
import { findListing, type Listing } from './search-listing.server'
import { type Connection, searchWithin } from './search-transaction.server'

/** The page of the catalog that a query asks for. */
export function findCatalogue(db: Database, query: CatalogueQuery): Promise<CatalogueResult> {
  return searchWithin(db, (connection) => answer(connection, query))
}

async function answer(connection: Connection, query: CatalogueQuery): Promise<CatalogueResult> {
  const listing = await findListing(connection, query)
  const asked: Asked = {
    chosen: listChosen(query),
    languages: await listLanguages(connection),
    sort: query.sort,
    cursor: { after: query.after, before: query.before },
  }
  const list = await readList(connection, listing.source, asked)
  const { page, isPartial } = list
  const found = countCourses(list.counts, facetTest(asked.chosen, asked.languages))
  const total = isPartial ? mostCounted : found
  const cards = await listCards(connection, page.ids)
  return {
    courses: cards.map((card) => withMarks(card, listing)),
    total,
    orMore: isPartial,
    matches: await countBoth(connection, listing, asked, { total, isPartial }),
    showsMentions: listing.showsMentions,
    corrected: listing.corrected,
    facets: await listFacets(connection, listing, asked, list),
    next: page.hasNext ? (cards.at(-1)?.id ?? null) : null,
    previous: page.hasPrevious ? (cards[0]?.id ?? null) : null,
    alternatives: total > 0 ? null : await findAlternatives(connection, query, listing, asked),
  }
}

/** How a list splits. Beside more courses than are counted, no others are offered. */
async function countBoth(
  connection: Connection,
  { mentions, hasExact, showsMentions }: Listing,
  asked: Asked,
  { total, isPartial }: { total: number; isPartial: boolean },
): Promise<CatalogueResult['matches']> {
  if (!hasExact) return { exact: 0, mention: total }
  if (!mentions || isPartial) return { exact: total, mention: 0 }
  const mention = countCourses((await countFacets(connection, mentions, asked)).counts)
  return { exact: showsMentions ? total - mention : total, mention }
}

async function listFacets(
  connection: Connection,
  { source }: Listing,
  asked: Asked,
  list: CourseList,
): Promise<CatalogueResult['facets']> {
  const { chosen, languages } = asked
  const askedWithout = (group: FacetGroup) => ({ ...asked, chosen: without(chosen, group), cursor: firstPage })
  const facets: Partial<CatalogueResult['facets']> = {}
  for (const group of packedGroups) {
    const isOwn = !list.isWhole && chosen[group].length > 0
    const own = isOwn ? await countFacets(connection, source, askedWithout(group)) : list
    facets[group] = countOptions(group, own, chosen, languages)
  }
  for (const group of namedGroups) {
    const isOwn = chosen[group].length > 0
    const { names, areNamesPartial } = isOwn ? await readList(connection, source, askedWithout(group)) : list
    facets[group] = nameOptions(group, { counts: names[group], isPartial: areNamesPartial }, chosen)
  }
  return facets as CatalogueResult['facets']
}

function withMarks(card: CourseRow, { search }: Listing): CatalogueCourse {
  const marksOf = (text: string) => (search ? listMarks(text, search.plan, search.forms) : [])
  return {
    ...card,
    marks: { title: marksOf(card.title), summary: marksOf(card.summary), instructorName: marksOf(card.instructorName) },
  }
}
