/**
 * Translates a search into SQL conditions on `course_search`, which has one row for each course
 * that a search can find. Three of its columns have the texts of a course:
 *
 * - `folded` is the title, the summary and the instructor as one text.
 * - `main` has the words of these three texts. The words of the title have weight A.
 * - `words` has the words of all texts, also of skills, lesson titles and the subtitle.
 */
import { type SQL, sql } from 'drizzle-orm'
import { createLikePattern } from '~/server/database/like-pattern'
import type { WordForms } from './match-marks'
import type { AnalyzedSearch } from './search-analysis.server'
import type { Requirement, SearchUnit } from './search-plan'
import { type Connection, readRow } from './search-transaction.server'

/** The courses that a search matches, as SQL, before the filters narrow them down. */
export type CourseSelection = {
  /** A condition on `course_search`. */
  condition: SQL
  /** A number that says how well a course matches. The highest is the best. */
  relevance: SQL
  /**
   * Whether so many courses match that reading them in order, until there are enough, is faster
   * than sorting all of them.
   */
  hasManyMatches: boolean
  /**
   * A condition for the courses whose title has the words as they were typed, if these courses have
   * to be read separately. This is so if many courses match, but few of them have such a title.
   */
  bestMatchCondition: SQL | null
}

/** All courses of the catalog. */
export const wholeCatalog: CourseSelection = {
  condition: sql`listed`,
  relevance: sql`0`,
  hasManyMatches: true,
  bestMatchCondition: null,
}

/** The courses that a search matches, by the texts in which they match. */
export type SearchSelections = {
  /** The courses that match by title, summary or instructor. */
  mainMatches: CourseSelection
  /** The courses that match by any of their texts. */
  allMatches: CourseSelection
  /** The courses of `allMatches` that aren't among `mainMatches`. */
  mentions: CourseSelection
}

/**
 * Creates the SQL for the courses that a search matches.
 *
 * Courses that contain the searched text, character by character, in title, summary or instructor
 * are ranked first, as the specification demands. Among them, and among the others, the order is:
 * 1. The title has all words as they were typed ('C' before 'C++').
 * 2. The title has other forms of the words, or longer words that begin with them.
 * 3. Title, summary or instructor have them.
 */
export function createSelections({
  plan,
  wordForms,
  hasManyMatches,
  hasFewTitleMatches,
  wordsContainingText,
}: AnalyzedSearch): SearchSelections {
  const { units, foldedText } = plan
  const containsText =
    foldedText === '' ? matchesNothing : sql`folded like ${createLikePattern(foldedText)}`
  // This condition matches the same courses as `containsText`, but can use an index.
  const containsTextByIndex = wordsContainingText
    ? createWordCondition('main', createAnyWordQuery(wordsContainingText))
    : containsText

  const wordQuery = createWordQuery(units, wordForms)
  const mainTextsHaveWords = createWordCondition('main', wordQuery)
  const anyTextsHaveWords = createWordCondition('words', wordQuery)
  const titleHasWords = createWordCondition('main', createWordQuery(units, wordForms, 'A'))

  const titleQuery = createTypedTitleQuery(units)
  const titleHasTypedWords = createWordCondition('main', titleQuery)
  const titleHasTypedWordsWithoutSigns = createWordCondition(
    'main',
    excludeSigns(titleQuery, units),
  )

  const isMainMatch = sql`(${containsTextByIndex} or ${mainTextsHaveWords})`
  const isMatch = sql`(${containsTextByIndex} or ${anyTextsHaveWords})`
  const isMention = sql`${anyTextsHaveWords} and not ${isMainMatch}`
  const relevance = sql`
    case when ${containsText} then 5 else 0 end
    + case
      when ${titleHasTypedWordsWithoutSigns} then 4
      when ${titleHasTypedWords} then 3
      when ${titleHasWords} then 2
      when ${mainTextsHaveWords} then 1
      else 0
    end`
  const bestMatchCondition = hasManyMatches && hasFewTitleMatches ? titleHasTypedWords : null

  return {
    mainMatches: { condition: isMainMatch, relevance, hasManyMatches, bestMatchCondition },
    allMatches: { condition: isMatch, relevance, hasManyMatches, bestMatchCondition },
    mentions: { condition: isMention, relevance, hasManyMatches, bestMatchCondition: null },
  }
}

