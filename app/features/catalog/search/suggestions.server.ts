import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { catalogUrl, everything, type Suggestion, type Suggestions } from './catalog-query'
import { listCorrected } from './corrections.server'
import { normalizeSearch } from './facets'
import { listMarks } from './match-marks'
import { createNameKey } from './search-index.server'
import { findListing } from './search-listing.server'
import { planSearch, type SearchPlan, type Synonyms } from './search-plan'
import { listBestCourseIds, listCourseCards } from './search-queries.server'
import { createLikePattern, createWordQuery, listSynonyms } from './search-source.server'
import { type Connection, listRows, runSearch } from './search-transaction.server'
import { fold, parseWords } from './words'

/** The maximum number of suggestions of each kind. */
const maxSuggestions = { courses: 4, instructors: 2, skills: 2, words: 3 }
/** More words are tried than are suggested, because no course may have all the words together. */
const maxTriedWords = 6
const noSuggestions: Suggestions = { courses: [], instructors: [], skills: [], words: [] }

/** Returns suggestions for the text typed so far. */
export async function findSuggestions(db: Database, typed: string): Promise<Suggestions> {
  const q = normalizeSearch(typed)
  if (fold(q).trim() === '') {
    return noSuggestions
  }

  return runSearch(db, async (connection) => {
    const synonyms = await listSynonyms(connection)
    const plan = planSearch(q, synonyms)

    return {
      courses: await suggestCourses(connection, q),
      instructors: await suggestNames(connection, 'instructor', plan),
      skills: await suggestNames(connection, 'skill', plan),
      words: await suggestWords(connection, plan, synonyms),
    }
  })
}

/** Suggests the best courses that a search for the text finds. */
async function suggestCourses(connection: Connection, q: string): Promise<Suggestion[]> {
  const { source, search } = await findListing(connection, { q, exact: false, mentions: false })
  if (!search) {
    return []
  }

  const cards = await listCourseCards(
    connection,
    await listBestCourseIds(connection, source, maxSuggestions.courses),
  )

  return cards.map((card) => ({
    text: card.title,
    marks: listMarks(card.title, search.plan, search.forms),
    address: `/OneCourse/${card.id}`,
    count: 1,
  }))
}

/** Suggests names with a word that begins with the typed text. */
async function suggestNames(
  connection: Connection,
  kind: 'instructor' | 'skill',
  plan: SearchPlan,
): Promise<Suggestion[]> {
  const typed = createNameKey(plan.text)
  if (typed.trim() === '') {
    return []
  }

  const rows = await listRows<{ name: string; courses: number }>(
    connection,
    sql`
      select name, courses
      from search_names
      where kind = ${kind} and folded like ${createLikePattern(typed)}
      order by courses desc, name
      limit ${maxSuggestions[`${kind}s`]}::int`,
  )

  return rows.map(({ name, courses }) => {
    // The sample course of /OneCourse is not listed, but matchingTexts by a search.
    const q = courses === 0 ? name : ''
    return {
      text: name,
      marks: listMarks(name, plan),
      address: catalogUrl({ ...everything, q, [kind]: [name] }),
      count: courses,
    }
  })
}

/**
 * Suggests words that complete the last one or, if there are none, likely corrections of the whole
 * text. Only texts that lead to courses are suggested.
 */
async function suggestWords(
  connection: Connection,
  plan: SearchPlan,
  synonyms: Synonyms,
): Promise<Suggestion[]> {
  const words = parseWords(plan.text).map(({ word }) => word)
  const last = words.pop()
  if (last === undefined || !plan.text.endsWith(last)) {
    return []
  }

  const completions = await listRows<{ word: string }>(
    connection,
    sql`
      select word
      from search_words
      where word like ${last} || '%'
      order by coalesce(nullif(courses, 0), anywhere) desc, word
      limit ${maxTriedWords + 1}::int`,
  )
  const texts =
    completions.length === 0
      ? await listCorrected(connection, plan.text)
      : completions
          .filter(({ word }) => word !== last)
          .map(({ word }) => [...words, word].join(' '))
  const matchingTexts = await keepMatchingTexts(connection, texts.slice(0, maxTriedWords), synonyms)

  return matchingTexts.slice(0, maxSuggestions.words).map((text) => ({
    text,
    marks: listMarks(text, plan),
    address: catalogUrl({ ...everything, q: text }),
    count: null,
  }))
}

/** Returns the texts of which some course has all words. */
async function keepMatchingTexts(
  connection: Connection,
  texts: readonly string[],
  synonyms: Synonyms,
): Promise<string[]> {
  if (texts.length === 0) {
    return []
  }

  const queries = texts.map((text) => createWordQuery(planSearch(text, synonyms).units, new Map()))
  const rows = await listRows<{ text: string }>(
    connection,
    sql`
      select text
      from unnest(${sql.param(texts)}::text[], ${sql.param(queries)}::text[])
        with ordinality as candidates(text, query, place)
      where exists (select from course_search where words @@ query::tsquery)
      order by place`,
  )

  return rows.map(({ text }) => text)
}
