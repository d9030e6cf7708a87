/**
 * The rules of style for the content that comes with Learnify, as far as a program can check them.
 * README.md explains the rules. Each function returns sentences that say what to correct.
 */

/** These words are lowercase in a title, unless they begin or end it or follow a colon. */
const smallWords = new Set(
  'a an and as at but by for from if in into nor of off on onto or over per so than the to up via vs with yet'.split(
    ' ',
  ),
)
/** Keywords of programming languages, which a title may name. */
const keywords = new Set('elif else while'.split(' '))

/** Returns the problem of a title, or null. */
export function findTitleProblem(title: string): string | null {
  if (endsWithPeriod(title)) {
    return 'A title has no period at its end. Delete it.'
  }

  const correctTitle = toTitleCase(title)
  return correctTitle === title ? null : `‘${title}’ isn’t in title case. Write ‘${correctTitle}’.`
}

/**
 * Returns a title in title case. A word with a digit, a capital, a dot or a bracket after its first
 * letter stays as it is.
 */
export function toTitleCase(title: string): string {
  const words = title.split(/(\s+)/)
  let isStart = true

  const correctWords = words.map((word, index) => {
    if (word.trim() === '') {
      return word
    }

    const isEdge = isStart || index === words.length - 1
    isStart = /[:?!]$/.test(word)

    const bareWord = word.replace(/^[‘“'"(]+|[’”'"),.:;!?]+$/g, '')
    const isName = /[A-Z0-9.()_]/.test(bareWord.slice(1)) || keywords.has(bareWord)
    const isSmall = !isEdge && smallWords.has(bareWord)
    return isName || isSmall ? word : word.replace(/\p{L}/u, (letter) => letter.toUpperCase())
  })

  return correctWords.join('')
}

/**
 * Returns the problem of a text that is shown on a line without a period, or null.
 *
 * @param name the key of the text in its file
 * @param maxLetters the number of letters that fit where the text is shown
 */
export function findLineProblem(text: string, name: string, maxLetters: number): string | null {
  const hasSeveralSentences = /\.\s/.test(text)
  if (endsWithPeriod(text) && !hasSeveralSentences) {
    return `\`${name}\` has no period at its end. Delete it.`
  }

  return text.length > maxLetters
    ? `\`${name}\` has ${text.length} letters; ${maxLetters} fit on its lines. Shorten it.`
    : null
}

/** An ellipsis is no period. */
function endsWithPeriod(text: string): boolean {
  return /[^.]\.$/.test(text)
}

/** The American spelling of British words. `*` stands for any ending of the word. */
const americanSpellings: Record<string, string> = {
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
  `\\b(?:${Object.keys(americanSpellings)
    .map((word) => word.replace('*', '[a-z]*'))
    .join('|')})\\b`,
  'gi',
)
/** Verbs that end in `-ise` in British spelling and in `-ize` in American spelling. */
const britishVerb =
  /\b((?:general|initial|maxim|minim|normal|optim|organ|priorit|recogn|special|summar|util|visual)i)s(e|es|ed|er|ers|ing|ations?)\b/gi

const percentInWords = /(\d+(?:\.\d+)?)\s+(?:%(?!\s*[\d(])|percent\b)/g
const numberWithoutCommas = /(?<![\d.,:/#_-])[1-9]\d{4,}(?![\d.,:/_-]*\d)/g

/**
 * Returns a sentence for each British spelling and each number that is not written as it should be.
 *
 * @param text words only, without ids, URLs or code
 */
export function listWordingProblems(text: string): string[] {
  const words = [...text.matchAll(britishWord)].map(([word]) => [word, toAmericanSpelling(word)])
  const verbs = [...text.matchAll(britishVerb)].map(([word, stem, end]) => [word, `${stem}z${end}`])
  const spellingProblems = [...words, ...verbs].map(
    ([word, americanWord]) => `‘${word}’ is British. Write ‘${americanWord}’.`,
  )

  const percentProblems = [...text.matchAll(percentInWords)].map(
    ([match, number]) => `Write ‘${number}%’ instead of ‘${match}’.`,
  )
  const numberProblems = [...text.matchAll(numberWithoutCommas)].map(
    ([number]) => `Write ‘${Number(number).toLocaleString('en-US')}’ instead of ‘${number}’.`,
  )

  return [...new Set([...spellingProblems, ...percentProblems, ...numberProblems])]
}

function toAmericanSpelling(word: string): string {
  const lowercaseWord = word.toLowerCase()
  const entry = Object.entries(americanSpellings).find(([britishSpelling]) =>
    britishSpelling.endsWith('*')
      ? lowercaseWord.startsWith(britishSpelling.slice(0, -1))
      : lowercaseWord === britishSpelling,
  )
  if (entry === undefined) {
    return word
  }

  const [britishSpelling, americanSpelling] = entry
  const ending = britishSpelling.endsWith('*')
    ? lowercaseWord.slice(britishSpelling.length - 1)
    : ''
  const americanWord = americanSpelling + ending

  const isCapitalized = /^[A-Z]/.test(word)
  return isCapitalized ? `${americanWord[0]?.toUpperCase()}${americanWord.slice(1)}` : americanWord
}

/** The words that are read in a minute: slowly with exercises, and quickly without. */
const slowWordsPerMinute = 60
const quickWordsPerMinute = 300

/**
 * Returns the problem of an article whose declared reading time can't be true, or null.
 * Certificates state the sum of these times.
 *
 * @param wordCount the number of words with those of the code
 */
export function findReadingTimeProblem(wordCount: number, durationSeconds: number): string | null {
  const minutes = durationSeconds / 60
  const wordsPerMinute = wordCount / minutes
  if (wordsPerMinute <= quickWordsPerMinute && wordsPerMinute >= slowWordsPerMinute) {
    return null
  }

  const minMinutes = Math.max(1, Math.round(wordCount / quickWordsPerMinute))
  const maxMinutes = Math.max(1, Math.round(wordCount / slowWordsPerMinute))
  const declaredMinutes = Math.round(minutes * 10) / 10

  return `The article has ${wordCount.toLocaleString('en-US')} words, which take ${minMinutes} to ${maxMinutes} min with their exercises, but its lesson says ${declaredMinutes} min. Correct \`durationSeconds\`.`
}
