/**
 * Searches the catalog. The result has one page of courses, the number of matching courses, up to
 * `maxCountedCourses`, and each filter option with the number of courses that it would leave
 * (`catalog-facets.server.ts`). A search without results gets alternatives
 * (`search-alternatives.server.ts`).
 *
 * A course matches a searched text by its title, summary or instructor, or only mentions the text in
 * its skills, lesson titles or subtitle. Courses that only mention the text are hidden while others
 * match. The page then says how many are hidden.
 *
 * All queries of a search use the connection of one transaction, so they run one after the other.
 */
import type { Database } from '~/server/database/client.server'
import { listFacets, readPageWithCounts } from './catalog-facets.server'
import {
  type CatalogCourse,
  type CatalogQuery,
  type CatalogResult,
  maxCountedCourses,
} from './catalog-query'
import { type CourseCardData, listCourseCards } from './course-cards.server'
import { getChosenOptions } from './facet-options'
import { listMarks } from './match-marks'
import { findAlternatives } from './search-alternatives.server'
import { readSchoolOptions } from './search-index.server'
import { countCourses, type PageQuery } from './search-queries.server'
import { type Connection, runSearchTransaction } from './search-transaction.server'
import { matchText, type TextMatch } from './text-match.server'

/** Returns what the catalog page shows for the query of its URL. */
export function searchCatalog(db: Database, query: CatalogQuery): Promise<CatalogResult> {
  return runSearchTransaction(db, (connection) => readCatalogResult(connection, query))
}

async function readCatalogResult(
  connection: Connection,
  submittedQuery: CatalogQuery,
): Promise<CatalogResult> {
  const schoolOptions = await readSchoolOptions(connection)

  // A link may name a category that the school no longer has. It then leads to all courses.
  const hasCategory = schoolOptions.categories.has(submittedQuery.category)
  const category = hasCategory ? submittedQuery.category : 'all'
  const query = { ...submittedQuery, category }

  const textMatch = await matchText(connection, query)
  const { matchingCourses, hasMainMatches, correction } = textMatch
  const chosenOptions = getChosenOptions(query)
  const pageQuery: PageQuery = {
    chosenOptions,
    countedNames: chosenOptions,
    sort: query.sort,
    cursor: { after: query.after, before: query.before },
  }

  const pageWithCounts = await readPageWithCounts(connection, matchingCourses, pageQuery)
  // A partial count stopped at the maximum, so there are more courses.
  const { page, isPartial } = pageWithCounts
  const total = isPartial ? maxCountedCourses : pageWithCounts.total
  const cards = await listCourseCards(connection, page.ids)

  // Hidden courses are offered only if the list was short enough to be counted.
  const hiddenMentions = isPartial ? null : textMatch.hiddenMentions
  const hiddenMentionCount = hiddenMentions
    ? await countCourses(connection, hiddenMentions, pageQuery.chosenOptions)
    : 0

  const facets = await listFacets(connection, matchingCourses, {
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
    hasOnlyMentions: !hasMainMatches && total > 0,
    correction,
    facets,
    nextCursor: page.hasNext ? (cards.at(-1)?.id ?? null) : null,
    previousCursor: page.hasPrevious ? (cards[0]?.id ?? null) : null,
    alternatives,
  }
}

/** Adds the parts of the texts that match the search. The course's card highlights these parts. */
function addMarks(card: CourseCardData, { search }: TextMatch): CatalogCourse {
  const listTextMarks = (text: string) =>
    search ? listMarks(text, search.plan, search.wordForms) : []

  return {
    ...card,
    marks: {
      title: listTextMarks(card.title),
      summary: listTextMarks(card.summary),
      instructorName: listTextMarks(card.instructorName),
    },
  }
}
