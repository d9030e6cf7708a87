import type { Font } from 'fontkit'
import {
  type DrawingFonts,
  isCopiedAsWritten,
  measureWidth,
  type TextRun,
  withoutShaping,
} from '~/server/drawing/drawing-fonts.server'
import { createQrPath } from '~/server/drawing/qr-path.server'
import { qrLabel } from '../certificate-messages'

/**
 * The distance from the top of a text to its baseline, as a part of the font size. It is that of
 * the product's own font, and all fonts use it, so that they share one baseline.
 */
const ascent = 0.95

const qrColor = '#14162a'

/** The smallest part of the intended size at which a text still stays on one line. */
const minScaleOnOneLine = 0.55

type Weight = 'regular' | 'bold'
type Fonts = Record<Weight, DrawingFonts>
/**
 * Where and how a text is written. Lengths are in points, from the upper left corner of the page.
 */
type TextPlacement = { x: number; y: number; size: number; color: string }
type LineOptions = TextPlacement & { weight?: Weight; linkUrl?: string }
type PairOptions = TextPlacement & {
  /** Where the value ends. */
  right: number
  weight: Weight
}

/** Writes text into a PDF so that screen readers find each piece of text as one tagged element. */
export class TaggedWriter {
  readonly #document: PDFKit.PDFDocument
  readonly #fonts: Fonts
  readonly #maxWidth: number
  readonly #fontNames = new Map<Font, string>()
  readonly #unshapedFonts = new Map<Font, Font>()
  readonly #root: PDFKit.PDFStructureElement

