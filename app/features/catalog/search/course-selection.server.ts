import { type SQL, sql } from 'drizzle-orm'
import { maxCountedCourses } from './catalog-query'
import type { WordForms } from './match-marks'
import {
  parseSynonyms,
  planSearch,
  type Requirement,
  type SearchPlan,
  type SearchUnit,
  type Synonyms,
} from './search-plan'
import { type Connection, listRows } from './search-transaction.server'
import { isUnspaced, unspacedScripts } from './words'

/**
 * Translates a search into SQL conditions on `course_search`.
 *
 * `folded` has the title, summary and instructor as one text. `main` has the words of these three
 * texts, with weight A for the title's, and `words` has the words of every text of a course.
 */

/** The courses that match a search, as SQL, before the filters narrow them down. */
export type CourseSelection = {
  /** A condition on `course_search`. */
  where: SQL
  /** A number that says how well a course matches. The highest is the best. */
  tier: SQL
  /**
   * Whether so many courses match that reading them in order, until there are enough, is faster
   * than sorting all of them.
   */
  isCommon: boolean
  /**
   * A condition for the best matches of a common search, which have the words in the title as they
   * were typed. Null if the search isn't common, or if there are many of these matches as well.
   */
  best: SQL | null
}

/** All courses of the catalog. */
export const wholeCatalog: CourseSelection = {
  where: sql`listed`,
  tier: sql`0`,
  isCommon: true,
  best: null,
}

/**
 * A search matches in three ways: `exact` by title, summary and instructor, `any` by every text of
 * a course, and `mention` only by the texts that `exact` leaves out.
 */
export type SelectionsByMatchKind = Record<'exact' | 'any' | 'mention', CourseSelection>

/**
 * Creates the SQL for the courses that a search matches.
 *
 * Courses that contain the searched text as a piece of title, summary or instructor are ranked
 * first, as the specification demands. Among them, and among the others, the order is:
 * 1. The title has all words as they were typed ('C' before 'C++').
 * 2. The title has other forms of the words, or longer words that begin with them.
 * 3. Title, summary or instructor have them.
 */
export function createSelections({
  plan,
  wordForms,
  isCommon,
  hasFewTitleMatches,
  wordsWithPiece,
}: AnalyzedSearch): SelectionsByMatchKind {
  const { units, foldedText } = plan
  const containsText =
    foldedText === '' ? matchesNothing : sql`folded like ${createLikePattern(foldedText)}`
  // Matches the same courses as `containsText`, but by an index.
  const containsTextByIndex = wordsWithPiece
    ? createCondition('main', wordsWithPiece.map((word) => `'${word}'`).join(' | '))
    : containsText

  const wordQuery = createWordQuery(units, wordForms)
  const mainHasWords = createCondition('main', wordQuery)
  const anyTextHasWords = createCondition('words', wordQuery)
  const titleHasWords = createCondition('main', createWordQuery(units, wordForms, 'A'))

  const typedQuery = createTypedQuery(units)
  const titleHasTypedWords = createCondition('main', typedQuery)
  const titleHasOnlyTypedWords = createCondition('main', excludeSigns(typedQuery, units))

  const exactCondition = sql`(${containsTextByIndex} or ${mainHasWords})`
  const anyCondition = sql`(${containsTextByIndex} or ${anyTextHasWords})`
  const mentionCondition = sql`${anyTextHasWords} and not ${exactCondition}`
  const tier = sql`
    case when ${containsText} then 5 else 0 end
    + case
      when ${titleHasOnlyTypedWords} then 4
      when ${titleHasTypedWords} then 3
      when ${titleHasWords} then 2
      when ${mainHasWords} then 1
      else 0
    end`
  const best = isCommon && hasFewTitleMatches ? titleHasTypedWords : null

  return {
    exact: { where: exactCondition, tier, isCommon, best },
    any: { where: anyCondition, tier, isCommon, best },
    mention: { where: mentionCondition, tier, isCommon, best: null },
  }
}

const matchesNothing = sql`false`

function createCondition(column: 'main' | 'words', query: string): SQL {
  return query === '' ? matchesNothing : sql`${sql.identifier(column)} @@ ${query}::tsquery`
}

/** Returns a LIKE pattern for texts that contain this text, character by character. */
export function createLikePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}

/**
 * Returns a `tsquery` for texts that meet all units in any order. Words consist of letters, digits
 * and `+#.`, so that quotes keep them whole.
 *
 * @param weight 'A' for words of the title only
 */
