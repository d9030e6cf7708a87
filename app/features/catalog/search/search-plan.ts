import { fold, parseWords } from './words'

/** A word that a course has to have, or the beginning of one. */
export type Requirement = { word: string; begins: boolean }
/** A part of a search: a course has to meet all requirements of one of the alternatives. */
export type Unit = { typed: string; alternatives: Requirement[][] }

/** How the courses of a search are found. */
export type SearchPlan = {
  /** All of them, in any order. */
  units: Unit[]
  /** The specified search, case and accents folded: a piece of the text as it was typed. */
  text: string
}

/** Phrases with the same meaning, each as its words. */
export type Synonyms = readonly (readonly string[][])[]

/** @param groups phrases as `content/synonyms.yaml` has them. */
export function readSynonyms(groups: readonly (readonly string[])[]): Synonyms {
  return groups.map((phrases) =>
    phrases.map((phrase) => parseWords(fold(phrase)).map(({ word }) => word)),
  )
}

export function planSearch(typed: string, synonyms: Synonyms): SearchPlan {
  const text = fold(typed)
  return { units: readUnits(text, synonyms), text }
}

/** Signs around and between words that a search ignores. */
const punctuation = /(?![%\\])\p{P}|[|\s]/gu

const severalLetters = /\p{L}\p{M}*\p{L}/u

/** Whether the text has a meaning only with its signs, like 100%, $1 or \\o/. */
function isLiteral(text: string): boolean {
  if (text.includes(' ') || severalLetters.test(text)) {
    return false
  }

  const rest = parseWords(text).reduce((left, { word }) => left.replace(word, ''), text)
  return rest.replaceAll(punctuation, '') !== ''
}

/** The parts of a search; its last word may be incomplete. */
function readUnits(text: string, synonyms: Synonyms): Unit[] {
  if (isLiteral(text)) {
    return []
  }

  const words = parseWords(text)
  const isBegun = text.endsWith(words.at(-1)?.word ?? ' ')
  const units: Unit[] = []
  for (let at = 0; at < words.length; ) {
    const { length, alternatives } = longestUnit(words, at, synonyms)
    const own = words.slice(at, at + length).map(({ word }) => word)
    at += length
    // The first alternative is the words themselves.
    const exact = alternatives.map((phrase) => phrase.map((word) => ({ word, begins: false })))
    const begun = own.map((word, index) => ({ word, begins: index === own.length - 1 }))
    units.push({
      typed: own.join(' '),
      alternatives: at === words.length && isBegun ? [begun, ...exact.slice(1)] : exact,
    })
  }

  return units
}

/**
 * The synonyms of as many of the next words as possible, or words that hyphens bind, or the next
 * word.
 */
function longestUnit(words: ReturnType<typeof parseWords>, at: number, synonyms: Synonyms) {
  const next = words.slice(at).map(({ word }) => word)
  const begins = (phrase: readonly string[]) =>
    phrase.length > 0 && phrase.every((word, index) => word === next[index])
  const phrases = synonyms.flat().filter(begins)
  let bound = 1
  while (words[at + bound]?.bound) {
    bound++
  }

  const length = Math.max(bound, ...phrases.map((phrase) => phrase.length))
  const own = next.slice(0, length)
  const groups = synonyms.filter((group) =>
    group.some((phrase) => phrase.join(' ') === own.join(' ')),
  )
  const joined = length === bound && bound > 1 ? [[own.join('')]] : []

  return { length, alternatives: unique([own, ...joined, ...groups.flat()]) }
}

function unique(phrases: readonly (readonly string[])[]): string[][] {
  return [...new Set(phrases.map((phrase) => phrase.join(' ')))].map((phrase) => phrase.split(' '))
}
