import { sql } from 'drizzle-orm'
import { type Connection, integerArray, listRows } from './search-transaction.server'
import { fold, parseWords } from './words'

const mostForWord = 5
const mostTried = 8
const mostMistaken = 8
const shortestPart = 3

/**
 * Likely corrections of a search without results, the most likely first: one word split into two.
 * Otherwise only words that no course has are corrected, each to the nearest known ones, or as two
 * words written as one.
 */
export async function listCorrected(connection: Connection, typed: string): Promise<string[]> {
  const words = parseWords(fold(typed)).map(({ word }) => word)
  const last = words.at(-1)
  if (last === undefined) {
    return []
  }

  const joined = words.slice(1).map((word, at) => `${words[at]}${word}`)
  const counts = await countCourses(connection, [
    ...words,
    ...joined,
    ...words.flatMap((word) => listSplits(word).flat()),
  ])
  const isBeginning = (await countCommonest(connection, last)) > 0
  const isKnown = (word: string, at: number) =>
    counts.has(word) || (at === words.length - 1 && isBeginning)
  const unknown = words.filter((word, at) => !isKnown(word, at))
  const nearest = await listNearest(connection, unknown)

  let found: string[][] = [[]]
  for (const [at, word] of words.entries()) {
    const choices = isKnown(word, at) ? [word] : correctWord(word, nearest, counts)
    found = found
      .flatMap((begun) => choices.map((choice) => [...begun, choice]))
      .slice(0, mostTried)
  }

  const rejoined = joined.flatMap((word, at) =>
    counts.has(word) ? [[...words.slice(0, at), word, ...words.slice(at + 2)]] : [],
  )

  return [...rejoined, ...(unknown.length > 0 ? found : [])]
    .slice(0, mostTried)
    .map((choice) => choice.join(' '))
}

/**
 * Likely corrections of several known words that no course has together: one of them is a typing
 * error of a more common word. The most likely first.
 */
export async function listMistaken(connection: Connection, typed: string): Promise<string[]> {
  const words = parseWords(fold(typed)).map(({ word }) => word)
  if (words.length < 2) {
    return []
  }

  const counts = await countCourses(connection, words)
  const begun = await countCommonest(connection, words.at(-1) ?? '')
  const nearest = await listNearest(connection, words.slice(0, mostMistaken))

  return words
    .slice(0, mostMistaken)
    .flatMap((word, index) => {
      const known = index === words.length - 1 ? begun : (counts.get(word) ?? 0)
      return nearestOf(word, nearest).flatMap((near) =>
        near.courses > known ? [{ ...near, index, swapped: hasSameLetters(word, near.near) }] : [],
      )
    })
    .sort(
      (a, b) => a.errors - b.errors || Number(b.swapped) - Number(a.swapped) || byLikelihood(a, b),
    )
    .slice(0, mostTried)
    .map(({ near, index }) => words.with(index, near).join(' '))
}

function hasSameLetters(word: string, other: string): boolean {
  const letters = (text: string) => [...text].sort().join()
  return letters(word) === letters(other)
}

function correctWord(
  word: string,
  nearest: readonly Nearest[],
  counts: ReadonlyMap<string, number>,
): string[] {
  const split = splitWord(word, counts)
  return [...nearestOf(word, nearest).map(({ near }) => near), ...(split ? [split] : [])].slice(
    0,
    mostForWord,
  )
}

function listSplits(word: string): [string, string][] {
  const length = Math.max(0, word.length - 2 * shortestPart + 1)
  return Array.from({ length }, (_, at) => [
    word.slice(0, at + shortestPart),
    word.slice(at + shortestPart),
  ])
}

/** Two known words that were written as one, by the parts that most courses have. */
function splitWord(word: string, counts: ReadonlyMap<string, number>): string | null {
  const [best] = listSplits(word)
    .map((parts) => ({ parts, courses: Math.min(...parts.map((part) => counts.get(part) ?? 0)) }))
    .filter(({ courses }) => courses > 0)
    .sort((a, b) => b.courses - a.courses)
  return best ? best.parts.join(' ') : null
}

