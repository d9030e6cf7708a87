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

/** The courses that a query is about, before its filters narrow them down. */
export type Source = {
  /** A condition of `course_search`. */
  where: SQL
  /** How well a course matches: the best first. */
  tier: SQL
  /**
   * Whether so many courses match that reading them in order, until there are enough, is faster
   * than sorting all.
   */
  isCommon: boolean
  /**
   * A condition for the best matches of a common search: the words in the title, as typed. Null if
   * these are many, too.
   */
  best: SQL | null
}

/** All courses of the catalog. */
export const wholeCatalog: Source = { where: sql`listed`, tier: sql`0`, isCommon: true, best: null }

/**
 * `exact`: by title, summary and instructor. `any`: by every text of a course. `mention`: by the
 * other texts only.
 */
export type Sources = Record<'exact' | 'any' | 'mention', Source>

/**
 * The courses that a search finds.
 *
 * The specified search, a piece of title, summary or instructor, comes first; among those, and
 * among the others, courses come first that have all words in the title as typed ('C' before
 * 'C++'), then those that have their forms or longer words in the title, then those that have them
 * in the three texts.
 */
export function createSources({
  plan,
  forms,
  isCommon,
  fewAsTyped,
  wordsWithPiece,
}: WordedSearch): Sources {
  const { units, text } = plan
  const specified = text === '' ? nothing : sql`folded like ${createLikePattern(text)}`
  // The same courses, found by an index.
  const indexed = wordsWithPiece
    ? matching('main', wordsWithPiece.map((word) => `'${word}'`).join(' | '))
    : specified
  const inMain = matching('main', createWordQuery(units, forms))
  const inAny = matching('words', createWordQuery(units, forms))
  const inTitle = matching('main', createWordQuery(units, forms, 'A'))
  const asTyped = typedQuery(units)
  const titleAsTyped = matching('main', asTyped)

  const exact = sql`(${indexed} or ${inMain})`
  const tier = sql`case when ${specified} then 5 else 0 end
    + case when ${matching('main', withoutSigns(asTyped, units))} then 4 when ${titleAsTyped} then 3
      when ${inTitle} then 2 when ${inMain} then 1 else 0 end`
  const source = { tier, isCommon, best: isCommon && fewAsTyped ? titleAsTyped : null }

  return {
    exact: { ...source, where: exact },
    any: { ...source, where: sql`(${indexed} or ${inAny})` },
    mention: { ...source, where: sql`${inAny} and not ${exact}`, best: null },
  }
}

const nothing = sql`false`

function matching(column: 'main' | 'words', query: string): SQL {
  return query === '' ? nothing : sql`${sql.identifier(column)} @@ ${query}::tsquery`
}

/** Texts that have this one, character by character. */
export function createLikePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}

/**
 * All units in any order as a `tsquery`; words are letters, digits and `+#.`, so that quotes keep
 * them whole.
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

/** The words as they are typed, in the title. */
function typedQuery(units: readonly Unit[]): string {
  return listTyped(units)
    .map((word) => `'${word}':A`)
    .join(' & ')
}

/** Leaves out C++ and C# for C: a word with signs is also stored without them. */
function withoutSigns(query: string, units: readonly Unit[]): string {
  const letters = listTyped(units).filter((word) => /^\p{L}{1,3}$/u.test(word))
  return [query, ...letters.map((word) => `!'${word}+':*A & !'${word}#':*A`)].join(' & ')
}

const listTyped = (units: readonly Unit[]) => units.flatMap(({ typed }) => typed.split(' '))

/**
 * @returns whether a search finds courses by the specified fields; if not, whether others mention
 * it.
 */
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

/** A search with the catalog's statistics about its words. */
export type WordedSearch = {
  typed: string
  plan: SearchPlan
  forms: WordForms
  /**
   * Whether so many courses match that reading them in order, until there are enough, is faster
   * than sorting all.
   */
  isCommon: boolean
  /** Whether some courses have all words as they are typed, and few enough to sort all of these. */
  fewAsTyped: boolean
  /**
   * For a text too short for trigrams: all words that have it; null when they are too many or it
   * isn't one word.
   */
  wordsWithPiece: readonly string[] | null
}

const mostForms = 20
/** Words of an unspaced script are whole sentences, so that many have the same piece. */
const mostUnspacedForms = 200
/** With more words, reading all courses is faster. */
const mostWordsWithPiece = 200

