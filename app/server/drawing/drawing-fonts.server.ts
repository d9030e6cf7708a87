import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Font } from 'fontkit'
import { env } from '../env.server'

const resolve = createRequire(import.meta.url).resolve

type Weight = 400 | 600

/** Names of the packages and of the fonts in them: the product's own face, then others for the scripts that it lacks. */
const faces = {
  figtree: 'Figtree',
  'noto-sans': 'NotoSans',
  'noto-sans-arabic': 'NotoSansArabic',
  'noto-sans-hebrew': 'NotoSansHebrew',
  'noto-sans-thai': 'NotoSansThai',
}

/** TrueType files, which fontkit draws without unpacking them; the operator's come last. */
function listFontFiles(weight: Weight): string[] {
  const cut = weight === 400 ? '400Regular' : '600SemiBold'
  const files = Object.entries(faces).map(([name, face]) =>
    resolve(`@expo-google-fonts/${name}/${cut}/${face}_${cut}.ttf`),
  )
  return [...files, ...env.CERTIFICATE_FONTS]
}

/** Text in pieces that one font draws. */
export type TextRun = { text: string; font: Font }

export class DrawingFonts {
  readonly #fonts: readonly Font[]

  private constructor(fonts: readonly Font[]) {
    this.#fonts = fonts
  }

  /** Reads only as many fonts as the texts need. */
  static async load(weight: Weight, texts: readonly string[]): Promise<DrawingFonts> {
    const loaded: Font[] = []
    for (const file of listFontFiles(weight)) {
      loaded.push(await getFont(file))
      if (texts.every((text) => loaded.some((font) => runsOf(text, [font])))) break
    }
    return new DrawingFonts(loaded)
  }

  /**
   * Uses one font if it has every character, so that a text looks of a piece; otherwise, and for a text of two directions,
   * the first that has each one. Symbols that no font has, such as an emoji after a name, are left out.
   *
   * @returns null if a letter would be missing: a name in parts is another name.
   */
  runs(text: string): TextRun[] | null {
    for (const font of this.#fonts) {
      const runs = runsOf(text, [font])
      if (runs?.length === 1) return runs
    }
    const characters = [...text.normalize('NFKC')]
    const known = characters.filter((character) => runsOf(character, this.#fonts))
    const letters = (of: readonly string[]) => of.filter((character) => /[\p{L}\p{M}\p{N}]/u.test(character)).length
    if (letters(known) < letters(characters) || letters(known) === 0) return null
    return runsOf(known.join('').replace(/\s+/g, ' ').trim(), this.#fonts)
  }
}

const read = new Map<string, Promise<Font>>()

/** Reads each file once. */
function getFont(file: string): Promise<Font> {
  const font = read.get(file) ?? readFont(file)
  read.set(file, font)
  return font
}

/** Of a collection (.ttc) the first font. */
async function readFont(file: string): Promise<Font> {
  const { create } = await import('fontkit')
  const font = create(await readFile(file))
  return 'fonts' in font ? ((font as { fonts: Font[] }).fonts[0] as Font) : font
}

function runsOf(text: string, fonts: readonly Font[]): TextRun[] | null {
  const runs: TextRun[] = []
  for (const character of text.normalize('NFC')) {
    const code = character.codePointAt(0) ?? 0
    const current = runs.at(-1)
    if (current?.font.hasGlyphForCodePoint(code) && !turns(current.text, character)) {
      current.text += character
      continue
    }
    const font = fonts.find((candidate) => candidate.hasGlyphForCodePoint(code))
    if (!font) return null
    runs.push({ text: takeSpaceFromEnd(current) + character, font })
  }
  return runs
}

/** Whether a letter is written in the other direction than those before it, which fontkit would set in theirs. */
function turns(text: string, character: string): boolean {
  const isLetter = (of: string) => /\p{L}/u.test(of)
  const isRightToLeft = (of: string) => /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(of)
  return isLetter(text) && isLetter(character) && isRightToLeft(text) !== isRightToLeft(character)
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
