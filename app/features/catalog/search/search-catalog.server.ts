/**
 * Searches the catalog. The result has one page of courses, the number of matching courses, up to
 * `maxCountedCourses`, and each filter option with the number of courses that remain if it is
 * chosen (`catalog-facets.server.ts`). A search without results gets alternatives
 * (`search-alternatives.server.ts`).
 *
 * A course is a main match if the searched text is in its title, summary or instructor. It is a
 * mention if the text is only in its skills, lesson titles or subtitle. While there are main
 * matches, mentions are hidden, unless the visitor asks for them. The page says how many are
 * hidden.
 *
 * The courses of a list are passed on as a selection: SQL that selects courses before the filters
 * narrow them down. All queries use the connection of one transaction, so they run one after the
 * other.
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
import { getChosenOptions, type SchoolOptions } from './facet-options'
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
  urlQuery: CatalogQuery,
): Promise<CatalogResult> {
  const schoolOptions = await readSchoolOptions(connection)
  const category = findCategory(urlQuery, schoolOptions)
  const query = { ...urlQuery, category }

  const textMatch = await matchText(connection, query)
  const pageQuery = createPageQuery(query)
  const pageWithCounts = await readPageWithCounts(connection, textMatch.selection, pageQuery)
  const { isPartial } = pageWithCounts
  // A partial count stopped above the maximum, because there are more courses.
  const total = isPartial ? maxCountedCourses : pageWithCounts.total

  const { ids, hasPrevious, hasNext } = pageWithCounts.page
  const cards = await listCourseCards(connection, ids)

  // Hidden mentions are offered only after a list that was short enough to be counted.
  const hiddenMentionCount = isPartial
    ? 0
    : await countHiddenMentions(connection, textMatch, pageQuery)

  const facets = await listFacets(connection, textMatch.selection, {
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
    hasOnlyMentions: !textMatch.hasMainMatches && total > 0,
    correction: textMatch.correction,
    facets,
    nextCursor: hasNext ? (cards.at(-1)?.id ?? null) : null,
    previousCursor: hasPrevious ? (cards[0]?.id ?? null) : null,
    alternatives,
  }
}

/**
 * Returns the category of the query, or 'all' if the school no longer has this category, so that an
 * old link leads to all courses.
 */
function findCategory({ category }: CatalogQuery, { categories }: SchoolOptions): string {
  return categories.has(category) ? category : 'all'
}

function createPageQuery(query: CatalogQuery): PageQuery {
  const chosenOptions = getChosenOptions(query)
  return {
    chosenOptions,
    // Only the most common skills and instructors are counted, and the chosen ones, which the page
    // shows in any case.
    countedOptions: chosenOptions,
    sort: query.sort,
    cursor: { after: query.after, before: query.before },
  }
}

/** Counts the courses that would join the list if the visitor asked for mentions. */
async function countHiddenMentions(
  connection: Connection,
  { hiddenSelection }: TextMatch,
  { chosenOptions }: PageQuery,
): Promise<number> {
  return hiddenSelection ? countCourses(connection, hiddenSelection, chosenOptions) : 0
}

/**
 * Adds to a course's card which parts of its texts are highlighted, because they match the search.
 */
function addMarks(card: CourseCardData, { search }: TextMatch): CatalogCourse {
  // The plan has the searched words, and `wordForms` has other forms of them that count as well.
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
