/**
 * Answers a query of the catalog: a page of courses, the number of all matching courses, and each
 * filter option with the number of courses that it would leave (`catalog-facets.server.ts`). A
 * search without results gets suggestions instead (`search-alternatives.server.ts`).
 */
import type { Database } from '~/server/database/client.server'
import { listFacets, readPageWithCounts } from './catalog-facets.server'
import {
  type CatalogCourse,
  type CatalogQuery,
  type CatalogResult,
  maxCountedCourses,
} from './catalog-query'
import { getChosenOptions, type SchoolOptions } from './facet-counts'
import { listMarks } from './match-marks'
import { findAlternatives } from './search-alternatives.server'
import { listCategories, listLanguages } from './search-index.server'
import {
  type CourseCardData,
  countCourses,
  listCourseCards,
  type PageQuery,
} from './search-queries.server'
import { type Connection, runSearch } from './search-transaction.server'
import { matchText, type TextMatch } from './text-match.server'

/** Returns the page of the catalog that a query describes. */
export function findCatalog(db: Database, query: CatalogQuery): Promise<CatalogResult> {
  return runSearch(db, (connection) => readCatalogResult(connection, query))
}

async function readCatalogResult(
  connection: Connection,
  submittedQuery: CatalogQuery,
): Promise<CatalogResult> {
  const schoolOptions: SchoolOptions = {
    languages: await listLanguages(connection),
    categories: await listCategories(connection),
  }
  const isCategory = schoolOptions.categories.has(submittedQuery.category)
  const query = { ...submittedQuery, category: isCategory ? submittedQuery.category : 'all' }

  const textMatch = await matchText(connection, query)
  const pageQuery: PageQuery = {
    chosenOptions: getChosenOptions(query),
    sort: query.sort,
    cursor: { after: query.after, before: query.before },
  }
  const { selection } = textMatch
  const pageWithCounts = await readPageWithCounts(connection, selection, pageQuery)
  const { page, isPartial } = pageWithCounts
  const total = isPartial ? maxCountedCourses : pageWithCounts.total

  const cards = await listCourseCards(connection, page.ids)
  const matches = await countMatchKinds(connection, textMatch, pageQuery, { total, isPartial })
  const counted = { pageQuery, pageWithCounts, schoolOptions }
  const facets = await listFacets(connection, selection, counted)
  const alternatives =
    total > 0
      ? null
      : await findAlternatives(connection, query, textMatch, { pageQuery, schoolOptions })

  return {
    category: query.category,
    courses: cards.map((card) => addMarks(card, textMatch)),
    total,
    orMore: isPartial,
    matches,
    showsMentions: textMatch.showsMentions,
    corrected: textMatch.corrected,
    facets,
    next: page.hasNext ? (cards.at(-1)?.id ?? null) : null,
    previous: page.hasPrevious ? (cards[0]?.id ?? null) : null,
    alternatives,
  }
}

/**
 * Counts how many courses of the list match exactly, and how many only mention the searched text. A
 * list with more courses than are counted offers no mentions.
 */
async function countMatchKinds(
  connection: Connection,
  { mentions, hasExact, showsMentions }: TextMatch,
  pageQuery: PageQuery,
  { total, isPartial }: { total: number; isPartial: boolean },
): Promise<CatalogResult['matches']> {
  if (!hasExact) {
    // The list then consists of mentions.
    return { exact: 0, mention: total }
  }

  if (!mentions || isPartial) {
    return { exact: total, mention: 0 }
  }

  const mentionCount = await countCourses(connection, mentions, pageQuery.chosenOptions)

  return { exact: showsMentions ? total - mentionCount : total, mention: mentionCount }
}

/** Adds the positions at which the search matches the texts of a course. */
function addMarks(card: CourseCardData, { search }: TextMatch): CatalogCourse {
  const findMarks = (text: string) => (search ? listMarks(text, search.plan, search.forms) : [])

  return {
    ...card,
    marks: {
      title: findMarks(card.title),
      summary: findMarks(card.summary),
      instructorName: findMarks(card.instructorName),
    },
  }
}