const matchesNothing = sql`false`

/** Returns a condition for courses whose words match a `tsquery`. */
function createWordCondition(column: 'main' | 'words', query: string): SQL {
  return query === '' ? matchesNothing : sql`${sql.identifier(column)} @@ ${query}::tsquery`
}

/*
 * The functions below return queries in the syntax of `tsquery`. Words consist of letters, digits
 * and the signs `+#.`, so that single quotes around a word need no escaping.
 */

/** Returns a `tsquery` for texts that have at least one of the words. */
function createAnyWordQuery(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(' | ')
}

/**
 * Returns a `tsquery` for texts that meet all units of a search, in any order.
 *
 * @param weight 'A' for words of the title only
 */
export function createWordQuery(
  units: readonly SearchUnit[],
  wordForms: WordForms,
  weight: 'A' | '' = '',
): string {
  const unitQueries = units.map(({ alternatives }) => {
    const alternativeQueries = alternatives.map((requirements) =>
      requirements
        .map((requirement) => createRequirementQuery(requirement, wordForms, weight))
        .join(' & '),
    )
    return `(${alternativeQueries.join(' | ')})`
  })

  return unitQueries.join(' & ')
}

/** Returns a `tsquery` for texts that have a required word in any of its forms. */
function createRequirementQuery(
  { word, isPrefix }: Requirement,
  wordForms: WordForms,
  weight: 'A' | '',
): string {
  const requiredWord = createLexeme(word, isPrefix ? `*${weight}` : weight)
  const otherForms = (wordForms.get(word) ?? []).map((form) => createLexeme(form, weight))
  return `(${[requiredWord, ...otherForms].join(' | ')})`
}

/** @param flags '*' for words that begin with the word, and 'A' for words of the title */
function createLexeme(word: string, flags: string): string {
  return flags === '' ? `'${word}'` : `'${word}':${flags}`
}

/** Returns a `tsquery` for titles that have the words of a search as they were typed. */
function createTypedTitleQuery(units: readonly SearchUnit[]): string {
  return listTypedWords(units)
    .map((word) => `'${word}':A`)
    .join(' & ')
}

/**
 * Returns a query for 'C' that does not match titles with 'C++' or 'C#'. The index stores words
 * with signs without their signs as well.
 */
function excludeSigns(titleQuery: string, units: readonly SearchUnit[]): string {
  const shortWords = listTypedWords(units).filter((word) => /^\p{L}{1,3}$/u.test(word))
  const exclusions = shortWords.map((word) => `!'${word}+':*A & !'${word}#':*A`)
  return [titleQuery, ...exclusions].join(' & ')
}

function listTypedWords(units: readonly SearchUnit[]): string[] {
  return units.flatMap(({ words }) => words)
}

/** Where a search matches: by title, summary or instructor, only by other texts, or nowhere. */
export type MatchKind = 'main' | 'mention' | 'none'

/** Returns the best kind of match that any course has. */
export async function findBestMatchKind(
  connection: Connection,
  { mainMatches, allMatches }: SearchSelections,
): Promise<MatchKind> {
  const row = await readRow<{ hasMainMatches: boolean; hasMatches: boolean }>(
    connection,
    sql`
      select
        exists (select from ${selectRows(mainMatches, sql`course_id`)}) as "hasMainMatches",
        exists (select from ${selectRows(allMatches, sql`course_id`)}) as "hasMatches"`,
  )
  if (row.hasMainMatches) {
    return 'main'
  }

  return row.hasMatches ? 'mention' : 'none'
}

/**
 * Returns the rows of a selection as a part of a query's FROM clause. A few matches are
 * materialized first: otherwise a limit or an order could make PostgreSQL read the whole table
 * until it has enough rows.
 */
export function selectRows({ hasManyMatches, condition }: CourseSelection, columns: SQL): SQL {
  const rows = sql`select ${columns} from course_search where ${condition}`
  return hasManyMatches
    ? sql`(${rows}) selected_courses`
    : sql`(
        with few_matches as materialized (${rows})
        select * from few_matches
      ) selected_courses`
}
