/**
 * Turns a searched text into a plan: the units that a course has to contain, in any order.
 *
 * A unit is a word, several words that hyphens join, or a phrase that has synonyms. The last word
 * of a search may be incomplete, because results follow the typing. A text such as '100%' has a
 * meaning only with its signs. It has no units, and only courses that contain it literally are
 * found.
 */
import { fold, type ParsedWord, parseWords } from './words'

export type SearchPlan = {
  units: SearchUnit[]
  /** The searched text after `fold`. Courses that contain it as a piece are found as well. */
  foldedText: string
}

/** A course has to meet all requirements of one of the alternatives. */
export type SearchUnit = {
  /** The words of the unit as they were typed, after `fold`. */
  words: string[]
  alternatives: Requirement[][]
}

/** A word that a course has to contain or, for a prefix, the beginning of such a word. */
export type Requirement = { word: string; isPrefix: boolean }

/** Groups of phrases with the same meaning. A phrase is a list of words. */
export type Synonyms = readonly (readonly string[])[][]

/** @param groups phrases as `content/synonyms.yaml` has them */
export function parseSynonyms(groups: readonly (readonly string[])[]): Synonyms {
  return groups.map((phrases) =>
    phrases.map((phrase) => parseWords(fold(phrase)).map(({ word }) => word)),
  )
}

export function planSearch(searchedText: string, synonyms: Synonyms): SearchPlan {
  const foldedText = fold(searchedText)
  const units = isLiteral(foldedText) ? [] : parseUnits(foldedText, synonyms)
  return { units, foldedText }
}

/** Signs around and between words that a search ignores. */
const ignoredSigns = /(?![%\\])\p{P}|[|\s]/gu

const severalLetters = /\p{L}\p{M}*\p{L}/u

/** Whether the text has a meaning only with its signs, like 100%, $1 or \\o/. */
function isLiteral(text: string): boolean {
  if (text.includes(' ') || severalLetters.test(text)) {
    return false
  }

  let textWithoutWords = text
  for (const { word } of parseWords(text)) {
    textWithoutWords = textWithoutWords.replace(word, '')
  }

  return textWithoutWords.replaceAll(ignoredSigns, '') !== ''
}

function parseUnits(text: string, synonyms: Synonyms): SearchUnit[] {
  const words = parseWords(text)
  const lastWord = words.at(-1)
  const isLastWordIncomplete = lastWord !== undefined && text.endsWith(lastWord.word)

  const units: SearchUnit[] = []
  let index = 0
  while (index < words.length) {
    const unit = findLongestUnit(words.slice(index), synonyms)
    index += unit.words.length

    const isLastUnit = index === words.length
    units.push(isLastUnit && isLastWordIncomplete ? allowPrefix(unit) : unit)
  }

  return units
}

/**
 * Returns the unit at the beginning of the words: the longest phrase that has synonyms, words that
 * hyphens join, or a single word.
 */
function findLongestUnit(parsedWords: readonly ParsedWord[], synonyms: Synonyms): SearchUnit {
  const words = parsedWords.map(({ word }) => word)
  const hyphenatedLength = countHyphenatedWords(parsedWords)
  const matchingPhrases = synonyms.flat().filter((phrase) => startsWithPhrase(words, phrase))

  const length = Math.max(hyphenatedLength, ...matchingPhrases.map((phrase) => phrase.length))
  const unitWords = words.slice(0, length)
  const phrases = [unitWords]

  const isHyphenated = length === hyphenatedLength && hyphenatedLength > 1
  if (isHyphenated) {
    phrases.push([unitWords.join('')])
  }

  const unitText = unitWords.join(' ')
  for (const group of synonyms) {
    if (group.some((phrase) => phrase.join(' ') === unitText)) {
      phrases.push(...group.map((phrase) => [...phrase]))
    }
  }

  return {
    words: unitWords,
    alternatives: removeDuplicates(phrases).map((phrase) =>
      phrase.map((word) => ({ word, isPrefix: false })),
    ),
  }
}

/** Returns how many words at the beginning are joined by hyphens, or 1. */
function countHyphenatedWords(words: readonly ParsedWord[]): number {
  let count = 1
  while (words[count]?.followsHyphen) {
    count++
  }

  return count
}

function startsWithPhrase(words: readonly string[], phrase: readonly string[]): boolean {
  return phrase.length > 0 && phrase.every((word, index) => word === words[index])
}

function removeDuplicates(phrases: readonly string[][]): string[][] {
  const phraseByText = new Map(phrases.map((phrase) => [phrase.join(' '), phrase]))
  return [...phraseByText.values()]
}

/** Lets the last typed word of the unit be the beginning of a longer word. */
function allowPrefix({ words, alternatives }: SearchUnit): SearchUnit {
  // The first alternative is the typed words themselves.
  const [, ...otherAlternatives] = alternatives
  const typedWords = words.map((word, index) => ({ word, isPrefix: index === words.length - 1 }))
  return { words, alternatives: [typedWords, ...otherAlternatives] }
}
