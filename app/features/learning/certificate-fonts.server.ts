import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Font } from 'fontkit'

const resolve = createRequire(import.meta.url).resolve

/** The product's own face, and a family for the scripts that it lacks. One family draws a text, so that it looks of a piece. */
const families = (weight: 400 | 600) => [
  ['latin', 'latin-ext'].map((script) => `@fontsource/figtree/files/figtree-${script}-${weight}-normal.woff`),
  ['latin', 'latin-ext', 'vietnamese', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'devanagari'].map(
    (script) => `@fontsource/noto-sans/files/noto-sans-${script}-${weight}-normal.woff`,
  ),
]

/** Text in pieces that one font draws. */
export type TextRun = { text: string; font: Font }

export class CertificateFonts {
  readonly #families: readonly Font[][]

  private constructor(families: readonly Font[][]) {
    this.#families = families
  }

  /** The second family is only read when one of the texts needs it. */
  static async load(weight: 400 | 600, texts: readonly string[]): Promise<CertificateFonts> {
    const own = await getFamily(weight, 0)
    if (texts.every((text) => runsOf(text, own))) return new CertificateFonts([own])
    return new CertificateFonts([own, await getFamily(weight, 1)])
  }

  /** @returns null if no family has every character. */
  runs(text: string): TextRun[] | null {
    for (const family of this.#families) {
      const runs = runsOf(text, family)
      if (runs) return runs
    }
    return null
  }
}

const read = new Map<string, Promise<Font[]>>()

/** Read once. */
function getFamily(weight: 400 | 600, index: number): Promise<Font[]> {
  const key = `${weight} ${index}`
  const fonts = read.get(key) ?? readFonts(families(weight)[index] ?? [])
  read.set(key, fonts)
  return fonts
}

async function readFonts(paths: readonly string[]): Promise<Font[]> {
  const { create } = await import('fontkit')
  return Promise.all(paths.map(async (file) => create(await readFile(resolve(file)))))
}

function runsOf(text: string, fonts: readonly Font[]): TextRun[] | null {
  const runs: TextRun[] = []
  for (const character of text.normalize('NFC')) {
    const code = character.codePointAt(0) ?? 0
    const font = fonts.find((candidate) => candidate.hasGlyphForCodePoint(code))
    if (!font) return null
    const current = runs.at(-1)
    if (current?.font === font) current.text += character
    else runs.push({ text: character, font })
  }
  return runs
}

/** Width of runs at one unit of font size. */
export function widthOf(runs: readonly TextRun[]): number {
  return runs.reduce((sum, { font, text }) => sum + font.layout(text).advanceWidth / font.unitsPerEm, 0)
}