/** Counts courses as a search finds them: by title, summary and instructor, or else by any text. */
const shownCourses = sql`coalesce(nullif(courses, 0), anywhere)`

/** Words that are known, with the courses that have them. */
async function countCourses(
  connection: Connection,
  words: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await listRows<{ word: string; courses: number }>(
    connection,
    sql`select word, ${shownCourses} as courses from search_words where word = any(${sql.param(words)}::text[])`,
  )
  return new Map(rows.map(({ word, courses }) => [word, courses]))
}

/** How many courses have the most common word with this beginning; 0 if no word has it. */
async function countCommonest(connection: Connection, beginning: string): Promise<number> {
  const [row] = await listRows<{ courses: number }>(
    connection,
    sql`select coalesce(max(${shownCourses}), 0) as courses from search_words where word like ${beginning} || '%'`,
  )
  return row?.courses ?? 0
}

type Nearest = { typed: string; near: string; errors: number; courses: number }
const byLikelihood = (a: Nearest, b: Nearest) => a.errors - b.errors || b.courses - a.courses

function nearestOf(word: string, nearest: readonly Nearest[]): Nearest[] {
  return nearest
    .filter(({ typed }) => typed === word)
    .sort(byLikelihood)
    .slice(0, mostForWord * 2)
}

/**
 * Words that differ from some words by a few typing errors. PostgreSQL counts two swapped neighbors
 * as two errors.
 */
async function listNearest(connection: Connection, words: readonly string[]): Promise<Nearest[]> {
  const correctable = words.filter((word) => getAllowedErrors(word) > 0)
  if (correctable.length === 0) {
    return []
  }

  const rows = await listRows<{ typed: string; near: string; courses: number }>(
    connection,
    sql`select asked.word as typed, w.word as near, ${shownCourses} as courses
      from unnest(${sql.param(correctable)}::text[], ${integerArray(correctable.map(getAllowedErrors))}) as asked(word, most)
      join search_words w on char_length(w.word) between char_length(asked.word) - most and char_length(asked.word) + most
        and levenshtein_less_equal(w.word, asked.word, 2 * most) <= 2 * most`,
  )

  return rows
    .filter(({ near }) => !/\p{N}/u.test(near))
    .map((row) => ({
      ...row,
      errors: countErrors(row.typed, row.near, getAllowedErrors(row.typed)),
    }))
    .filter(({ typed, errors }) => errors <= getAllowedErrors(typed))
}

/**
 * How many errors a word of this length may have: one from four letters, two from eight, none if it
 * has a digit.
 */
export function getAllowedErrors(word: string): number {
  if (/\p{N}/u.test(word)) {
    return 0
  }

  const { length } = [...word]
  if (length >= 8) {
    return 2
  }

  return length >= 4 ? 1 : 0
}

/**
 * Typing errors between two words: letters that are missing, too many or wrong, and swapped
 * neighbors count one each (optimal string alignment).
 *
 * @param most give up beyond it.
 * @returns `most + 1` for everything beyond.
 */
export function countErrors(left: string, right: string, most: number): number {
  const [a, b] = [[...left], [...right]]
  if (Math.abs(a.length - b.length) > most) {
    return most + 1
  }

  let [before, last] = [[] as number[], b.map((_, index) => index)]
  last.push(b.length)
  for (let row = 1; row <= a.length; row++) {
    const now = [row]
    let least = row
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let errors = Math.min(
        (last[column] ?? 0) + 1,
        (now[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      )
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (swapped) {
        errors = Math.min(errors, (before[column - 2] ?? 0) + 1)
      }

      now.push(errors)
      least = Math.min(least, errors)
    }

    // A swap reaches back over one row.
    if (least > most && Math.min(...last) > most) {
      return most + 1
    }

    ;[before, last] = [last, now]
  }

  return Math.min(last[b.length] ?? 0, most + 1)
}
