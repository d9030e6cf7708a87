/**
 * Chooses fonts for texts in many scripts, such as the names in a certificate, and splits a text
 * into runs that one font each can draw.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Font } from 'fontkit'
import { env } from '../env.server'

const resolvePackageFile = createRequire(import.meta.url).resolve

type Weight = 400 | 600

/**
 * The fonts by the names of their packages. The first one is the product's typeface. The others
 * draw the scripts that it lacks.
 */
const fontNames = {
  figtree: 'Figtree',
  'noto-sans': 'NotoSans',
  'noto-sans-arabic': 'NotoSansArabic',
  'noto-sans-hebrew': 'NotoSansHebrew',
  'noto-sans-thai': 'NotoSansThai',
}

/**
 * Returns TrueType files, which fontkit draws without unpacking them. The operator's files come
 * last.
 */
function listFontFiles(weight: Weight): string[] {
  const style = weight === 400 ? '400Regular' : '600SemiBold'
  const files = Object.entries(fontNames).map(([packageName, fontName]) =>
    resolvePackageFile(`@expo-google-fonts/${packageName}/${style}/${fontName}_${style}.ttf`),
  )
  return [...files, ...env.CERTIFICATE_FONTS]
}

/** A piece of text that one font draws. */
export type TextRun = { text: string; font: Font }

/** The fonts of one drawing, in the order in which they are tried. */
export class DrawingFonts {
  readonly #fonts: readonly Font[]

  private constructor(fonts: readonly Font[]) {
    this.#fonts = fonts
  }

  /** Loads the fonts in their order until, for each text, one of them can draw the whole text. */
  static async load(weight: Weight, texts: readonly string[]): Promise<DrawingFonts> {
    const fonts: Font[] = []
    const canDraw = (text: string) => fonts.some((font) => trySplit(text, [font]) !== null)
    for (const file of listFontFiles(weight)) {
      fonts.push(await openFont(file))
      if (texts.every(canDraw)) {
        break
      }
    }

    return new DrawingFonts(fonts)
  }

  /**
   * Splits a text into runs. If one font has every character, it draws the whole text, so that the
   * text looks uniform. Otherwise, and for a text with two directions, each run goes on for as long
   * as its font can draw it, and the next run gets the first font that has its character.
   * Characters that no font has are left out.
   *
   * @returns null if characters are left out, and no letter or digit remains
   */
  splitIntoRuns(text: string): TextRun[] | null {
    for (const font of this.#fonts) {
      const runs = trySplit(text, [font])
      if (runs?.length === 1) {
        return runs
      }
    }

    const drawableParts = Array.from(
      graphemeSegmenter.segment(text.normalize('NFC')),
      ({ segment: grapheme }) => this.#getDrawablePart(grapheme),
    )
    const drawableText = drawableParts.join('').replace(/\s+/g, ' ').trim()
    const hasContent = /[\p{L}\p{N}]/u.test(drawableText)

    return hasContent ? trySplit(drawableText, this.#fonts) : null
  }

  /**
   * Returns the part of a grapheme that the fonts can draw, for example a letter without its
   * accent, or an empty string.
   */
  #getDrawablePart(grapheme: string): string {
    const canDraw = (part: string) => part !== '' && trySplit(part, this.#fonts) !== null
    // NFKC turns full-width letters and similar variants into plain ones.
    const plainGrapheme = grapheme.normalize('NFKC')
    const drawableGrapheme = [grapheme, plainGrapheme].find(canDraw)
    if (drawableGrapheme !== undefined) {
      return drawableGrapheme
    }

    const [letter = '', ...marks] = plainGrapheme
    if (!/\p{L}/u.test(letter) || !canDraw(letter)) {
      return ''
    }

    return [letter, ...marks.filter(canDraw)].join('')
  }
}

const graphemeSegmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The bytes of the font files that were read, by path. */
const fontBytes = new Map<string, Buffer>()

/**
 * Opens a font for one drawing. The file is read only once, but drawings do not share a font: a
 * font remembers which characters each glyph was first drawn for, and text copied from a PDF is
 * made of these. With a shared font, an 'i' would be copied as the 'ị' of an earlier name.
 *
 * @returns the first font if the file is a collection (.ttc)
 */
async function openFont(file: string): Promise<Font> {
  const bytes = fontBytes.get(file) ?? (await readFile(file))
  fontBytes.set(file, bytes)

  const { create } = await import('fontkit')
  const font = create(bytes)

  return 'fonts' in font ? ((font as { fonts: Font[] }).fonts[0] as Font) : font
}

/** Splits a text into runs. Returns null if there is a character that no font has. */
function trySplit(text: string, fonts: readonly Font[]): TextRun[] | null {
  const runs: TextRun[] = []
  for (const character of text.normalize('NFC')) {
    const codePoint = character.codePointAt(0) ?? 0
    const currentRun = runs.at(-1)
    if (
      currentRun?.font.hasGlyphForCodePoint(codePoint) &&
      !needsNewRun(currentRun.text, character)
    ) {
      currentRun.text += character
      continue
    }

    const font = fonts.find((candidate) => candidate.hasGlyphForCodePoint(codePoint))
    if (!font) {
      return null
    }

    runs.push({ text: takeSpaceFromEnd(currentRun) + character, font })
  }

  return runs
}

/**
 * Returns whether a letter has another direction, or other joining rules, than the letters before
 * it. In one run, fontkit would lay it out by their rules. Noto Sans has both Latin letters and
 * Devanagari, so a change of the font does not separate these two.
 */
function needsNewRun(text: string, character: string): boolean {
  if (!hasLetter(text) || !hasLetter(character)) {
    return false
  }

  return (
    isRightToLeft(text) !== isRightToLeft(character) ||
    isDevanagari(text) !== isDevanagari(character)
  )
}

function hasLetter(text: string): boolean {
  return /\p{L}/u.test(text)
}

function isRightToLeft(text: string): boolean {
  return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text)
}

