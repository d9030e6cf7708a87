/**
 * Plans a search and estimates, by the catalog's statistics about its words, how many courses
 * match. The estimate decides how PostgreSQL should read the matching courses.
 */
import { sql } from 'drizzle-orm'
import { maxCountedCourses } from './catalog-query'
import type { WordForms } from './match-marks'
import {
  parseSynonyms,
  planSearch,
  type Requirement,
  type SearchPlan,
  type Synonyms,
} from './search-plan'
import { type Connection, listRows, readRow } from './search-transaction.server'
import { isUnspaced, unspacedScripts } from './words'

export type AnalyzedSearch = {
  searchedText: string
  plan: SearchPlan
  wordForms: WordForms
  /**
   * Whether so many courses match that reading them in order, until there are enough, is faster
   * than sorting all of them.
   */
  hasManyMatches: boolean
  /**
   * Whether some courses, but few enough to sort them all, probably have all words as they were
   * typed. Then the courses with these words in the title can be read first.
   */
  hasFewTitleMatches: boolean
  /**
   * All words that contain the searched text, if it is too short for the trigram index. Null if it
   * is longer, isn't a single word, or if too many words contain it.
   */
  wordsContainingText: readonly string[] | null
}

/** With more words, reading all courses is faster. */
const maxWordsContainingText = 200
/** Sorting this many courses takes milliseconds. */
const maxSortedCourses = 5_000

/** Plans a search and reads the catalog's statistics about its words. */
export async function analyzeSearch(
  connection: Connection,
  searchedText: string,
  synonyms: Synonyms,
): Promise<AnalyzedSearch> {
  const plan = planSearch(searchedText, synonyms)
  const statistics = await readStatistics(connection, plan)
  const { totalCourses, occurrencesOfText, someWordsContainingText, wordStatistics } = statistics

  const expectedMatches = estimateMatches(plan, statistics, { includesPrefixes: true })
  const expectedTypedMatches = estimateMatches(plan, statistics, { includesPrefixes: false })
  // Sorting all matches reads each of them. Reading the courses in order until `maxCountedCourses`
  // match reads about `maxCountedCourses * totalCourses / matches` courses. With more matches than
  // this threshold, the second way reads less.
  const manyMatchesThreshold = Math.sqrt(maxCountedCourses * totalCourses)
  const hasAllWordsContainingText =
    isTooShortForIndex(getSingleWord(plan)) &&
    someWordsContainingText.length <= maxWordsContainingText

  return {
    searchedText,
    plan,
    wordForms: new Map(wordStatistics.map(({ word, forms }) => [word, forms])),
    hasManyMatches: Math.max(occurrencesOfText, expectedMatches) > manyMatchesThreshold,
    hasFewTitleMatches: expectedTypedMatches > 0 && expectedTypedMatches <= maxSortedCourses,
    wordsContainingText: hasAllWordsContainingText ? someWordsContainingText : null,
  }
}

/** Reads the groups of synonyms that the school's content defines. */
export async function listSynonyms(connection: Connection): Promise<Synonyms> {
  const rows = await listRows<{ phrases: string[] }>(
    connection,
    sql`select phrases from search_synonyms order by position`,
  )
  return parseSynonyms(rows.map(({ phrases }) => phrases))
}

type SearchStatistics = {
  /** The approximate number of all courses. */
  totalCourses: number
  /**
   * How often a word that contains the searched text occurs in a course. A course counts once for
   * each such word, so this is at least the number of courses.
   */
  occurrencesOfText: number
  /** Some of the words that contain the searched text. Empty if the text isn't a short word. */
  someWordsContainingText: string[]
  wordStatistics: WordStatistics[]
}

type WordStatistics = {
  word: string
  /** The number of courses with this word. */
  courses: number
  /**
   * The number of courses with a word that begins with this word. Null unless this is the last word
   * of the search, which may be incomplete.
   */
  coursesWithPrefix: number | null
  /** Other forms of the word that courses contain. */
  forms: string[]
}

const maxForms = 20
/**
 * In scripts without spaces a word is a whole sentence, so that many words contain the same text.
 */
const maxUnspacedForms = 200