  /** @param maxWidth the width that a line may have, in points */
  constructor(document: PDFKit.PDFDocument, fonts: Fonts, maxWidth: number) {
    this.#document = document
    this.#fonts = fonts
    this.#maxWidth = maxWidth
    this.#root = document.struct('Document')
    document.addStructure(this.#root)
  }

  /** Writes one line. If no font has the script of the text, question marks replace its letters. */
  write(
    tag: 'P' | 'H1',
    text: string,
    { weight = 'bold', linkUrl, ...placement }: LineOptions,
  ): void {
    const fonts = this.#fonts[weight]
    const runs =
      fonts.splitIntoRuns(text) ?? fonts.splitIntoRuns(text.replace(/[^\x20-\x7e]/g, '?')) ?? []

    this.#addElement(tag, text, () => this.#drawRuns(runs, placement, linkUrl))
  }

  /**
   * Writes a label and, at the end of the line, its value. Screen readers find them as one element.
   */
  writePair(label: string, value: string, { right, weight, ...placement }: PairOptions): void {
    const labelRuns = this.#fonts[weight].splitIntoRuns(label) ?? []
    const valueRuns = this.#fonts[weight].splitIntoRuns(value) ?? []
    const valueX = right - measureWidth(valueRuns) * placement.size

    this.#addElement('P', `${label} ${value}`.trim(), () => {
      this.#drawRuns(labelRuns, placement)
      this.#drawRuns(valueRuns, { ...placement, x: valueX })
    })
  }

  /**
   * Writes a text as large as the width allows, on one line or two.
   *
   * @param substitute is written if no font has the script of the text
   */
  writeFitted(text: string, substitute: string, placement: TextPlacement): void {
    const bold = this.#fonts.bold
    const isPrintable = bold.splitIntoRuns(text) !== null
    const printedText = isPrintable ? text : substitute
    const runs = bold.splitIntoRuns(printedText) ?? []
    const actualText = joinText(runs)

    const minSizeOnOneLine = placement.size * minScaleOnOneLine
    const sizeOnOneLine = Math.min(placement.size, this.#maxWidth / measureWidth(runs))
    if (sizeOnOneLine >= minSizeOnOneLine) {
      this.#addElement('P', actualText, () => {
        this.#drawRuns(runs, { ...placement, size: sizeOnOneLine })
      })
      return
    }

    const lines = splitIntoHalves(printedText).map((line) => bold.splitIntoRuns(line) ?? [])
    const widestSizes = lines.map((line) => this.#maxWidth / measureWidth(line))
    const size = Math.min(minSizeOnOneLine, ...widestSizes)
    this.#addElement('P', actualText, () => {
      for (const [index, line] of lines.entries()) {
        this.#drawRuns(line, { ...placement, y: placement.y + index * size * 1.2, size })
      }
    })
  }

  /** Draws a URL as a QR code, which is a figure for screen readers. */
  drawQrCode(url: string, { x, y, size }: { x: number; y: number; size: number }): void {
    const code = createQrPath(url)
    const document = this.#document
    const quietZone = 8

    // A variable, because the types of PDFKit do not know `bbox`.
    const options = { alt: qrLabel(url), bbox: [x, y, x + size, y + size] }
    const figure = document.struct('Figure', options, () => {
      document
        .save()
        .rect(x - quietZone, y - quietZone, size + 2 * quietZone, size + 2 * quietZone)
        .fill('#ffffff')
      document
        .translate(x, y)
        .scale(size / code.size)
        .path(code.path)
        .fill(qrColor)
        .restore()
    })

    this.#root.add(figure)
  }

  /** @param actualText what screen readers say, however the text is drawn */
  #addElement(tag: 'P' | 'H1', actualText: string, draw: () => void): void {
    this.#root.add(this.#document.struct(tag, { actual: actualText }, draw))
  }

  #drawRuns(
    runs: readonly TextRun[],
    { x, y, size, color }: TextPlacement,
    linkUrl?: string,
  ): void {
    const baseline = y + size * ascent
    let runX = x

    for (const run of runs) {
      this.#document.fillColor(color)
      if (isCopiedAsWritten(run)) {
        this.#drawAsText(run, { x: runX, baseline, size }, linkUrl)
      } else {
        this.#drawAsShapes(run, { x: runX, baseline, size })
      }

      runX += measureWidth([run]) * size
    }
  }

  #drawAsText({ font, text }: TextRun, position: RunPosition, linkUrl?: string): void {
    this.#document.font(this.#registerFont(font), position.size)
    this.#document.text(text, position.x, position.baseline, {
      // With any list of features, even an empty one, the library lays out the whole text at once.
      // Without a list, it lays out each word separately from left to right.
      features: [],
      lineBreak: false,
      baseline: 'alphabetic',
      ...(linkUrl ? { link: linkUrl } : {}),
    })
  }

  /** Draws the letters as shapes, with invisible text over them for copying and reading aloud. */
  #drawAsShapes(run: TextRun, { x, baseline, size }: RunPosition): void {
    const { glyphs, positions } = run.font.layout(run.text)
    const scale = size / run.font.unitsPerEm
    this.#document.save().translate(x, baseline).scale(scale, -scale)

    for (const [index, glyph] of glyphs.entries()) {
      const position = positions[index]
      if (!position) {
        continue
      }

      this.#document
        .save()
        .translate(position.xOffset, position.yOffset)
        .path(glyph.path.toSVG())
        .fill()
        .restore()

      this.#document.translate(position.xAdvance, 0)
    }

    const invisibleRun = { font: this.#getUnshapedFont(run.font), text: run.text }
    const widthScale = measureWidth([run]) / measureWidth([invisibleRun])
    this.#document.restore().save().fillOpacity(0).translate(x, baseline).scale(widthScale, 1)
    this.#drawAsText(invisibleRun, { x: 0, baseline: 0, size })
    this.#document.restore()
  }

  #getUnshapedFont(font: Font): Font {
    const unshapedFont = this.#unshapedFonts.get(font) ?? withoutShaping(font)
    this.#unshapedFonts.set(font, unshapedFont)

    return unshapedFont
  }

  /**
   * Registers a font under a name of its own. The font files of one family contain the same name,
   * by which the library would confuse them.
   */
  #registerFont(font: Font): string {
    const existingName = this.#fontNames.get(font)
    if (existingName) {
      return existingName
    }

    const name = `certificate-${this.#fontNames.size}`
    this.#document.registerFont(name, font as unknown as PDFKit.Mixins.PDFFontSource)
    this.#fontNames.set(font, name)

    return name
  }
}

type RunPosition = { x: number; baseline: number; size: number }

function joinText(runs: readonly TextRun[]): string {
  return runs.map(({ text }) => text).join('')
}

/** Splits a text at the space nearest to its middle, or in the middle if it has no space. */
function splitIntoHalves(text: string): string[] {
  const middle = text.length / 2
  const spaces = [...text.matchAll(/ /g)].map(({ index }) => index)
  const [nearestSpace] = spaces.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
  const splitIndex = nearestSpace ?? Math.floor(middle)

  return [text.slice(0, splitIndex).trim(), text.slice(splitIndex).trim()]
}