function isDevanagari(text: string): boolean {
  return /\p{Script=Devanagari}/u.test(text)
}

/**
 * Removes a space from the end of a right-to-left run, where it would be misplaced, so that it can
 * start the next run.
 */
function takeSpaceFromEnd(run: TextRun | undefined): string {
  if (!run?.text.endsWith(' ') || !isRightToLeft(run.text)) {
    return ''
  }

  run.text = run.text.slice(0, -1)
  return ' '
}

/** Returns the width of runs at a font size of 1. */
export function measureWidth(runs: readonly TextRun[]): number {
  return runs.reduce(
    (sum, { font, text }) => sum + font.layout(text).advanceWidth / font.unitsPerEm,
    0,
  )
}

/**
 * Returns whether a text that this font draws can be copied unchanged from a PDF. A PDF has one
 * text per glyph, and a space where glyphs are moved. Letters that are joined, split or reordered,
 * and accents, may therefore be copied as something else.
 */
export function isCopiedAsWritten({ font, text }: TextRun): boolean {
  const { glyphs, positions, direction } = font.layout(text)
  const glyphsInTextOrder = direction === 'rtl' ? glyphs.toReversed() : glyphs
  // A glyph for several characters, or for none, is not copied as one character.
  const copiedCharacters = glyphsInTextOrder.map(({ codePoints }) =>
    codePoints.length === 1 ? String.fromCodePoint(...codePoints) : '?',
  )
  const isMoved = positions.some(({ xOffset, yOffset }) => xOffset !== 0 || yOffset !== 0)

  return !isMoved && copiedCharacters.join('') === text.normalize('NFC')
}

/** Returns the same font without its joining rules: one glyph per character, in text direction. */
export function withoutShaping(font: Font): Font {
  const layout = (text: string) => {
    const { direction } = font.layout(text)
    const glyphs = Array.from(text, (character) => {
      const codePoint = character.codePointAt(0) ?? 0
      const { id, advanceWidth } = font.glyphForCodePoint(codePoint)
      return { id, advanceWidth, codePoints: [codePoint] }
    })

    if (direction === 'rtl') {
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

  // A PDF tells fonts apart by their names, so this one needs another name.
  return Object.create(font, {
    layout: { value: layout },
    postscriptName: { value: `${font.postscriptName}-Text` },
  })
}
