/**
 * Folds texts for comparison, and splits them into words.
 *
 * The search index and every search use the same functions, so that both see the same letters and
 * words. PostgreSQL's own parser treats signs, accents and scripts differently.
 */

/**
 * Characters that Unicode doesn't decompose into a base letter and a mark, with their usual
 * spelling in plain characters.
 */
const plainSpellings: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
  '‘': "'",
  '’': "'",
  '‛': "'",
  ʼ: "'",
  ʻ: "'",
  '′': "'",
  '´': "'",
  '`': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '‟': '"',
  '‐': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '―': '-',
  '−': '-',
}
const ascii = /^[\0-\x7f]*$/
const asciiRunOrCharacter = /[\0-\x7f]+|[^\0-\x7f]/gu

/**
 * Accents of the Latin, Greek and Cyrillic alphabets, and the optional marks of Hebrew and Arabic:
 * vowels, cantillation and the line that makes a word longer. In other scripts, a mark makes a
 * different letter, so it is kept.
 */
const accents =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u0655\u0670]/g

/**
 * Invisible characters that get into copied texts: soft hyphens, joiners, directions, the form of
 * an emoji.
 */
const invisibleCharacters = /\p{Default_Ignorable_Code_Point}/gu

/** Returns a text without case, accents, and different forms of quotes and dashes. */
export function fold(text: string): string {
  return ascii.test(text) ? foldAscii(text) : text.replaceAll(asciiRunOrCharacter, foldCharacter)
}

function foldAscii(text: string): string {
  return text.toLowerCase().replaceAll('`', "'")
}

/**
 * Folds one character, or a run of ASCII characters. The result doesn't depend on the characters
 * around it, so that a piece of a text is folded like the whole text.
 */
function foldCharacter(character: string): string {
  if (ascii.test(character)) {
    return foldAscii(character)
  }

  const plain = character
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(accents, '')
    .replaceAll(invisibleCharacters, '')

  // A standalone accent, such as ´ or ¨, decomposes into a space and a mark. It is no space.
  const isStandaloneAccent = plain !== '' && plain.trim() === '' && character.trim() !== ''
  if (isStandaloneAccent) {
    return plainSpellings[character] ?? character
  }

  return [...plain].map((letter) => plainSpellings[letter] ?? letter).join('')
}

/**
 * Returns a folded text and, for each of its UTF-16 code units, the index in the original text that
 * the unit comes from. `origins` has one more entry for the end of the text.
 */
export function foldWithOrigins(text: string): { folded: string; origins: number[] } {
  const origins: number[] = []
  let folded = ''
  let index = 0

  for (const character of text) {
    const foldedCharacter = foldCharacter(character)
    for (let unit = 0; unit < foldedCharacter.length; unit++) {
      origins.push(index)
    }

    folded += foldedCharacter
    index += character.length
  }

  origins.push(index)

  return { folded, origins }
}

/**
 * A character class of the scripts that write no spaces between words, in a syntax that JavaScript
 * and PostgreSQL share.
 */
export const unspacedScripts = '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]'
const unspacedCharacter = new RegExp(unspacedScripts)

export function isUnspaced(text: string): boolean {
  return unspacedCharacter.test(text)
}

const wordCharacter = String.raw`[\p{L}\p{N}\p{M}]`
const plainWordPattern = new RegExp(`${wordCharacter}+`, 'gu')

/** Matches C++, C#, F#, .NET. */
const wordWithSigns = String.raw`(?<!${wordCharacter})(?:\.${wordCharacter}+|${wordCharacter}{1,3}(?:\+\+|#))(?!${wordCharacter}|[+#])`
const wordWithSignsPattern = new RegExp(wordWithSigns, 'gu')
const wordPattern = new RegExp(`${wordWithSigns}|${wordCharacter}+`, 'gu')

/** Returns every word of a folded text. Words with signs are also returned without them. */
export function listWords(foldedText: string): Set<string> {
  const words = new Set(foldedText.match(plainWordPattern))
  const mayHaveSigns = /[.+#]/.test(foldedText)
  if (!mayHaveSigns) {
    return words
  }

  for (const word of foldedText.match(wordWithSignsPattern) ?? []) {
    words.add(word)
  }

  return words
}

export type ParsedWord = {
  word: string
  /** Whether only a hyphen is between this word and the word before. */
  followsHyphen: boolean
}

/** Returns the words of a folded search in order. */
export function parseWords(foldedText: string): ParsedWord[] {
  const matches = [...foldedText.matchAll(wordPattern)]
  return matches.map((match, index) => {
    const [word] = match
    const previousMatch = matches[index - 1]
    if (previousMatch === undefined) {
      return { word, followsHyphen: false }
    }

    const previousEnd = previousMatch.index + previousMatch[0].length
    return { word, followsHyphen: foldedText.slice(previousEnd, match.index) === '-' }
  })
}
