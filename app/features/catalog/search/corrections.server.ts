/**
 * Corrects the typing errors of a search that no course matches.
 *
 * A word is known if any course has it. `search_words` has all known words with the number of their
 * courses. Replacements only come from there. An unknown word that may be right, because a search
 * also finds synonyms and other forms of a word, can stay as it is.
 */
import { sql } from 'drizzle-orm'
import { type Connection, listRows, toIntegerArray } from './search-transaction.server'
import { fold, parseWords } from './words'

/** Each suggested correction costs a search of its own. */
const maxCorrections = 8
const maxComparedWords = 8
/** The minimum number of letters of each of two words that were written as one. */
const minPartLength = 3

/**
 * Returns likely corrections of a search without results, the most likely first. Two words that
 * were split by mistake are joined again. Apart from that, only unknown words are corrected: to the
 * nearest known words, or to two words if they were written as one.
 */
export async function correctUnknownWords(
  connection: Connection,
  searchedText: string,
): Promise<string[]> {
  const words = listSearchedWords(searchedText)
  const lastWord = words.at(-1)
  if (lastWord === undefined) {
    return []
  }

  const joinedNeighbors = words.slice(1).map((word, index) => `${words[index]}${word}`)
  const splitParts = words.flatMap((word) => listSplits(word).flat())
  const countByWord = await countCoursesByWord(connection, [
    ...words,
    ...joinedNeighbors,
    ...splitParts,
  ])

  // A last word with which a known word begins may be incomplete. It may as well be misspelled:
  // 'fro' may be 'for', although a course has 'from'. Only alone it stays, because a search for it
  // finds courses.
  const isLastWordPrefix = (await countCoursesByPrefix(connection, lastWord)) > 0
  const isKnown = (word: string) =>
    countByWord.has(word) || (words.length === 1 && isLastWordPrefix)
  const unknownWords = words.filter((word) => !isKnown(word))
  const similarWords = await listSimilarWords(
    connection,
    unknownWords,
    words.length > 1 ? getAllowedErrorsBesideOtherWords : getAllowedErrors,
  )

  const joinedCorrections = joinedNeighbors.flatMap((joined, index) =>
    countByWord.has(joined) ? [words.toSpliced(index, 2, joined)] : [],
  )

  // An unknown word is also a choice for itself. No course may have 'ml', but a search for it finds
  // 'machine learning', so that the word must not prevent the correction of another one.
  const inflectedWords = await listInflectedWords(connection, unknownWords)
  const choicesByPosition = words.map((word, index) => {
    if (isKnown(word)) {
      return [word]
    }

    const corrections = correctWord(word, similarWords, countByWord)
    const isIncomplete = isLastWordPrefix && index === words.length - 1
    if (isIncomplete) {
      // A search for the word finds the longer words as well.
      return [word, ...corrections.filter((correction) => !correction.startsWith(word))]
    }

    return inflectedWords.has(word) ? [word, ...corrections] : [...corrections, word]
  })
  const wordCorrections = unknownWords.length > 0 ? combineChoices(choicesByPosition) : []

  const searchedWords = words.join(' ')
  return [...joinedCorrections, ...wordCorrections]
    .map((correctedWords) => correctedWords.join(' '))
    .filter((correction) => correction !== searchedWords)
    .slice(0, maxCorrections)
}

type Combination = {
  words: string[]
  /**
   * The sum of the positions of the words in their lists of choices. The lowest is the likeliest.
   */
  rank: number
}

/**
 * Returns the most likely combinations of one choice for each word. The choices of each word are
 * sorted, the most likely first.
 */
function combineChoices(choicesByPosition: readonly (readonly string[])[]): string[][] {
  // One of the combinations may be the searched words themselves, which are no correction.
  const maxCombinations = maxCorrections + 1
  let combinations: Combination[] = [{ words: [], rank: 0 }]
  for (const choices of choicesByPosition) {
    combinations = combinations
      .flatMap(({ words, rank }) =>
        choices.map((choice, index) => ({ words: [...words, choice], rank: rank + index })),
      )
      .sort((a, b) => a.rank - b.rank)
      .slice(0, maxCombinations)
  }

  return combinations.map(({ words }) => words)
}