export function createWordQuery(
  units: readonly SearchUnit[],
  wordForms: WordForms,
  weight: 'A' | '' = '',
): string {
  const createLexeme = (word: string, flags: string) => (flags ? `'${word}':${flags}` : `'${word}'`)
  const requireAnyForm = ({ word, isPrefix }: Requirement) => {
    const flags = (isPrefix ? '*' : '') + weight
    const otherForms = (wordForms.get(word) ?? []).map((form) => createLexeme(form, weight))
    return `(${[createLexeme(word, flags), ...otherForms].join(' | ')})`
  }
  const requireAllWords = (alternative: readonly Requirement[]) =>
    alternative.map(requireAnyForm).join(' & ')

  return units
    .map(({ alternatives }) => `(${alternatives.map(requireAllWords).join(' | ')})`)
    .join(' & ')
}

/** Returns a `tsquery` for titles that have the words as they were typed. */
function createTypedQuery(units: readonly SearchUnit[]): string {
  return units
    .flatMap(({ words }) => words)
    .map((word) => `'${word}':A`)
    .join(' & ')
}

/**
 * Excludes 'C++' and 'C#' from a query for 'C', because words with signs are also stored without
 * the signs.
 */
function excludeSigns(query: string, units: readonly SearchUnit[]): string {
  const shortWords = units
    .flatMap(({ words }) => words)
    .filter((word) => /^\p{L}{1,3}$/u.test(word))
  const exclusions = shortWords.map((word) => `!'${word}+':*A & !'${word}#':*A`)

  return [query, ...exclusions].join(' & ')
}

/** Returns the best way in which any course matches, or null if no course matches. */
export async function findMatchKind(
  connection: Connection,
  { exact, any }: SelectionsByMatchKind,
): Promise<'exact' | 'mention' | null> {
  const [row] = await listRows<{ exact: boolean; any: boolean }>(
    connection,
    sql`
      select
        exists (select from ${selectRows(exact, sql`course_id`)}) as exact,
        exists (select from ${selectRows(any, sql`course_id`)}) as any`,
  )
  if (row?.exact) {
    return 'exact'
  }

  return row?.any ? 'mention' : null
}

/**
 * Returns the rows of a selection as a part of a query's FROM clause. Rare matches are materialized
 * first: otherwise a limit or an order could make PostgreSQL read the whole table until it has
 * enough rows.
 */
export function selectRows({ isCommon, where }: CourseSelection, columns: SQL): SQL {
  const rows = sql`select ${columns} from course_search where ${where}`
  return isCommon
    ? sql`(${rows}) selected_courses`
    : sql`(
        with rare_matches as materialized (${rows})
        select * from rare_matches
      ) selected_courses`
}

/** A search together with the catalog's statistics about its words. */
export type AnalyzedSearch = {
  searchedText: string
  plan: SearchPlan
  wordForms: WordForms
  /** This has the same meaning as in `CourseSelection`. */
  isCommon: boolean
  /** Whether titles have all words as they were typed, and few enough of them to sort them all. */
  hasFewTitleMatches: boolean
  /**
   * All words that contain the searched text, if it is too short for the trigram index. Null if it
   * is longer, isn't one word, or if too many words contain it.
   */
  wordsWithPiece: readonly string[] | null
}

const maxForms = 20
/** In scripts without spaces a word is a whole sentence, so that many words share a piece. */
const maxUnspacedForms = 200
/** With more words, reading all courses is faster. */
const maxWordsWithPiece = 200
/** Sorting this many courses takes milliseconds. */
const maxSortedCourses = 5_000

export async function listSynonyms(connection: Connection): Promise<Synonyms> {
  const rows = await listRows<{ phrases: string[] }>(
    connection,
    sql`select phrases from search_synonyms order by position`,
  )
  return parseSynonyms(rows.map(({ phrases }) => phrases))
}

/** Plans a search and reads the catalog's statistics about its words. */
export async function analyzeSearch(
  connection: Connection,
  searchedText: string,
  synonyms: Synonyms,
): Promise<AnalyzedSearch> {
  const plan = planSearch(searchedText, synonyms)
  const statistics = await readStatistics(connection, plan)
  const { totalCourses, coursesWithPiece, wordsWithPiece, words } = statistics

  const expectedMatches = estimateMatches(plan, statistics, { includesPrefixes: true })
  const expectedTypedMatches = estimateMatches(plan, statistics, { includesPrefixes: false })
  // Above this number, reading in order until there are enough costs less than sorting all matches.
  const commonThreshold = Math.sqrt(maxCountedCourses * totalCourses)
  const hasAllWordsWithPiece =
    isShort(getSingleWord(plan)) && wordsWithPiece.length <= maxWordsWithPiece

  return {
    searchedText,
    plan,
    wordForms: new Map(words.map(({ word, forms }) => [word, forms])),
    isCommon: Math.max(coursesWithPiece, expectedMatches) > commonThreshold,
    hasFewTitleMatches: expectedTypedMatches > 0 && expectedTypedMatches <= maxSortedCourses,
    wordsWithPiece: hasAllWordsWithPiece ? wordsWithPiece : null,
  }
}

