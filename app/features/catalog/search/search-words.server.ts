import { sql } from 'drizzle-orm'
import { mostCounted } from './catalog-query'
import type { WordForms } from './match-marks'
import { planSearch, readSynonyms, type SearchPlan, type Synonyms } from './search-plan'
import { type Connection, listRows } from './search-transaction.server'
import { isUnspaced, unspacedScripts } from './words'

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
    isCommon: Math.max(containing, estimate(true)) > Math.sqrt(mostCounted * courses),
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
