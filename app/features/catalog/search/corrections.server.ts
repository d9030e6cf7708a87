import { sql } from 'drizzle-orm'
import { type Connection, integerArray, listRows } from './search-transaction.server'
import { fold, parseWords } from './words'

/** Corrects the typing errors of a search that no course matches. */

const maxCorrectionsPerWord = 5
/** Each suggested correction costs a search of its own. */
const maxCorrections = 8
const maxComparedWords = 8
/** Two words that were written as one have at least so many letters each. */
const minPartLength = 3

/**
 * Returns likely corrections of a search without results, the most likely first. Two words that were
 * split by mistake are joined again. Apart from that, only words that no course has are corrected:
 * to the nearest known words, or to two words if they were written as one.
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
  const isBeginning = (await countMostCommon(connection, last)) > 0
  const isKnownWord = (word: string, at: number) =>
    counts.has(word) || (at === words.length - 1 && isBeginning)
  const unknown = words.filter((word, at) => !isKnownWord(word, at))
  const nearest = await listNearest(connection, unknown)

  let combinations: string[][] = [[]]
  for (const [at, word] of words.entries()) {
    const choices = isKnownWord(word, at) ? [word] : correctWord(word, nearest, counts)
    combinations = combinations
      .flatMap((correctedWords) => choices.map((choice) => [...correctedWords, choice]))
      .slice(0, maxCorrections)
  }

  const withJoinedWords = joined.flatMap((word, at) =>
    counts.has(word) ? [[...words.slice(0, at), word, ...words.slice(at + 2)]] : [],
  )

  return [...withJoinedWords, ...(unknown.length > 0 ? combinations : [])]
    .slice(0, maxCorrections)
    .map((choice) => choice.join(' '))
}

/**
 * Returns likely corrections of several known words that no course has together, the most likely
 * first. One of the words is taken for a typing error of a more common word.
 */
export async function listMistaken(connection: Connection, typed: string): Promise<string[]> {
  const words = parseWords(fold(typed)).map(({ word }) => word)
  if (words.length < 2) {
    return []
  }

  const counts = await countCourses(connection, words)
  const coursesOfLastWord = await countMostCommon(connection, words.at(-1) ?? '')
  const nearest = await listNearest(connection, words.slice(0, maxComparedWords))

  return words
    .slice(0, maxComparedWords)
    .flatMap((word, index) => {
      const isLastWord = index === words.length - 1
      const courses = isLastWord ? coursesOfLastWord : (counts.get(word) ?? 0)
      return getNearestTo(word, nearest).flatMap((near) =>
        near.courses > courses
          ? [{ ...near, index, swapped: hasSameLetters(word, near.near) }]
          : [],
      )
    })
    .sort(
      (a, b) =>
        a.errors - b.errors || Number(b.swapped) - Number(a.swapped) || compareLikelihood(a, b),
    )
    .slice(0, maxCorrections)
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
  return [...getNearestTo(word, nearest).map(({ near }) => near), ...(split ? [split] : [])].slice(
    0,
    maxCorrectionsPerWord,
  )
}

function listSplits(word: string): [string, string][] {
  const length = Math.max(0, word.length - 2 * minPartLength + 1)
  return Array.from({ length }, (_, at) => [
    word.slice(0, at + minPartLength),
    word.slice(at + minPartLength),
  ])
}

/** Returns the two known words that were written as one, preferring those that most courses have. */
function splitWord(word: string, counts: ReadonlyMap<string, number>): string | null {
  const [best] = listSplits(word)
    .map((parts) => ({ parts, courses: Math.min(...parts.map((part) => counts.get(part) ?? 0)) }))
    .filter(({ courses }) => courses > 0)
    .sort((a, b) => b.courses - a.courses)
  return best ? best.parts.join(' ') : null
}

/**
 * Counts the courses that a search for the word finds: by title, summary and instructor or, if there
 * are none, by any text.
 */
const matchingCourses = sql`coalesce(nullif(courses, 0), anywhere)`

/** Returns the known words with the number of courses that have them. */
async function countCourses(
  connection: Connection,
  words: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await listRows<{ word: string; courses: number }>(
    connection,
    sql`
      select word, ${matchingCourses} as courses
      from search_words
      where word = any(${sql.param(words)}::text[])`,
  )
  return new Map(rows.map(({ word, courses }) => [word, courses]))
}

