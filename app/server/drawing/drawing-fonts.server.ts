import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Font } from 'fontkit'
import { env } from '../env.server'

const resolve = createRequire(import.meta.url).resolve

type Weight = 400 | 600

/**
 * Names of the packages and of the fonts in them: the product's own face, then others for the
 * scripts that it lacks.
 */
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
      if (texts.every((text) => loaded.some((font) => runsOf(text, [font])))) {
        break
      }
    }

    return new DrawingFonts(loaded)
  }

  /**
   * Uses one font if it has every character, so that a text looks of a piece; otherwise, and for a
   * text of two directions, the first that has each one. Letters, signs and marks that no font has
   * are left out.
   *
   * @returns null if no letter or digit is left.
   */
  runs(text: string): TextRun[] | null {
    for (const font of this.#fonts) {
      const runs = runsOf(text, [font])
      if (runs?.length === 1) {
        return runs
      }
    }

    const drawable = Array.from(graphemes.segment(text.normalize('NFC')), ({ segment }) =>
      this.#drawablePart(segment),
    )
    const known = drawable.join('').replace(/\s+/g, ' ').trim()

    return /[\p{L}\p{N}]/u.test(known) ? runsOf(known, this.#fonts) : null
  }

  /**
   * @returns the part of a grapheme that the fonts have: a letter perhaps without a mark, '' for
   * none.
   */
  #drawablePart(grapheme: string): string {
    const has = (part: string) => part !== '' && runsOf(part, this.#fonts) !== null
    // Full-width letters and the like become plain ones.
    const known = [grapheme, grapheme.normalize('NFKC')].find(has)
    if (known !== undefined) {
      return known
    }

    const [base = '', ...marks] = grapheme.normalize('NFKC')

    return /\p{L}/u.test(base) && has(base) ? [base, ...marks.filter(has)].join('') : ''
  }
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const files = new Map<string, Promise<Buffer>>()

/**
 * A font of its own for each drawing, from a file that is read once. A font remembers for each
 * glyph the characters that it was first drawn for, which a PDF's text is copied as: of a shared
 * one, 'i' would be copied as the 'ị' of an earlier name.
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
    if (!font) {
      return null
    }

    runs.push({ text: takeSpaceFromEnd(current) + character, font })
  }

  return runs
}

const isRightToLeft = (text: string) => /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text)

/**
 * Whether a letter has another direction, or other rules of joining, than those before it, which
 * fontkit would set by theirs.
 */
function turns(text: string, character: string): boolean {
  const isLetter = (of: string) => /\p{L}/u.test(of)
  const isIndic = (of: string) => /\p{Script=Devanagari}/u.test(of)
  if (!isLetter(text) || !isLetter(character)) {
    return false
  }

  return [isRightToLeft, isIndic].some((is) => is(text) !== is(character))
}

/**
 * A space at the end of a run that is written to the left would go astray: it begins the next one.
 */
function takeSpaceFromEnd(run: TextRun | undefined): string {
  if (!run?.text.endsWith(' ') || !isRightToLeft(run.text)) {
    return ''
  }

  run.text = run.text.slice(0, -1)
  return ' '
}

/** Width of runs at one unit of font size. */
export function widthOf(runs: readonly TextRun[]): number {
  return runs.reduce(
    (sum, { font, text }) => sum + font.layout(text).advanceWidth / font.unitsPerEm,
    0,
  )
}

/**
 * Whether a text that is drawn by this font is copied from a PDF as it is. A PDF has one text for
 * each shape, and space where shapes are moved, so letters that are joined, taken apart or put in
 * another order, and marks, may be copied as something else.
 */
export function copiesAsWritten({ font, text }: TextRun): boolean {
  const { glyphs, positions, direction } = font.layout(text)
  const inOrder = direction === 'rtl' ? glyphs.toReversed() : glyphs
  const written = inOrder.map(({ codePoints }) =>
    codePoints.length === 1 ? String.fromCodePoint(...codePoints) : '?',
  )
  const isMoved = positions.some(({ xOffset, yOffset }) => xOffset !== 0 || yOffset !== 0)

  return !isMoved && written.join('') === text.normalize('NFC')
}

/**
 * The same font without its rules for joining letters: one glyph for each character, in the
 * direction of the text.
 */
export function unshaped(font: Font): Font {
  const layout = (text: string) => {
    const run = font.layout(text)
    const glyphs = Array.from(text, (character) => {
      const code = character.codePointAt(0) ?? 0
      const { id, advanceWidth } = font.glyphForCodePoint(code)
      return { id, advanceWidth, codePoints: [code] }
    })

    if (run.direction === 'rtl') {
      glyphs.reverse()
    }

    const positions = glyphs.map(({ advanceWidth }) => ({
      xAdvance: advanceWidth,
      xOffset: 0,
      yOffset: 0,
    }))

    return {
      glyphs,
      positions,
      advanceWidth: glyphs.reduce((sum, glyph) => sum + glyph.advanceWidth, 0),
    }
  }

  return Object.create(font, {
    layout: { value: layout },
    postscriptName: { value: `${font.postscriptName}-Text` },
  })
}
