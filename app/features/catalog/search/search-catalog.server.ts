/**
 * Answers a query of the catalog: a page of courses, the number of all matching courses, and each
 * filter option with the number of courses that it would leave (`catalog-facets.server.ts`). A
 * search without results gets alternatives instead (`search-alternatives.server.ts`).
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
export function searchCatalog(db: Database, query: CatalogQuery): Promise<CatalogResult> {
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

  // A link may name a category that the school no longer has. It then leads to all courses.
  const isKnownCategory = schoolOptions.categories.has(submittedQuery.category)
  const category = isKnownCategory ? submittedQuery.category : 'all'
  const query = { ...submittedQuery, category }

  const textMatch = await matchText(connection, query)
  const { selection, hasExactMatches, correction } = textMatch
  const pageQuery: PageQuery = {
    chosenOptions: getChosenOptions(query),
    sort: query.sort,
    cursor: { after: query.after, before: query.before },
  }

  const pageWithCounts = await readPageWithCounts(connection, selection, pageQuery)
  const { page, isPartial } = pageWithCounts
  const total = isPartial ? maxCountedCourses : pageWithCounts.total
  const cards = await listCourseCards(connection, page.ids)

  // A list that is too long to be counted needs no more courses.
  const hiddenMentions = isPartial ? null : textMatch.hiddenMentions
  const hiddenMentionCount = hiddenMentions
    ? await countCourses(connection, hiddenMentions, pageQuery.chosenOptions)
    : 0

  const facets = await listFacets(connection, selection, {
    pageQuery,
    pageWithCounts,
    schoolOptions,
  })
  const alternatives =
    total === 0
      ? await findAlternatives(connection, query, textMatch, { pageQuery, schoolOptions })
      : null

  return {
    category,
    courses: cards.map((card) => addMarks(card, textMatch)),
    total,
    isPartial,
    hiddenMentionCount,
    hasOnlyMentions: !hasExactMatches && total > 0,
    correction,
    facets,
    nextCursor: page.hasNext ? (cards.at(-1)?.id ?? null) : null,
    previousCursor: page.hasPrevious ? (cards[0]?.id ?? null) : null,
    alternatives,
  }
}

/** Adds the parts of a course's texts that match the search, which its card highlights. */
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
