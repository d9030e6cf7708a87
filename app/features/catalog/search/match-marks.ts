import type { Marks } from './catalog-query'
import type { Requirement, SearchPlan } from './search-plan'
import { foldWithOrigins, isUnspaced } from './words'

/** The other forms of a word that courses contain: 'design' and 'designs' for 'designing'. */
export type WordForms = ReadonlyMap<string, readonly string[]>

const noForms: WordForms = new Map()

const letter = /[\p{L}\p{N}\p{M}]/u
const wordPattern = /[\p{L}\p{N}\p{M}]+/gu

/**
 * Returns the parts of a text that match a search: the searched text as it was typed, and its words
 * in any form, where they are whole words.
 */
export function listMarks(
  text: string,
  { units, foldedText: searchedText }: SearchPlan,
  forms: WordForms = noForms,
): Marks {
  if (searchedText === '') {
    return []
  }

  const { folded, origins } = foldWithOrigins(text)
  const requirements = units
    .flatMap(({ alternatives }) => alternatives.flat())
    .flatMap((requirement) => addForms(requirement, forms))

  const matches = [
    ...findOccurrences(folded, searchedText),
    ...findWords(folded, requirements, isUnspaced(searchedText)),
    ...requirements.flatMap(({ word }) => findWordWithSigns(folded, word)),
  ]

  return mergeOverlaps(matches).map(([from, to]) => [
    origins[from] ?? 0,
    findOriginalEnd(origins, to),
  ])
}

function addForms(requirement: Requirement, forms: WordForms): Requirement[] {
  // In a script without spaces, only the searched piece is marked.
  const otherForms = (forms.get(requirement.word) ?? []).filter((form) => !isUnspaced(form))
  return [requirement, ...otherForms.map((word) => ({ word, isPrefix: false }))]
}

function findOccurrences(text: string, piece: string): Marks {
  const occurrences: Marks = []
  let start = text.indexOf(piece)
  while (start !== -1) {
    occurrences.push([start, start + piece.length])
    start = text.indexOf(piece, start + piece.length)
  }

  return occurrences
}

/** @param isSearchUnspaced whether the search is in a script that puts no spaces between words */
function findWords(
  folded: string,
  requirements: readonly Requirement[],
  isSearchUnspaced: boolean,
): Marks {
  const matches: Marks = []
  for (const { 0: word, index } of folded.matchAll(wordPattern)) {
    for (const requirement of requirements) {
      const offset = findOffset(word, requirement, isSearchUnspaced && isUnspaced(word))
      if (offset !== -1) {
        const start = index + offset
        matches.push([start, start + requirement.word.length])
      }
    }
  }

  return matches
}

/** Returns where in a word of the text the required word starts, or -1 if it doesn't match. */
function findOffset(word: string, required: Requirement, mayBePiece: boolean): number {
  if (mayBePiece) {
    return word.indexOf(required.word)
  }

  const isMatch = required.isPrefix ? word.startsWith(required.word) : word === required.word
  return isMatch ? 0 : -1
}

/** Finds words such as 'C++', which `findWords` can't find, because it reads letters only. */
function findWordWithSigns(folded: string, word: string): Marks {
  const hasSigns = [...word].some((character) => !letter.test(character))
  if (!hasSigns) {
    return []
  }

  return findOccurrences(folded, word).filter(([from, to]) => {
    const characterBefore = folded[from - 1] ?? ' '
    const characterAfter = folded[to] ?? ' '
    return !letter.test(characterBefore) && !letter.test(characterAfter)
  })
}

/** Returns the end in the original text. A letter that was folded into two is marked as a whole. */
function findOriginalEnd(origins: readonly number[], foldedEnd: number): number {
  const lastOrigin = origins[foldedEnd - 1]
  const nextOrigin = origins.slice(foldedEnd).find((origin) => origin !== lastOrigin)
  return nextOrigin ?? origins.at(-1) ?? 0
}

function mergeOverlaps(marks: Marks): Marks {
  const merged: Marks = []
  for (const [from, to] of marks.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const last = merged.at(-1)
    if (last && from <= last[1]) {
      last[1] = Math.max(last[1], to)
    } else {
      merged.push([from, to])
    }
  }

  return merged
}
