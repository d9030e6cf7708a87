import { LineSearch } from './line-search'
import { allowedErrors, countErrors } from './typing-errors'

export type Correction = { word: string; errors: number; courses: number }

/** The words of a segment of the index, and in how many courses each is. */
export class Vocabulary {
  readonly words: string[] = []
  readonly #main: Int32Array
  readonly #other: Int32Array
  readonly #lines: LineSearch
  /** For each word which letters it has, as bits: words that differ in many have many errors between them. */
  readonly #letters: Uint32Array

  /** @param lines as `IndexBuilder.words` gives them. */
  constructor(lines: string) {
    const rows = lines === '' ? [] : lines.split('\n')
    this.#main = new Int32Array(rows.length)
    this.#other = new Int32Array(rows.length)
    this.#letters = new Uint32Array(rows.length)
    for (const [index, row] of rows.entries()) {
      const [word = '', main, other] = row.split(' ')
      this.words.push(word)
      this.#main[index] = Number(main)
      this.#other[index] = Number(other)
      this.#letters[index] = lettersOf(word)
    }
    this.#lines = new LineSearch(this.words.join('\n'))
  }

  /** Courses that a search for this word shows: those that have it in a searched field, or else anywhere; 0 if none. */
  countCourses(word: string): number {
    const index = this.#firstFrom(word)
    return this.words[index] === word ? this.#coursesAt(index) : 0
  }

  has(word: string): boolean {
    return this.words[this.#firstFrom(word)] === word
  }

  listBeginning(prefix: string): string[] {
    const from = this.#firstFrom(prefix)
    let to = from
    while (this.words[to]?.startsWith(prefix)) to++
    return this.words.slice(from, to)
  }

  /** The words that most courses have among those that begin so. */
  listCommonest(prefix: string, most: number): { word: string; courses: number }[] {
    const found: { word: string; courses: number }[] = []
    for (let index = this.#firstFrom(prefix); this.words[index]?.startsWith(prefix); index++)
      found.push({ word: this.words[index] ?? '', courses: this.#coursesAt(index) })
    return found.sort((a, b) => b.courses - a.courses).slice(0, most)
  }

  listContaining(...asked: Parameters<LineSearch['listContaining']>): readonly string[] {
    return this.#lines.listContaining(...asked)
  }

  /** Words that may have been meant, the most likely first. */
  listCorrections(typed: string, most: number): Correction[] {
    const allowed = allowedErrors(typed)
    if (allowed === 0) return []
    const letters = lettersOf(typed)
    const found: Correction[] = []
    for (let index = 0; index < this.words.length; index++) {
      const word = this.words[index] as string
      if (Math.abs(word.length - typed.length) > allowed * 2) continue
      if (bitsOf(letters ^ (this.#letters[index] as number)) > 2 * allowed) continue
      const errors = countErrors(typed, word, allowed)
      if (errors <= allowed && !/\p{N}/u.test(word)) found.push({ word, errors, courses: this.#coursesAt(index) })
    }
    return found.sort((a, b) => a.errors - b.errors || b.courses - a.courses).slice(0, most)
  }

  #coursesAt(index: number): number {
    return this.#main[index] || (this.#other[index] ?? 0)
  }

  /** Where the first word stands that is not before this one. */
  #firstFrom(word: string): number {
    let [low, high] = [0, this.words.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.words[middle] as string) < word) low = middle + 1
      else high = middle
    }
    return low
  }
}

function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters >>> 0
}

function bitsOf(letters: number): number {
  let count = 0
  for (let rest = letters; rest !== 0; rest &= rest - 1) count++
  return count
}