/** Counts the courses of the most common word with this beginning. Returns 0 if no word has it. */
async function countMostCommon(connection: Connection, beginning: string): Promise<number> {
  const [row] = await listRows<{ courses: number }>(
    connection,
    sql`
      select coalesce(max(${matchingCourses}), 0) as courses
      from search_words
      where word like ${beginning} || '%'`,
  )
  return row?.courses ?? 0
}

type Nearest = { typed: string; near: string; errors: number; courses: number }
const compareLikelihood = (a: Nearest, b: Nearest) => a.errors - b.errors || b.courses - a.courses

function getNearestTo(word: string, nearest: readonly Nearest[]): Nearest[] {
  return nearest
    .filter(({ typed }) => typed === word)
    .sort(compareLikelihood)
    .slice(0, maxCorrectionsPerWord * 2)
}

/**
 * Lists the known words that differ from the given words by a few typing errors. PostgreSQL counts
 * two swapped neighbors as two errors, so the query allows twice as many, and `countErrors` decides.
 */
async function listNearest(connection: Connection, words: readonly string[]): Promise<Nearest[]> {
  const correctable = words.filter((word) => getAllowedErrors(word) > 0)
  if (correctable.length === 0) {
    return []
  }

  const rows = await listRows<{ typed: string; near: string; courses: number }>(
    connection,
    sql`
      select typed.word as typed, known.word as near, ${matchingCourses} as courses
      from unnest(
        ${sql.param(correctable)}::text[],
        ${integerArray(correctable.map(getAllowedErrors))}
      ) as typed(word, max_errors)
      join search_words known
        on char_length(known.word)
          between char_length(typed.word) - max_errors and char_length(typed.word) + max_errors
        and levenshtein_less_equal(known.word, typed.word, 2 * max_errors) <= 2 * max_errors`,
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
 * Returns how many typing errors a word may have: one from four letters on, two from eight letters
 * on, and none if the word has a digit.
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
 * Counts the typing errors between two words as their optimal string alignment distance. A missing,
 * an additional and a wrong letter count as one error each, as do two swapped neighbors.
 *
 * @param maxErrors the count at which the comparison stops early
 * @returns `maxErrors + 1` for any larger number
 */
export function countErrors(word: string, other: string, maxErrors: number): number {
  const [letters, otherLetters] = [[...word], [...other]]
  if (Math.abs(letters.length - otherLetters.length) > maxErrors) {
    return maxErrors + 1
  }

  let rowBeforePrevious: number[] = []
  let previousRow = Array.from({ length: otherLetters.length + 1 }, (_, column) => column)
  for (let row = 1; row <= letters.length; row++) {
    const currentRow = calculateRow(letters, otherLetters, { row, previousRow, rowBeforePrevious })

    // A swap of neighbors looks back over two rows, so both of them have to exceed the maximum.
    if (Math.min(...currentRow) > maxErrors && Math.min(...previousRow) > maxErrors) {
      return maxErrors + 1
    }

    rowBeforePrevious = previousRow
    previousRow = currentRow
  }

  return Math.min(previousRow[otherLetters.length] ?? 0, maxErrors + 1)
}

type Rows = { row: number; previousRow: readonly number[]; rowBeforePrevious: readonly number[] }

/** Calculates one row of the distance matrix. Column n compares the first n letters. */
function calculateRow(
  letters: readonly string[],
  otherLetters: readonly string[],
  { row, previousRow, rowBeforePrevious }: Rows,
): number[] {
  const currentRow = [row]
  for (let column = 1; column <= otherLetters.length; column++) {
    const isSameLetter = letters[row - 1] === otherLetters[column - 1]
    const isSwapped =
      row > 1 &&
      column > 1 &&
      letters[row - 1] === otherLetters[column - 2] &&
      letters[row - 2] === otherLetters[column - 1]

    const errors = [
      (previousRow[column] ?? 0) + 1,
      (currentRow[column - 1] ?? 0) + 1,
      (previousRow[column - 1] ?? 0) + (isSameLetter ? 0 : 1),
    ]
    if (isSwapped) {
      errors.push((rowBeforePrevious[column - 2] ?? 0) + 1)
    }

    currentRow.push(Math.min(...errors))
  }

  return currentRow
}
