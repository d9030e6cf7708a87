/** Where the letters of a style begin among the mathematical letters of Unicode: A, a, Α, α and 0. */
type Letters = { upper: number; lower: number; upperGreek?: number; lowerGreek?: number; digit?: number }

const letters: Record<string, Letters> = {
  bold: { upper: 0x1d400, lower: 0x1d41a, upperGreek: 0x1d6a8, lowerGreek: 0x1d6c2, digit: 0x1d7ce },
  italic: { upper: 0x1d434, lower: 0x1d44e, upperGreek: 0x1d6e2, lowerGreek: 0x1d6fc },
  'bold-italic': { upper: 0x1d468, lower: 0x1d482, upperGreek: 0x1d71c, lowerGreek: 0x1d736 },
  script: { upper: 0x1d49c, lower: 0x1d4b6 },
  fraktur: { upper: 0x1d504, lower: 0x1d51e },
  'double-struck': { upper: 0x1d538, lower: 0x1d552, digit: 0x1d7d8 },
  'sans-serif': { upper: 0x1d5a0, lower: 0x1d5ba, digit: 0x1d7e2 },
  monospace: { upper: 0x1d670, lower: 0x1d68a, digit: 0x1d7f6 },
}

/** Letters that Unicode had before it got the rest of their alphabet. */
const elsewhere: Record<string, string> = {
  'italic h': 'ℎ',
  ...namedLetters('script', 'B ℬ E ℰ F ℱ H ℋ I ℐ L ℒ M ℳ R ℛ e ℯ g ℊ o ℴ'),
  ...namedLetters('fraktur', 'C ℭ H ℌ I ℑ R ℜ Z ℨ'),
  ...namedLetters('double-struck', 'C ℂ H ℍ N ℕ P ℙ Q ℚ R ℝ Z ℤ'),
}

function namedLetters(style: string, pairs: string): Record<string, string> {
  const names = pairs.split(' ')
  return Object.fromEntries(
    names.flatMap((name, at) => (at % 2 === 0 ? [[`${style} ${name}`, names[at + 1] ?? '']] : [])),
  )
}

/**
 * KaTeX's MathML as browsers draw it (MathML Core): without the wrapper, the TeX source and anything styled inline, and
 * with letters of their own in place of `mathvariant`, which browsers no longer read.
 */
export function coreMathMl(html: string): string {
  return html
    .replace(/^<span class="katex">(.*)<\/span>$/s, '$1')
    .replace(' xmlns="http://www.w3.org/1998/Math/MathML"', '')
    .replace(/<semantics>(.*)<annotation [^>]*>.*?<\/annotation><\/semantics>/s, '$1')
    .replaceAll(/(<[a-z]+(?: [a-z]+="[^"]*")*?) style="[^"]*"/g, '$1')
    .replaceAll(
      /<(mi|mn|mo|mtext)((?: [a-z]+="[^"]*")*?) mathvariant="([a-z-]+)"([^>]*)>([^<]*)</g,
      (whole, tag, before, style, after, text) =>
        style === 'normal' ? whole : `<${tag}${before}${after}${singleLetter(tag, text)}>${inStyle(text, style)}<`,
    )
}

/** Of a single letter browsers make an italic one, unless it is told to be none. */
function singleLetter(tag: string, text: string): string {
  return tag === 'mi' && [...text].length === 1 ? ' mathvariant="normal"' : ''
}

function inStyle(text: string, style: string): string {
  // References (`&amp;`) stay whole.
  if (text.includes('&')) return text
  return [...text].map((letter) => elsewhere[`${style} ${letter}`] ?? letterOf(letter, letters[style])).join('')
}

function letterOf(letter: string, styled: Letters | undefined): string {
  const ranges: [string, string, number | undefined][] = [
    ['A', 'Z', styled?.upper],
    ['a', 'z', styled?.lower],
    ['Α', 'Ω', styled?.upperGreek],
    ['α', 'ω', styled?.lowerGreek],
    ['0', '9', styled?.digit],
  ]
  for (const [first, last, start] of ranges)
    if (start !== undefined && letter >= first && letter <= last)
      return String.fromCodePoint(start + letter.charCodeAt(0) - first.charCodeAt(0))
  return letter
}
