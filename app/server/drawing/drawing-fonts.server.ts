import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Font } from 'fontkit'
import { env } from '../env.server'
import { unpackedWoff } from './unpacked-woff.server'

const resolve = createRequire(import.meta.url).resolve

type Weight = 400 | 600

/**
 * Files of each family: the product's own face, others for the scripts that it lacks, and the operator's. One family draws
 * a text, so that it looks of a piece.
 */
const families = (weight: Weight): readonly string[][] => [
  family('figtree', weight, ['latin', 'latin-ext']),
  family('noto-sans', weight, [
    'latin',
    'latin-ext',
    'vietnamese',
    'cyrillic',
    'cyrillic-ext',
    'greek',
    'greek-ext',
    'devanagari',
  ]),
  ...['arabic', 'hebrew', 'thai'].map((script) => family(`noto-sans-${script}`, weight, [script, 'latin'])),
  ...env.CERTIFICATE_FONTS.map((file) => [file]),
]

function family(name: string, weight: Weight, scripts: readonly string[]): string[] {
  return scripts.map((script) => resolve(`@fontsource/${name}/files/${name}-${script}-${weight}-normal.woff`))
}

/** Text in pieces that one font draws. */
export type TextRun = { text: string; font: Font }

export class DrawingFonts {
  readonly #families: readonly Font[][]

  private constructor(families: readonly Font[][]) {
    this.#families = families
  }

  /** Reads only as many families as the texts need. */
  static async load(weight: Weight, texts: readonly string[]): Promise<DrawingFonts> {
    const loaded: Font[][] = []
    for (const files of families(weight)) {
      loaded.push(await getFamily(files))
      if (texts.every((text) => loaded.some((fonts) => runsOf(text, fonts)))) break
    }
    return new DrawingFonts(loaded)
  }

  /**
   * Uses one family if it has every character; otherwise, whichever has each one. Symbols that no family has, such
   * as an emoji after a name, are left out.
   *
   * @returns null if a letter would be missing: a name in parts is another name.
   */
  runs(text: string): TextRun[] | null {
    for (const family of this.#families) {
      const runs = runsOf(text, family)
      if (runs) return runs
    }
    const all = this.#families.flat()
    const characters = [...text.normalize('NFKC')]
    const known = characters.filter((character) => runsOf(character, all))
    const letters = (of: readonly string[]) => of.filter((character) => /[\p{L}\p{M}\p{N}]/u.test(character)).length
    if (letters(known) < letters(characters) || letters(known) === 0) return null
    return runsOf(known.join('').replace(/\s+/g, ' ').trim(), all)
  }
}

const read = new Map<string, Promise<Font[]>>()

/** Read once. */
function getFamily(files: readonly string[]): Promise<Font[]> {
  const key = files.join('\n')
  const fonts = read.get(key) ?? Promise.all(files.map(readFont))
  read.set(key, fonts)
  return fonts
}

/** Of a collection (.ttc) the first font. */
async function readFont(file: string): Promise<Font> {
  const { create } = await import('fontkit')
  const font = create(unpackedWoff(await readFile(file)))
  return 'fonts' in font ? ((font as { fonts: Font[] }).fonts[0] as Font) : font
}

function runsOf(text: string, fonts: readonly Font[]): TextRun[] | null {
  const runs: TextRun[] = []
  for (const character of text.normalize('NFC')) {
    const code = character.codePointAt(0) ?? 0
    const font = fonts.find((candidate) => candidate.hasGlyphForCodePoint(code))
    if (!font) return null
    const current = runs.at(-1)
    if (current?.font === font) current.text += character
    else runs.push({ text: takeSpaceFromEnd(current) + character, font })
  }
  return runs
}

/** A space between two runs begins the second one: at the end of one that is written to the left it would go astray. */
function takeSpaceFromEnd(run: TextRun | undefined): string {
  if (!run?.text.endsWith(' ')) return ''
  run.text = run.text.slice(0, -1)
  return ' '
}

/** Width of runs at one unit of font size. */
export function widthOf(runs: readonly TextRun[]): number {
  return runs.reduce((sum, { font, text }) => sum + font.layout(text).advanceWidth / font.unitsPerEm, 0)
}
