import { type SQL, sql } from 'drizzle-orm'
import { maxCountedCourses } from './catalog-query'
import type { WordForms } from './match-marks'
import {
  planSearch,
  type Requirement,
  readSynonyms,
  type SearchPlan,
  type Synonyms,
  type Unit,
} from './search-plan'
import { type Connection, listRows } from './search-transaction.server'
import { isUnspaced, unspacedScripts } from './words'

/** SQL that selects the courses createCondition a search, before the filters narrow them down. */
export type Source = {
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
   * were typed. Null if the search isn't common, or if these are many as well.
   */
  best: SQL | null
}

/** All courses of the catalog. */
export const wholeCatalog: Source = { where: sql`listed`, tier: sql`0`, isCommon: true, best: null }

/**
 * A search matches in three ways: `exact` by title, summary and instructor, `any` by every text of a
 * course, and `mention` only by the texts that `exact` leaves out.
 */
export type Sources = Record<'exact' | 'any' | 'mention', Source>

/**
 * Creates the SQL for the courses that a search matches.
 *
 * Courses that contain the searched text as a piece of title, summary or instructor are ranked
 * first, as the specification demands. Among them, and among the others, the order is:
 * 1. The title has all words as they were typed ('C' before 'C++').
 * 2. The title has other forms of the words, or longer words that begin with them.
 * 3. Title, summary or instructor have them.
 */