async function readStatistics(connection: Connection, plan: SearchPlan): Promise<SearchStatistics> {
  const requirements = plan.units.flatMap(({ alternatives }) => alternatives.flat())
  const words = [...new Set(requirements.map(({ word }) => word))]
  // The first alternative has the words as they were typed. The others are synonyms.
  const lastRequirement = plan.units.at(-1)?.alternatives[0]?.at(-1)
  const incompleteWord = lastRequirement?.isPrefix ? lastRequirement.word : null
  const singleWord = getSingleWord(plan)
  const containsSingleWord = `%${singleWord ?? ''}%`
  const isSearchUnspaced = isUnspaced(plan.foldedText)
  const formLimit = isSearchUnspaced ? maxUnspacedForms : maxForms

  // The column `anywhere` is the number of courses with the word in any of their texts.
  return readRow<SearchStatistics>(
    connection,
    sql`
      select
        (
          select greatest(reltuples, 1)::float8
          from pg_class
          where oid = 'course_search'::regclass
        ) as "totalCourses",
        coalesce((
          select sum(anywhere)
          from search_words
          where word like ${containsSingleWord} and ${singleWord !== null}
        ), 0)::float8 as "occurrencesOfText",
        array(
          select word
          from search_words
          where word like ${containsSingleWord} and ${isTooShortForIndex(singleWord)}
          limit ${maxWordsContainingText + 1}::int
        ) as "someWordsContainingText",
        (
          select coalesce(json_agg(word_statistics), '[]')
          from (
            select
              searched.word,
              coalesce((
                select anywhere from search_words indexed where indexed.word = searched.word
              ), 0) as courses,
              case when searched.word = ${incompleteWord}::text then coalesce((
                select sum(anywhere)
                from search_words indexed
                where indexed.word like searched.word || '%'
              ), 0) end::float8 as "coursesWithPrefix",
              array(
                select indexed.word
                from search_words indexed
                where indexed.word <> searched.word
                  and (
                    indexed.stem = any(ts_lexize('english_stem', searched.word))
                    or ${isSearchUnspaced}
                      and indexed.word ~ ${unspacedScripts}
                      and strpos(indexed.word, searched.word) > 0
                  )
                order by indexed.anywhere desc
                limit ${formLimit}::int
              ) as forms
            from unnest(${sql.param(words)}::text[]) as searched(word)
          ) word_statistics
        ) as "wordStatistics"`,
  )
}

/**
 * Estimates how many courses have all words of a search, as if the words were independent.
 *
 * @param includesPrefixes whether words that begin with the last word count as well
 */
function estimateMatches(
  plan: SearchPlan,
  { totalCourses, wordStatistics }: SearchStatistics,
  { includesPrefixes }: { includesPrefixes: boolean },
): number {
  if (plan.units.length === 0) {
    return 0
  }

  const statisticsByWord = new Map(
    wordStatistics.map((statistics) => [statistics.word, statistics]),
  )
  const getShareOfCourses = ({ word }: Requirement) => {
    const { courses = 0, coursesWithPrefix = null } = statisticsByWord.get(word) ?? {}
    const matches = includesPrefixes ? Math.max(courses, coursesWithPrefix ?? 0) : courses
    return Math.min(1, matches / totalCourses)
  }

  const unitShares = plan.units.map(({ alternatives }) => {
    const alternativeShares = alternatives.map((requirements) =>
      multiply(requirements.map(getShareOfCourses)),
    )
    return Math.min(1, sum(alternativeShares))
  })

  return totalCourses * multiply(unitShares)
}

/**
 * Returns the searched text if it is a single word, else null. A course contains a single word
 * exactly if one of the course's words contains it.
 */
function getSingleWord({ foldedText }: SearchPlan): string | null {
  return /^[\p{L}\p{N}\p{M}]+$/u.test(foldedText) ? foldedText : null
}

/** The trigram index needs three letters. */
function isTooShortForIndex(word: string | null): boolean {
  return word !== null && [...word].length < 3
}

function multiply(factors: readonly number[]): number {
  return factors.reduce((product, factor) => product * factor, 1)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
