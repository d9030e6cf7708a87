import type { Marks } from './catalog-query'
import type { Requirement, SearchPlan } from './search-plan'
import { foldWithOrigins, isUnspaced } from './words'

/** The other forms of a word that courses have: 'design' and 'designs' of 'designing'. */
export type WordForms = ReadonlyMap<string, readonly string[]>
const noForms: WordForms = new Map()

const letter = /[\p{L}\p{N}\p{M}]/u
const atom = /[\p{L}\p{N}\p{M}]+/gu

/**
 * The parts of a text that match a search: the text as typed, and its words, in any form, where
 * they stand alone.
 */
export function listMarks(
  text: string,
  { units, text: typed }: SearchPlan,
  forms: WordForms = noForms,
): Marks {
  if (typed === '') {
    return []
  }

  const { folded, origins } = foldWithOrigins(text)
  const found: Marks = []
  for (let at = folded.indexOf(typed); at !== -1; at = folded.indexOf(typed, at + typed.length)) {
    found.push([at, at + typed.length])
  }

  const requirements = units
    .flatMap(({ alternatives }) => alternatives.flat())
    .flatMap((own) => withForms(own, forms))
  for (const match of folded.matchAll(atom)) {
    for (const { word, begins } of requirements) {
      const isPiece = isUnspaced(typed) && isUnspaced(match[0]) && match[0].includes(word)
      const at = match.index + (isPiece ? match[0].indexOf(word) : 0)
      if (isPiece || (begins ? match[0].startsWith(word) : match[0] === word)) {
        found.push([at, at + word.length])
      }
    }
  }

  for (const { word } of requirements) {
    if (!isPlain(word)) {
      found.push(...listPlaces(folded, word))
    }
  }

  return merge(found).map(([from, to]) => [origins[from] ?? 0, endOf(origins, to)])
}

function withForms(requirement: Requirement, forms: WordForms): Requirement[] {
  // Of an unspaced text only the piece is marked.
  const others = (forms.get(requirement.word) ?? []).filter((form) => !isUnspaced(form))
  return [requirement, ...others.map((word) => ({ word, begins: false }))]
}

const isPlain = (word: string) => [...word].every((character) => letter.test(character))

function listPlaces(folded: string, word: string): Marks {
  const found: Marks = []
  for (let at = folded.indexOf(word); at !== -1; at = folded.indexOf(word, at + word.length)) {
    if (!letter.test(folded[at - 1] ?? ' ') && !letter.test(folded[at + word.length] ?? ' ')) {
      found.push([at, at + word.length])
    }
  }

  return found
}

/** The end in the original text: a letter that became two is marked as a whole. */
function endOf(origins: readonly number[], to: number): number {
  const last = origins[to - 1]
  for (let at = to; at < origins.length; at++) {
    if (origins[at] !== last) {
      return origins[at] ?? 0
    }
  }

  return origins.at(-1) ?? 0
}

function merge(marks: Marks): Marks {
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