export function createSources({
  plan,
  forms,
  isCommon,
  hasFewExactTitles,
  wordsWithPiece,
}: WordedSearch): Sources {
  const { units, text } = plan
  const specified = text === '' ? matchesNothing : sql`folded like ${createLikePattern(text)}`
  // Matches the same courses as `specified`, but by an index.
  const indexed = wordsWithPiece
    ? createCondition('main', wordsWithPiece.map((word) => `'${word}'`).join(' | '))
    : specified
  const inMain = createCondition('main', createWordQuery(units, forms))
  const inAny = createCondition('words', createWordQuery(units, forms))
  const inTitle = createCondition('main', createWordQuery(units, forms, 'A'))
  const asTyped = createTypedQuery(units)
  const titleAsTyped = createCondition('main', asTyped)

  const exact = sql`(${indexed} or ${inMain})`
  const titleWithoutSigns = createCondition('main', excludeSigns(asTyped, units))
  const tier = sql`
    case when ${specified} then 5 else 0 end
    + case
      when ${titleWithoutSigns} then 4
      when ${titleAsTyped} then 3
      when ${inTitle} then 2
      when ${inMain} then 1
      else 0
    end`
  const source = { tier, isCommon, best: isCommon && hasFewExactTitles ? titleAsTyped : null }

  return {
    exact: { ...source, where: exact },
    any: { ...source, where: sql`(${indexed} or ${inAny})` },
    mention: { ...source, where: sql`${inAny} and not ${exact}`, best: null },
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
export function createWordQuery(units: readonly Unit[], forms: WordForms, weight = ''): string {
  const lexeme = (word: string, flags: string) => (flags ? `'${word}':${flags}` : `'${word}'`)
  const inAnyForm = ({ word, begins }: Requirement) => {
    const others = (forms.get(word) ?? []).map((form) => lexeme(form, weight))
    return `(${[lexeme(word, (begins ? '*' : '') + weight), ...others].join(' | ')})`
  }
  const together = (phrase: readonly Requirement[]) => phrase.map(inAnyForm).join(' & ')

  return units.map(({ alternatives }) => `(${alternatives.map(together).join(' | ')})`).join(' & ')
}

/** Returns a `tsquery` for titles that have the words as they were typed. */
function createTypedQuery(units: readonly Unit[]): string {
  return listTyped(units)
    .map((word) => `'${word}':A`)
    .join(' & ')
}

/**
 * Excludes 'C++' and 'C#' from a query for 'C', because words with signs are also stored without
 * the signs.
 */
function excludeSigns(query: string, units: readonly Unit[]): string {
  const letters = listTyped(units).filter((word) => /^\p{L}{1,3}$/u.test(word))
  return [query, ...letters.map((word) => `!'${word}+':*A & !'${word}#':*A`)].join(' & ')
}

const listTyped = (units: readonly Unit[]) => units.flatMap(({ typed }) => typed.split(' '))

/** Returns the best way in which any course matches, or null if no course matches. */
export async function findMatchKind(
  connection: Connection,
  { exact, any }: Sources,
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
 * Returns a source's rows as a part of a query's FROM clause. Rare matches are materialized first:
 * otherwise a limit or an order could make PostgreSQL read the whole table until it has enough rows.
 */
export function selectRows({ isCommon, where }: Source, columns: SQL): SQL {
  const rows = sql`select ${columns} from course_search where ${where}`
  return isCommon
    ? sql`(${rows}) found`
    : sql`(with few as materialized (${rows}) select * from few) found`
}

/** A search together with the catalog's statistics about its words. */
export type WordedSearch = {
  typed: string
  plan: SearchPlan
  forms: WordForms
  /**
   * Whether so many courses match that reading them in order, until there are enough, is faster
   * than sorting all.
   */
  isCommon: boolean
  /** Whether courses have all words as they were typed, and few enough of them to sort them all. */
  hasFewExactTitles: boolean
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
  return readSynonyms(rows.map(({ phrases }) => phrases))
}

type WordStatistics = { word: string; courses: number; begun: number | null; forms: string[] }

type SearchStatistics = {
  /** The approximate number of all courses. */
  courses: number
  /** Courses with a word that contains the searched text. A course counts once for each word. */
  containing: number
  wordsWithPiece: string[]
  words: WordStatistics[]
}

/** Plans a search and reads the catalog's statistics about its words. */
export async function readSearch(
  connection: Connection,
  typed: string,
  synonyms: Synonyms,
): Promise<WordedSearch> {
  const plan = planSearch(typed, synonyms)
  const statistics = await readStatistics(connection, plan)
  const { courses, containing, wordsWithPiece } = statistics

  const expectedMatches = estimateMatches(plan, statistics, { countsBeginnings: true })
  const expectedAsTyped = estimateMatches(plan, statistics, { countsBeginnings: false })
  const hasAllWordsWithPiece =
    isShort(getSingleWord(plan)) && wordsWithPiece.length <= maxWordsWithPiece

  return {
    typed,
    plan,
    forms: new Map(statistics.words.map(({ word, forms }) => [word, forms])),
    // Above this number, reading in order until there are enough costs less than sorting all matches.
    isCommon: Math.max(containing, expectedMatches) > Math.sqrt(maxCountedCourses * courses),
    hasFewExactTitles: expectedAsTyped > 0 && expectedAsTyped <= maxSortedCourses,
    wordsWithPiece: hasAllWordsWithPiece ? wordsWithPiece : null,
  }
}

async function readStatistics(connection: Connection, plan: SearchPlan): Promise<SearchStatistics> {
  const requirements = plan.units.flatMap(({ alternatives }) => alternatives.flat())
  const words = [...new Set(requirements.map(({ word }) => word))]
  const lastRequirement = plan.units.at(-1)?.alternatives[0]?.at(-1)
  const incompleteWord = lastRequirement?.begins ? lastRequirement.word : null
  const piece = getSingleWord(plan)
  const hasUnspaced = isUnspaced(plan.text)
  const formLimit = hasUnspaced ? maxUnspacedForms : maxForms

  const [statistics] = await listRows<SearchStatistics>(
    connection,
    sql`
      select
        (
          select greatest(reltuples, 1)::float8
          from pg_class
          where oid = 'course_search'::regclass
        ) as courses,
        coalesce((
          select sum(anywhere)
          from search_words
          where word like ${`%${piece}%`} and ${piece !== null}
        ), 0)::float8 as containing,
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
              ), 0) end::float8 as begun,
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
 * @param countsBeginnings whether words that begin with the last word count as well
 */
function estimateMatches(
  plan: SearchPlan,
  { courses, words }: SearchStatistics,
  { countsBeginnings }: { countsBeginnings: boolean },
): number {
  if (plan.units.length === 0) {
    return 0
  }

  const statisticsByWord = new Map(words.map((row) => [row.word, row]))
  const getShare = ({ word }: Requirement) => {
    const row = statisticsByWord.get(word)
    const begun = countsBeginnings ? (row?.begun ?? 0) : 0
    return Math.min(1, Math.max(row?.courses ?? 0, begun) / courses)
  }

  const shares = plan.units.map(({ alternatives }) => {
    const shareByAlternative = alternatives.map((phrase) => multiply(phrase.map(getShare)))
    return Math.min(1, sum(shareByAlternative))
  })

  return courses * multiply(shares)
}

/**
 * Returns the searched text if it is a single word. A course contains such a text exactly if one of
 * its words does.
 */
function getSingleWord({ text }: SearchPlan): string | null {
  return /^[\p{L}\p{N}\p{M}]+$/u.test(text) ? text : null
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
