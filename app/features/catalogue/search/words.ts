/** Letters that are no letter with a mark on it, as people type them without a keyboard for them. */
const plainLetters: Record<string, string> = {
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
}
const ascii = /^[\0-\x7f]*$/
/** Accents of the Latin, Greek and Cyrillic alphabets; marks of other scripts make another letter. */
const accents = /[\u0300-\u036f]/g

/** One character without case and accents; the parts of a text are folded each by itself. */
function foldCharacter(character: string): string {
  const plain = character.normalize('NFKD').toLowerCase().replaceAll(accents, '')
  // A sign that stands for a space with an accent is a sign.
  if (plain !== '' && plain.trim() === '' && character.trim() !== '') return character
  return [...plain].map((letter) => plainLetters[letter] ?? letter).join('')
}

/** A text as it is compared: without case and accents. */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return [...text].map(foldCharacter).join('')
}

const letters = String.raw`[\p{L}\p{N}\p{M}]`
const atom = new RegExp(`${letters}+`, 'gu')
/** Words with signs: C++, C#, F#, .NET. */
const signWord = String.raw`(?<!${letters})(?:\.${letters}+|${letters}{1,3}(?:\+\+|#))(?!${letters}|[+#])`
const signed = new RegExp(signWord, 'gu')
const word = new RegExp(`${signWord}|${letters}+`, 'gu')
const blank = /\s/u

/** Every word that a folded text has, words with signs also without them. */
export function listWords(folded: string): Set<string> {
  const words = new Set(folded.match(atom))
  if (/[.+#]/.test(folded)) for (const found of folded.match(signed) ?? []) words.add(found)
  return words
}

/** Characters of a folded text that belong to no word and are no space. */
export function listSigns(folded: string): Set<string> {
  const signs = new Set<string>()
  for (const run of folded.split(atom)) for (const sign of run) if (!blank.test(sign)) signs.add(sign)
  return signs
}

/** The words of a search in order, and which of them a hyphen binds to the word before. */
export function readWords(folded: string): { word: string; bound: boolean }[] {
  const found = [...folded.matchAll(word)]
  return found.map((match, index) => {
    const before = found[index - 1]
    const between = before ? folded.slice(before.index + before[0].length, match.index) : ''
    return { word: match[0], bound: between === '-' }
  })
}

/** What a piece of text needs of a word for each run of letters in it: runs at its ends may go on beyond it. */
export function readPieces(folded: string): { piece: string; opens: boolean; closes: boolean }[] {
  return [...folded.matchAll(atom)].map(({ 0: piece, index }) => ({
    piece,
    opens: index > 0,
    closes: index + piece.length < folded.length,
  }))
}

/** A folded text, and where each of its code units comes from. `origins` has one more entry, the end of the text. */
export function foldWithOrigins(text: string): { folded: string; origins: number[] } {
  const origins: number[] = []
  let folded = ''
  let at = 0
  for (const character of text) {
    const part = foldCharacter(character)
    for (let unit = 0; unit < part.length; unit++) origins.push(at)
    folded += part
    at += character.length
  }
  origins.push(at)
  return { folded, origins }
}
