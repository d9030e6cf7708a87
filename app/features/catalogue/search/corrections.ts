import type { Vocabulary } from './vocabulary'
import { fold, readWords } from './words'

const mostForWord = 5
const mostTried = 8
/** Some milliseconds for each word. */
const mostReplaced = 8

/** The words of all segments of the index. */
type Words = readonly Vocabulary[]

/**
 * What may have been meant by a search that finds nothing, the most likely first: a word that was written as two; else the
 * words that the index does not have are corrected, each by the nearest ones or as two words that were written as one. If
 * it has all of them, one was mistaken for another.
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
  const choices = [...listJoined(words, vocabularies), ...(corrected ? found : listReplaced(words, vocabularies))]
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

/** The words with one of them replaced by one that resembles it. */
function listReplaced(words: readonly string[], vocabularies: Words): string[][] {
  if (words.length === 1) return []
  return words
    .slice(0, mostReplaced)
    .flatMap((word, index) => listNearest(word, vocabularies).map((nearest) => ({ ...nearest, index })))
    .filter(({ errors }) => errors > 0)
    .sort(byLikelihood)
    .map(({ near, index }) => words.with(index, near))
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
  const countOf = (part: string) => vocabularies.reduce((total, words) => total + words.countCourses(part), 0)
  let best: { parts: string; courses: number } | null = null
  for (let at = shortestPart; at <= word.length - shortestPart; at++) {
    const parts = [word.slice(0, at), word.slice(at)]
    const courses = Math.min(...parts.map(countOf))
    if (courses > 0 && (!best || courses > best.courses)) best = { parts: parts.join(' '), courses }
  }
  return best?.parts ?? null
}
