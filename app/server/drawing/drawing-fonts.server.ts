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
      loaded.push(await openFont(file))
      if (texts.every((text) => loaded.some((font) => runsOf(text, [font])))) break
    }
    return new DrawingFonts(loaded)
  }

  /**
   * Uses one font if it has every character, so that a text looks of a piece; otherwise, and for a text of two directions,
   * the first that has each one. Emoji, signs and marks that no font has are left out.
   *
   * @returns null if a letter would be missing: a name in parts is another name.
   */
  runs(text: string): TextRun[] | null {
    for (const font of this.#fonts) {
      const runs = runsOf(text, [font])
      if (runs?.length === 1) return runs
    }
    const drawable: string[] = []
    for (const { segment } of graphemes.segment(text.normalize('NFC'))) {
      const part = this.#drawablePart(segment)
      if (part === null) return null
      drawable.push(part)
    }
    const known = drawable.join('').replace(/\s+/g, ' ').trim()
    return /[\p{L}\p{N}]/u.test(known) ? runsOf(known, this.#fonts) : null
  }

  /** @returns the part of a grapheme that the fonts have, '' for a missing emoji or sign, null for a missing letter. */
  #drawablePart(grapheme: string): string | null {
    const has = (part: string) => part !== '' && runsOf(part, this.#fonts) !== null
    // Full-width letters and the like become plain ones.
    const known = [grapheme, grapheme.normalize('NFKC')].find(has)
    if (known !== undefined) return known
    const [base = '', ...marks] = grapheme.normalize('NFKC')
    if (/\p{L}/u.test(base)) return has(base) ? [base, ...marks.filter(has)].join('') : null
    return ''
  }
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const files = new Map<string, Promise<Buffer>>()

/**
 * A font of its own for each drawing, from a file that is read once. A font remembers for each glyph the characters that it
 * was first drawn for, which a PDF's text is copied as: of a shared one, 'i' would be copied as the 'ị' of an earlier name.
 *
 * @returns the first font of a collection (.ttc).
 */
async function openFont(file: string): Promise<Font> {
  const bytes = files.get(file) ?? readFile(file)
  files.set(file, bytes)
  const { create } = await import('fontkit')
  const font = create(await bytes)
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

/** Letters with marks stay one glyph: taken apart (ccmp), their marks would be copied from a PDF as control characters. */
export const wholeLetters = { ccmp: false }

/** Width of runs at one unit of font size. */
export function widthOf(runs: readonly TextRun[]): number {
  return runs.reduce((sum, { font, text }) => sum + font.layout(text, wholeLetters).advanceWidth / font.unitsPerEm, 0)
}