/**
 * Returns likely corrections of several known words that no course has together, the most likely
 * first. One of the words is taken for a typing error of a more common word.
 */
export async function replaceKnownWord(
  connection: Connection,
  searchedText: string,
): Promise<string[]> {
  const words = listSearchedWords(searchedText)
  const lastWord = words.at(-1)
  if (lastWord === undefined || words.length < 2) {
    return []
  }

  const comparedWords = words.slice(0, maxComparedWords)
  const countByWord = await countCoursesByWord(connection, words)
  const lastWordCount = await countCoursesByPrefix(connection, lastWord)
  const similarWords = await listSimilarWords(connection, comparedWords, getAllowedErrors)

  const replacements = comparedWords.flatMap((word, index) => {
    const isLastWord = index === words.length - 1
    const courses = isLastWord ? lastWordCount : (countByWord.get(word) ?? 0)
    return getSimilarWords(word, similarWords)
      .filter((similar) => similar.courses > courses)
      .map((similar) => ({ ...similar, index }))
  })

  return replacements
    .sort(compareReplacements)
    .slice(0, maxCorrections)
    .map(({ known, index }) => words.with(index, known).join(' '))
}

/** Sorts by the number of errors first. Among equals, words of the same letters come first. */
function compareReplacements(a: SimilarWord, b: SimilarWord): number {
  return (
    a.errors - b.errors ||
    Number(hasSameLetters(b.typed, b.known)) - Number(hasSameLetters(a.typed, a.known)) ||
    compareLikelihood(a, b)
  )
}

function hasSameLetters(word: string, otherWord: string): boolean {
  return sortLetters(word) === sortLetters(otherWord)
}

function sortLetters(word: string): string {
  return [...word].sort().join()
}

function listSearchedWords(searchedText: string): string[] {
  return parseWords(fold(searchedText)).map(({ word }) => word)
}

/** Returns the corrections of a word, the most likely first. */
function correctWord(
  word: string,
  similarWords: readonly SimilarWord[],
  countByWord: ReadonlyMap<string, number>,
): string[] {
  const corrections = getSimilarWords(word, similarWords).map(({ known }) => known)
  const splitCorrection = splitWord(word, countByWord)
  if (splitCorrection !== null) {
    corrections.push(splitCorrection)
  }

  return corrections
}

/**
 * Returns the two known words that were written as one, preferring those that most courses have.
 */
function splitWord(word: string, countByWord: ReadonlyMap<string, number>): string | null {
  const [bestSplit] = listSplits(word)
    .map((parts) => {
      const partCounts = parts.map((part) => countByWord.get(part) ?? 0)
      return { parts, courses: Math.min(...partCounts) }
    })
    .filter(({ courses }) => courses > 0)
    .sort((a, b) => b.courses - a.courses)

  return bestSplit ? bestSplit.parts.join(' ') : null
}

/** Returns all ways to split a word into two parts of at least `minPartLength` letters. */
function listSplits(word: string): [string, string][] {
  const splits: [string, string][] = []
  for (let length = minPartLength; length <= word.length - minPartLength; length++) {
    splits.push([word.slice(0, length), word.slice(length)])
  }

  return splits
}

/**
 * The number of courses that a search for the word finds: by title, summary and instructor or, if
 * there are none, by any text.
 */
const matchingCourses = sql`coalesce(nullif(courses, 0), anywhere)`

