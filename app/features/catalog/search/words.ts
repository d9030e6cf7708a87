/**
 * Letters that don't decompose into a base letter and a mark, with their usual spelling in plain
 * letters.
 */
const plainForms: Record<string, string> = {
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
/** Each other character, and the text between them. */
const foldedAtOnce = /[\0-\x7f]+|[^\0-\x7f]/gu
/**
 * Accents of the Latin, Greek and Cyrillic alphabets, and the optional marks of Hebrew and Arabic:
 * vowels, cantillation and the line that makes a word longer. Marks of other scripts make another
 * letter.
 */
const accents =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u0655\u0670]/g
/**
 * Invisible characters that are copied along: soft hyphens, joiners, directions, the form of an
 * emoji.
 */
const unseen = /\p{Default_Ignorable_Code_Point}/gu

/**
 * One character, or ASCII, without case and accents; the parts of a text are folded each by itself.
 */
function foldCharacter(character: string): string {
  if (ascii.test(character)) {
    return character.toLowerCase()
  }

  const plain = character
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(accents, '')
    .replaceAll(unseen, '')

  // A sign that stands for a space with an accent is a sign.
  if (plain !== '' && plain.trim() === '' && character.trim() !== '') {
    return character
  }

  return [...plain].map((letter) => plainForms[letter] ?? letter).join('')
}

/** A text as it is compared: without case, accents, and forms of quotes and dashes. */
export function fold(text: string): string {
  return ascii.test(text) ? text.toLowerCase() : text.replaceAll(foldedAtOnce, foldCharacter)
}

/**
 * Scripts that write no space between words, as a class that JavaScript and PostgreSQL read alike.
 */
export const unspacedScripts = '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]'
const unspaced = new RegExp(unspacedScripts)

export function isUnspaced(text: string): boolean {
  return unspaced.test(text)
}

const letters = String.raw`[\p{L}\p{N}\p{M}]`
const atom = new RegExp(`${letters}+`, 'gu')
/** Words with signs: C++, C#, F#, .NET. */
const signWord = String.raw`(?<!${letters})(?:\.${letters}+|${letters}{1,3}(?:\+\+|#))(?!${letters}|[+#])`
const signed = new RegExp(signWord, 'gu')
const word = new RegExp(`${signWord}|${letters}+`, 'gu')

/** Every word that a folded text has, words with signs also without them. */
export function listWords(folded: string): Set<string> {
  const words = new Set(folded.match(atom))
  if (/[.+#]/.test(folded)) {
    for (const found of folded.match(signed) ?? []) {
      words.add(found)
    }
  }

  return words
}

/** The words of a search in order, and which of them a hyphen binds to the word before. */
export function parseWords(folded: string): { word: string; bound: boolean }[] {
  const found = [...folded.matchAll(word)]
  return found.map((match, index) => {
    const before = found[index - 1]
    const between = before ? folded.slice(before.index + before[0].length, match.index) : ''
    return { word: match[0], bound: between === '-' }
  })
}

/**
 * A folded text, and where each of its code units comes from. `origins` has one more entry, the end
 * of the text.
 */
export function foldWithOrigins(text: string): { folded: string; origins: number[] } {
  const origins: number[] = []
  let folded = ''
  let at = 0
  for (const character of text) {
    const part = foldCharacter(character)
    for (let unit = 0; unit < part.length; unit++) {
      origins.push(at)
    }

    folded += part
    at += character.length
  }

  origins.push(at)

  return { folded, origins }
}