/** Sorting this many courses takes milliseconds. */
const mostSorted = 5_000

export async function listSynonyms(connection: Connection): Promise<Synonyms> {
  const rows = await listRows<{ phrases: string[] }>(
    connection,
    sql`select phrases from search_synonyms order by position`,
  )
  return readSynonyms(rows.map(({ phrases }) => phrases))
}

type WordRow = { word: string; courses: number; begun: number; forms: string[] }
type Facts = { courses: number; containing: number; words: string[]; known: WordRow[] }

/** Looks up the words of a search. */
export async function readSearch(
  connection: Connection,
  typed: string,
  synonyms: Synonyms,
): Promise<WordedSearch> {
  const plan = planSearch(typed, synonyms)
  const words = [
    ...new Set(
      plan.units.flatMap(({ alternatives }) => alternatives.flat().map(({ word }) => word)),
    ),
  ]
  const last = plan.units.at(-1)?.alternatives[0]?.at(-1)
  const begun = last?.begins ? last.word : null
  const piece = isOneWord(plan.text) ? plan.text : null
  const hasUnspaced = isUnspaced(plan.text)
  const [facts] = await listRows<Facts>(
    connection,
    sql`select
      (select greatest(reltuples, 1)::float8 from pg_class where oid = 'course_search'::regclass) as courses,
      coalesce((select sum(anywhere) from search_words where word like ${`%${piece}%`} and ${piece !== null}), 0)::float8 as containing,
      array(select word from search_words
        where word like ${`%${piece}%`} and ${isShort(piece)} limit ${mostWordsWithPiece + 1}::int) as words,
      (select coalesce(json_agg(asked), '[]') from (
        select asked.word,
          coalesce((select anywhere from search_words w where w.word = asked.word), 0) as courses,
          case when asked.word = ${begun}::text then coalesce((
            select sum(anywhere) from search_words w where w.word like asked.word || '%'), 0) end::float8 as begun,
          array(select w.word from search_words w
            where w.word <> asked.word and (w.stem = any(ts_lexize('english_stem', asked.word))
              or ${hasUnspaced} and w.word ~ ${unspacedScripts} and strpos(w.word, asked.word) > 0)
            order by w.anywhere desc limit ${hasUnspaced ? mostUnspacedForms : mostForms}::int) as forms
        from unnest(${sql.param(words)}::text[]) as asked(word)
      ) asked) as known`,
  )
  const { courses = 1, containing = 0, words: wordsWithPiece = [], known = [] } = facts ?? {}
  const rows = new Map(known.map((row) => [row.word, row]))
  const share = (word: string, asBeginning: boolean) => {
    const row = rows.get(word)
    return Math.min(1, Math.max(row?.courses ?? 0, asBeginning ? (row?.begun ?? 0) : 0) / courses)
  }
  /** Estimates how many courses have all words, as if words were independent. */
  const estimate = (asBeginning: boolean) => {
    if (plan.units.length === 0) {
      return 0
    }

    const shares = plan.units.map(({ alternatives }) => {
      const each = alternatives.map((phrase) =>
        product(phrase.map(({ word }) => share(word, asBeginning))),
      )
      return Math.min(1, sum(each))
    })

    return courses * product(shares)
  }
  const asTyped = estimate(false)

  return {
    typed,
    plan,
    forms: new Map(known.map(({ word, forms }) => [word, forms])),
    // Above this, reading in order until there are enough costs less than sorting all matches.
    isCommon: Math.max(containing, estimate(true)) > Math.sqrt(maxCountedCourses * courses),
    fewAsTyped: asTyped > 0 && asTyped <= mostSorted,
    wordsWithPiece:
      isShort(piece) && wordsWithPiece.length <= mostWordsWithPiece ? wordsWithPiece : null,
  }
}

/** Letters and digits only: a course contains this text exactly if one of its words does. */
const isOneWord = (text: string) => /^[\p{L}\p{N}\p{M}]+$/u.test(text)
/** A trigram needs three letters. */
const isShort = (piece: string | null) => piece !== null && [...piece].length < 3

const product = (factors: readonly number[]) => factors.reduce((all, one) => all * one, 1)
const sum = (parts: readonly number[]) => parts.reduce((all, one) => all + one, 0)