/** Returns the known words with the number of courses that have them. */
async function countCoursesByWord(
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

/**
 * Returns the words of which courses have another form, such as 'emails' if a course has 'email'.
 */
async function listInflectedWords(
  connection: Connection,
  words: readonly string[],
): Promise<ReadonlySet<string>> {
  if (words.length === 0) {
    return new Set()
  }

  const rows = await listRows<{ word: string }>(
    connection,
    sql`
      select searched.word
      from unnest(${sql.param(words)}::text[]) as searched(word)
      where exists (
        select
        from search_words known
        where known.stem = any(ts_lexize('english_stem', searched.word))
      )`,
  )
  return new Set(rows.map(({ word }) => word))
}

/** Counts the courses of the most common word with this prefix. Returns 0 if no word has it. */
async function countCoursesByPrefix(connection: Connection, prefix: string): Promise<number> {
  const [row] = await listRows<{ courses: number }>(
    connection,
    sql`
      select coalesce(max(${matchingCourses}), 0) as courses
      from search_words
      where word like ${prefix} || '%'`,
  )
  return row?.courses ?? 0
}

/** A known word that differs from a typed word by a few typing errors. */
type SimilarWord = {
  typed: string
  known: string
  /** The number of typing errors between the two words. */
  errors: number
  /** The number of courses that have the known word. */
  courses: number
}

function compareLikelihood(a: SimilarWord, b: SimilarWord): number {
  return a.errors - b.errors || b.courses - a.courses
}

/** Returns the words that are similar to one word, the most likely first. */
function getSimilarWords(word: string, similarWords: readonly SimilarWord[]): SimilarWord[] {
  return similarWords
    .filter(({ typed }) => typed === word)
    .sort(compareLikelihood)
    .slice(0, maxCorrections)
}

/**
 * Lists the known words that differ from the given words by a few typing errors. PostgreSQL counts
 * two swapped neighbors as two errors, so the query allows twice as many, and `countErrors`
 * decides.
 *
 * @param getMaxErrors returns how many typing errors a word may have
 */
async function listSimilarWords(
  connection: Connection,
  words: readonly string[],
  getMaxErrors: (word: string) => number,
): Promise<SimilarWord[]> {
  const correctableWords = words.filter((word) => getMaxErrors(word) > 0)
  if (correctableWords.length === 0) {
    return []
  }

  const rows = await listRows<{ typed: string; known: string; courses: number }>(
    connection,
    sql`
      select typed.word as typed, known.word as known, ${matchingCourses} as courses
      from unnest(
        ${sql.param(correctableWords)}::text[],
        ${toIntegerArray(correctableWords.map(getMaxErrors))}
      ) as typed(word, max_errors)
      join search_words known
        on char_length(known.word)
          between char_length(typed.word) - max_errors and char_length(typed.word) + max_errors
        and levenshtein_less_equal(known.word, typed.word, 2 * max_errors) <= 2 * max_errors`,
  )

  return rows
    .filter(({ known }) => !hasDigit(known))
    .map((row) => ({
      ...row,
      errors: countErrors(row.typed, row.known, getMaxErrors(row.typed)),
    }))
    .filter(({ typed, errors }) => errors <= getMaxErrors(typed))
}

/**
 * Returns how many typing errors a word may have: one from four letters on, two from eight letters
 * on, and none if the word has a digit.
 */
export function getAllowedErrors(word: string): number {
  if (hasDigit(word)) {
    return 0
  }

  const { length } = [...word]
  if (length >= 8) {
    return 2
  }

  return length >= 4 ? 1 : 0
}

/**
 * Returns how many typing errors a word of a longer search may have. A word of three letters may
 * have one, because the other words tell which of many similar words is meant.
 */
function getAllowedErrorsBesideOtherWords(word: string): number {
  const isShortWord = !hasDigit(word) && [...word].length === 3
  return isShortWord ? 1 : getAllowedErrors(word)
}

function hasDigit(word: string): boolean {
  return /\p{N}/u.test(word)
}

/**
 * Counts the typing errors between two words as their optimal string alignment distance. A missing,
 * an additional and a wrong letter count as one error each, as do two swapped neighbors.
 *
 * @param maxErrors the count at which the comparison stops early
 * @returns `maxErrors + 1` for any larger number
 */
export function countErrors(word: string, otherWord: string, maxErrors: number): number {
  const letters = [...word]
  const otherLetters = [...otherWord]
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

type MatrixRows = {
  row: number
  previousRow: readonly number[]
  rowBeforePrevious: readonly number[]
}

/** Calculates one row of the distance matrix. Column n compares the first n letters. */
function calculateRow(
  letters: readonly string[],
  otherLetters: readonly string[],
  { row, previousRow, rowBeforePrevious }: MatrixRows,
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
