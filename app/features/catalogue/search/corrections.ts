import type { Vocabulary } from './vocabulary'
import { fold, readWords } from './words'

const mostForWord = 5
const mostTried = 8
/** Some milliseconds for each word. */
const mostMistaken = 8

/** The words of all segments of the index. */
type Words = readonly Vocabulary[]

/**
 * What may have been meant by a search that finds nothing, the most likely first: a word that was written as two; else only
 * words that the index does not have are corrected, each by the nearest ones or as two words that were written as one.
 */
export function listCorrected(typed: string, vocabularies: Words): string[] {
  const words = readWords(fold(typed)).map(({ word }) => word)
  let found: string[][] = [[]]
  let corrected = false
  for (const [index, word] of words.entries()) {
    const isKnown = vocabularies.some(
      (vocabulary) => vocabulary.has(word) || (index === words.length - 1 && vocabulary.listBeginning(word).length > 0),
    )
    const choices = isKnown ? [word] : correctWord(word, vocabularies)
    corrected ||= !isKnown
    found = found.flatMap((begun) => choices.map((choice) => [...begun, choice])).slice(0, mostTried)
  }
  const choices = [...listJoined(words, vocabularies), ...(corrected ? found : [])]
  return choices.slice(0, mostTried).map((choice) => choice.join(' '))
}

/** The words with two neighbors as one that is known. */
function listJoined(words: readonly string[], vocabularies: Words): string[][] {
  return words.flatMap((word, index) => {
    const joined = index > 0 ? `${words[index - 1]}${word}` : ''
    const isKnown = vocabularies.some((vocabulary) => vocabulary.has(joined))
    return isKnown ? [[...words.slice(0, index - 1), joined, ...words.slice(index + 1)]] : []
  })
}

/**
 * What else may have been meant by several words that the index has, but no course together: one of them is a more common one
 * with an error. The most likely first.
 */
export function listMistaken(typed: string, vocabularies: Words): string[] {
  const words = readWords(fold(typed)).map(({ word }) => word)
  if (words.length === 1) return []
  return words
    .slice(0, mostMistaken)
    .flatMap((word, index) => {
      const known = countCourses(word, vocabularies, { begins: index === words.length - 1 })
      return listNearest(word, vocabularies).flatMap((nearest) =>
        nearest.courses > known ? [{ ...nearest, index, swapped: isSwapped(word, nearest.near) }] : [],
      )
    })
    .sort((a, b) => a.errors - b.errors || Number(b.swapped) - Number(a.swapped) || byLikelihood(a, b))
    .slice(0, mostTried)
    .map(({ near, index }) => words.with(index, near).join(' '))
}

/** @param begins whether the word may be the beginning of others, of which the most common one counts. */
function countCourses(word: string, vocabularies: Words, { begins = false } = {}): number {
  const countIn = (words: Vocabulary) =>
    begins ? (words.listCommonest(word, 1)[0]?.courses ?? 0) : words.countCourses(word)
  return vocabularies.reduce((total, words) => total + countIn(words), 0)
}

function isSwapped(word: string, other: string): boolean {
  const letters = (text: string) => [...text].sort().join()
  return letters(word) === letters(other)
}

function correctWord(word: string, vocabularies: Words): string[] {
  const nearest = listNearest(word, vocabularies).map(({ near }) => near)
  const split = splitWord(word, vocabularies)
  return [...nearest, ...(split ? [split] : [])].slice(0, mostForWord)
}

type Nearest = { near: string; errors: number; courses: number }
const byLikelihood = (a: Nearest, b: Nearest) => a.errors - b.errors || b.courses - a.courses

/** The nearest words of all segments, those of most courses first. */
function listNearest(word: string, vocabularies: Words): Nearest[] {
  const courses = new Map<string, { errors: number; courses: number }>()
  for (const vocabulary of vocabularies) {
    for (const { word: near, errors, courses: more } of vocabulary.listCorrections(word, mostForWord * 2))
      courses.set(near, { errors, courses: (courses.get(near)?.courses ?? 0) + more })
  }
  return [...courses].map(([near, found]) => ({ near, ...found })).sort(byLikelihood)
}

const shortestPart = 3

/** Two known words that were written as one, by the parts that most courses have. */
function splitWord(word: string, vocabularies: Words): string | null {
  let best: { parts: string; courses: number } | null = null
  for (let at = shortestPart; at <= word.length - shortestPart; at++) {
    const parts = [word.slice(0, at), word.slice(at)]
    const courses = Math.min(...parts.map((part) => countCourses(part, vocabularies)))
    if (courses > 0 && (!best || courses > best.courses)) best = { parts: parts.join(' '), courses }
  }
  return best?.parts ?? null
}
