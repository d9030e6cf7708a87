/**
 * The style sheet of the content that comes with Learnify, as far as a program can check it. Each
 * rule returns a sentence, or null.
 */

/** Stay lowercase within a title, unless they begin or end it or stand behind a colon. */
const smallWords = new Set(
  'a an and as at but by for from if in into nor of off on onto or over per so than the to up via vs with yet'.split(
    ' ',
  ),
)
/** Keywords of programs, which a title may name. */
const codeWords = new Set('elif else while'.split(' '))

/**
 * @returns the title in title case; what begins with a digit or has a capital, a dot or a bracket
 * in it is left as it is.
 */
export function titleCase(title: string): string {
  let starts = true
  const words = title.split(/(\s+)/)

  return words
    .map((word, index) => {
      if (word.trim() === '') {
        return word
      }

      const bare = word.replace(/^[‘“'"(]+|[’”'"),.:;!?]+$/g, '')
      const edge = starts || index === words.length - 1
      const kept =
        /[A-Z0-9.()_]/.test(bare.slice(1)) || codeWords.has(bare) || (!edge && smallWords.has(bare))
      starts = /[:?!]$/.test(word)

      return kept ? word : word.replace(/\p{L}/u, (letter) => letter.toUpperCase())
    })
    .join('')
}

export function titleProblem(title: string): string | null {
  if (/[^.]\.$/.test(title)) {
    return 'A title has no period at its end. Delete it.'
  }

  const cased = titleCase(title)
  return cased === title ? null : `‘${title}’ isn’t in title case. Write ‘${cased}’.`
}

/** @param most letters that fit where it is shown. */
export function lineProblem(text: string, name: string, most: number): string | null {
  if (/[^.]\.$/.test(text) && !/\.\s/.test(text)) {
    return `\`${name}\` has no period at its end. Delete it.`
  }

  return text.length > most
    ? `\`${name}\` has ${text.length} letters; ${most} fit on its lines. Shorten it.`
    : null
}

/** British spelling by its American one; `*` stands for the word's ending. */
const spelling: Record<string, string> = {
  'analyse*': 'analyze',
  'behaviour*': 'behavior',
  cancelled: 'canceled',
  'catalogue*': 'catalog',
  'centre*': 'center',
  'colour*': 'color',
  enrol: 'enroll',
  'favour*': 'favor',
  'grey*': 'gray',
  'judgement*': 'judgment',
  labelled: 'labeled',
  'labour*': 'labor',
  learnt: 'learned',
  'licence*': 'license',
  'metre*': 'meter',
  'modell*': 'model',
  'neighbour*': 'neighbor',
  'practise*': 'practice',
  programme: 'program',
  'travell*': 'travel',
  whilst: 'while',
}
const britishWord = new RegExp(
  `\\b(?:${Object.keys(spelling)
    .map((word) => word.replace('*', '[a-z]*'))
    .join('|')})\\b`,
  'gi',
)
/** Verbs of which British writers spell `-ize` with an s. */
const britishVerb =
  /\b((?:general|initial|maxim|minim|normal|optim|organ|priorit|recogn|special|summar|util|visual)i)s(e|es|ed|er|ers|ing|ations?)\b/gi

/**
 * @param text words only: no ids, addresses or code.
 * @returns a sentence for each thing that is written otherwise.
 */
export function wordingProblems(text: string): string[] {
  const words = [...text.matchAll(britishWord)].map(([word]) => [word, american(word)])
  const verbs = [...text.matchAll(britishVerb)].map(([word, stem, end]) => [word, `${stem}z${end}`])
  const problems = [...words, ...verbs].map(
    ([word, better]) => `‘${word}’ is British. Write ‘${better}’.`,
  )
  for (const [found, number] of text.matchAll(/(\d+(?:\.\d+)?)\s+(?:%(?!\s*[\d(])|percent\b)/g)) {
    problems.push(`Write ‘${number}%’ instead of ‘${found}’.`)
  }

  for (const [number] of text.matchAll(/(?<![\d.,:/#_-])[1-9]\d{4,}(?![\d.,:/_-]*\d)/g)) {
    problems.push(`Write ‘${Number(number).toLocaleString('en-US')}’ instead of ‘${number}’.`)
  }

  return [...new Set(problems)]
}

function american(word: string): string {
  const lower = word.toLowerCase()
  const [found, replacement] =
    Object.entries(spelling).find(([entry]) =>
      entry.endsWith('*') ? lower.startsWith(entry.slice(0, -1)) : lower === entry,
    ) ?? []
  if (found === undefined || replacement === undefined) {
    return word
  }

  const changed = replacement + (found.endsWith('*') ? lower.slice(found.length - 1) : '')

  return /^[A-Z]/.test(word) ? `${changed[0]?.toUpperCase()}${changed.slice(1)}` : changed
}

/** Words read in a minute: from slow, with exercises, to quick. */
const [slowReader, quickReader] = [60, 300]

/**
 * Whether an article's declared reading time can be true, because certificates state it.
 *
 * @param words with those of its code.
 */
export function readingTimeProblem(words: number, durationSeconds: number): string | null {
  const minutes = durationSeconds / 60
  if (words / minutes <= quickReader && words / minutes >= slowReader) {
    return null
  }

  const [least, most] = [words / quickReader, words / slowReader].map((length) =>
    Math.max(1, Math.round(length)),
  )

  return `The article has ${words.toLocaleString('en-US')} words, which take ${least} to ${most} min with their exercises, but its lesson says ${Math.round(minutes * 10) / 10} min. Correct \`durationSeconds\`.`
}