type SearchStatistics = {
  /** The approximate number of all courses. */
  totalCourses: number
  /**
   * The number of courses with a word that contains the searched text. A course counts once for
   * each such word.
   */
  coursesWithPiece: number
  wordsWithPiece: string[]
  words: WordStatistics[]
}

type WordStatistics = {
  word: string
  courses: number
  /**
   * The courses with a word that begins with this word. Null unless this word may be incomplete.
   */
  coursesWithPrefix: number | null
  forms: string[]
}

async function readStatistics(connection: Connection, plan: SearchPlan): Promise<SearchStatistics> {
  const requirements = plan.units.flatMap(({ alternatives }) => alternatives.flat())
  const words = [...new Set(requirements.map(({ word }) => word))]
  const lastRequirement = plan.units.at(-1)?.alternatives[0]?.at(-1)
  const incompleteWord = lastRequirement?.isPrefix ? lastRequirement.word : null
  const piece = getSingleWord(plan)
  const hasUnspaced = isUnspaced(plan.foldedText)
  const formLimit = hasUnspaced ? maxUnspacedForms : maxForms

  const [statistics] = await listRows<SearchStatistics>(
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
          where word like ${`%${piece}%`} and ${piece !== null}
        ), 0)::float8 as "coursesWithPiece",
        array(
          select word
          from search_words
          where word like ${`%${piece}%`} and ${isShort(piece)}
          limit ${maxWordsWithPiece + 1}::int
        ) as "wordsWithPiece",
        (
          select coalesce(json_agg(word_statistics), '[]')
          from (
            select
              searched.word,
              coalesce((
                select anywhere from search_words known where known.word = searched.word
              ), 0) as courses,
              case when searched.word = ${incompleteWord}::text then coalesce((
                select sum(anywhere)
                from search_words known
                where known.word like searched.word || '%'
              ), 0) end::float8 as "coursesWithPrefix",
              array(
                select known.word
                from search_words known
                where known.word <> searched.word
                  and (
                    known.stem = any(ts_lexize('english_stem', searched.word))
                    or ${hasUnspaced}
                      and known.word ~ ${unspacedScripts}
                      and strpos(known.word, searched.word) > 0
                  )
                order by known.anywhere desc
                limit ${formLimit}::int
              ) as forms
            from unnest(${sql.param(words)}::text[]) as searched(word)
          ) word_statistics
        ) as words`,
  )
  if (statistics === undefined) {
    throw new Error('A query without a FROM clause returned no row.')
  }

  return statistics
}

/**
 * Estimates how many courses have all words of a search, as if the words were independent.
 *
 * @param includesPrefixes whether words that begin with the last word count as well
 */
function estimateMatches(
  plan: SearchPlan,
  { totalCourses, words }: SearchStatistics,
  { includesPrefixes }: { includesPrefixes: boolean },
): number {
  if (plan.units.length === 0) {
    return 0
  }

  const statisticsByWord = new Map(words.map((statistics) => [statistics.word, statistics]))
  const getShare = ({ word }: Requirement) => {
    const { courses = 0, coursesWithPrefix = null } = statisticsByWord.get(word) ?? {}
    const matches = includesPrefixes ? Math.max(courses, coursesWithPrefix ?? 0) : courses
    return Math.min(1, matches / totalCourses)
  }

  const unitShares = plan.units.map(({ alternatives }) => {
    const alternativeShares = alternatives.map((alternative) => multiply(alternative.map(getShare)))
    return Math.min(1, sum(alternativeShares))
  })

  return totalCourses * multiply(unitShares)
}

/**
 * Returns the searched text if it is a single word. A course contains such a text exactly if one of
 * its words does.
 */
function getSingleWord({ foldedText }: SearchPlan): string | null {
  return /^[\p{L}\p{N}\p{M}]+$/u.test(foldedText) ? foldedText : null
}

/** Whether the text is too short for the trigram index, which needs three letters. */
function isShort(piece: string | null): boolean {
  return piece !== null && [...piece].length < 3
}

function multiply(factors: readonly number[]): number {
  return factors.reduce((product, factor) => product * factor, 1)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
