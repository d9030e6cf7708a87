import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { createLikePattern } from '~/server/database/like-pattern'
import { catalogUrl, emptyCatalogQuery, type Suggestion, type Suggestions } from './catalog-query'
import { correctUnknownWords } from './corrections.server'
import { listCourseCards } from './course-cards.server'
import { createWordQuery } from './course-selection.server'
import { listMarks } from './match-marks'
import { normalizeSearch } from './normalize-search'
import { listSynonyms } from './search-analysis.server'
import { createNameKey } from './search-index.server'
import { planSearch, type SearchPlan, type Synonyms } from './search-plan'
import { listBestCourseIds } from './search-queries.server'
import { type Connection, listRows, runSearchTransaction } from './search-transaction.server'
import { matchText } from './text-match.server'
import { fold, parseWords } from './words'

/** The maximum number of suggestions of each kind. */
const maxSuggestions = { courses: 4, instructors: 2, skills: 2, words: 3 }
/** More words are tried than are suggested, because no course may have all the words together. */
const maxTriedWords = 6
const noSuggestions: Suggestions = { courses: [], instructors: [], skills: [], words: [] }

/** Returns suggestions for the text typed so far. */
export async function findSuggestions(db: Database, typedText: string): Promise<Suggestions> {
  const searchedText = normalizeSearch(typedText)
  if (fold(searchedText).trim() === '') {
    return noSuggestions
  }

  return runSearchTransaction(db, async (connection) => {
    const synonyms = await listSynonyms(connection)
    const plan = planSearch(searchedText, synonyms)

    return {
      courses: await suggestCourses(connection, searchedText),
      instructors: await suggestNames(connection, 'instructor', plan),
      skills: await suggestNames(connection, 'skill', plan),
      words: await suggestWords(connection, plan, synonyms),
    }
  })
}

/** Suggests the best courses that a search for the text finds. */
async function suggestCourses(connection: Connection, searchedText: string): Promise<Suggestion[]> {
  const { selection, search } = await matchText(connection, {
    q: searchedText,
    exact: false,
    mentions: false,
  })
  if (!search) {
    return []
  }

  const courseIds = await listBestCourseIds(connection, selection, maxSuggestions.courses)
  const cards = await listCourseCards(connection, courseIds)

  return cards.map((card) => ({
    text: card.title,
    marks: listMarks(card.title, search.plan, search.wordForms),
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
  const nameKey = createNameKey(plan.foldedText)
  if (nameKey.trim() === '') {
    return []
  }

  const rows = await listRows<{ name: string; courses: number }>(
    connection,
    sql`
      select name, courses
      from search_names
      where kind = ${kind} and folded like ${createLikePattern(nameKey)}
      order by courses desc, name
      limit ${maxSuggestions[`${kind}s`]}::int`,
  )

  return rows.map(({ name, courses }) => {
    // The sample course of /OneCourse is not in the catalog, but a search finds it.
    const q = courses === 0 ? name : ''
    return {
      text: name,
      marks: listMarks(name, plan),
      address: catalogUrl({ ...emptyCatalogQuery, q, [kind]: [name] }),
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
  const words = parseWords(plan.foldedText).map(({ word }) => word)
  const lastWord = words.at(-1)
  if (lastWord === undefined || !plan.foldedText.endsWith(lastWord)) {
    return []
  }

  const completions = await listCompletions(connection, lastWord)
  const completedTexts = completions
    .filter((word) => word !== lastWord)
    .map((word) => [...words.slice(0, -1), word].join(' '))
  const possibleTexts =
    completions.length === 0
      ? await correctUnknownWords(connection, plan.foldedText)
      : completedTexts
  const triedTexts = possibleTexts.slice(0, maxTriedWords)
  const matchingTexts = await filterMatchingTexts(connection, triedTexts, synonyms)

  return matchingTexts.slice(0, maxSuggestions.words).map((text) => ({
    text,
    marks: listMarks(text, plan),
    address: catalogUrl({ ...emptyCatalogQuery, q: text }),
    count: null,
  }))
}

/** Returns the most common words that begin with a prefix. The prefix itself can be one of them. */
async function listCompletions(connection: Connection, prefix: string): Promise<string[]> {
  const rows = await listRows<{ word: string }>(
    connection,
    sql`
      select word
      from search_words
      where word like ${prefix} || '%'
      order by coalesce(nullif(courses, 0), anywhere) desc, word
      limit ${maxTriedWords + 1}::int`,
  )
  return rows.map(({ word }) => word)
}

/** Returns the texts that lead to a course: a course has all of their words. */
async function filterMatchingTexts(
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
        with ordinality as candidates(text, query, position)
      where exists (select from course_search where words @@ query::tsquery)
      order by candidates.position`,
  )

  return rows.map(({ text }) => text)
}
