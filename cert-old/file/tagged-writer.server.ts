import type { Font } from 'fontkit'
import {
  copiesAsWritten,
  type DrawingFonts,
  type TextRun,
  unshaped,
  widthOf,
} from '~/server/drawing/drawing-fonts.server'
import { qrPath } from '~/server/drawing/qr-path.server'
import { qrLabel } from '../certificate-messages'

/**
 * From a text's top to its baseline, of the font size; the product's own face has it, and others
 * stand on the same line.
 */
const ascent = 0.95

const qrColor = '#14162a'

type Fonts = { regular: DrawingFonts; bold: DrawingFonts }
/** In points, from the page's upper left. */
type Place = { x: number; y: number; size: number; color: string }

/** Writes text into a PDF so that each piece is one tagged element. */
export class TaggedWriter {
  readonly #document: PDFKit.PDFDocument
  readonly #fonts: Fonts
  readonly #names = new Map<Font, string>()
  readonly #unshaped = new Map<Font, Font>()
  readonly #root: PDFKit.PDFStructureElement

  /** @param room the width that a line may have, in points. */
  constructor(
    document: PDFKit.PDFDocument,
    fonts: Fonts,
    private room: number,
  ) {
    this.#document = document
    this.#fonts = fonts
    this.#root = document.struct('Document')
    document.addStructure(this.#root)
  }

  write(
    tag: 'P' | 'H1',
    text: string,
    place: Place,
    weight: 'regular' | 'bold' = 'bold',
    link?: string,
  ): void {
    const runs =
      this.#fonts[weight].runs(text) ??
      this.#fonts[weight].runs(text.replace(/[^\x20-\x7e]/g, '?')) ??
      []
    this.#add(tag, text, () => this.#draw(runs, place, link))
  }

  /** A label at the left and its value up to `right`, as one piece. */
  pair(
    label: string,
    value: string,
    place: Place,
    right: number,
    weight: 'regular' | 'bold',
  ): void {
    const [left, other] = [label, value].map((text) => this.#fonts[weight].runs(text) ?? [])
    this.#add('P', `${label} ${value}`.trim(), () => {
      this.#draw(left ?? [], place)
      this.#draw(other ?? [], { ...place, x: right - widthOf(other ?? []) * place.size })
    })
  }

  /**
   * As large as fits into the width, on one line or two. `instead` stands for text in a script
   * without a font.
   */
  fit(tag: 'P', text: string, instead: string, place: Place): void {
    const runs = this.#fonts.bold.runs(text)
    const whole = runs ?? this.#fonts.bold.runs(instead) ?? []
    const oneLine = Math.min(place.size, this.room / widthOf(whole))
    if (oneLine >= place.size * 0.55) {
      this.#add(tag, textOf(whole), () => this.#draw(whole, { ...place, size: oneLine }))
      return
    }

    const lines = halves(runs ? text : instead).map((half) => this.#fonts.bold.runs(half) ?? [])
    const size = Math.min(place.size * 0.55, ...lines.map((half) => this.room / widthOf(half)))
    this.#add(tag, textOf(whole), () => {
      for (const [index, half] of lines.entries()) {
        this.#draw(half, { ...place, y: place.y + index * size * 1.2, size })
      }
    })
  }

  /** The QR code, a figure for screen readers. */
  code(address: string, { x, y, size }: { x: number; y: number; size: number }): void {
    const code = qrPath(address)
    const document = this.#document
    const alt = qrLabel(address)
    // The types do not know the box yet.
    const about = { alt, bbox: [x, y, x + size, y + size] }
    const figure = document.struct('Figure', about, () => {
      document
        .save()
        .rect(x - 8, y - 8, size + 16, size + 16)
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

  /** The files of one family share a name inside, by which the library would mix them up. */
  #nameOf(font: Font): string {
    const known = this.#names.get(font)
    if (known) {
      return known
    }

    const name = `certificate-${this.#names.size}`
    this.#document.registerFont(name, font as unknown as PDFKit.Mixins.PDFFontSource)
    this.#names.set(font, name)

    return name
  }

  /** @param actual the text that screen readers say, whatever its letters look like. */
  #add(tag: 'P' | 'H1', actual: string, draw: () => void): void {
    this.#root.add(this.#document.struct(tag, { actual }, draw))
  }

  #draw(runs: readonly TextRun[], { x, y, size, color }: Place, link?: string): void {
    let left = x
    for (const run of runs) {
      const baseline = y + size * ascent
      this.#document.fillColor(color)
      if (copiesAsWritten(run)) {
        this.#text(run, left, baseline, size, link)
      } else {
        this.#shapes(run, left, baseline, size)
      }

      left += widthOf([run]) * size
    }
  }

  #text({ font, text }: TextRun, x: number, y: number, size: number, link?: string): void {
    this.#document.font(this.#nameOf(font), size)
    this.#document.text(text, x, y, {
      // Any list has the whole text laid out at once; otherwise each word is, from left to right.
      features: [],
      lineBreak: false,
      baseline: 'alphabetic',
      ...(link ? { link } : {}),
    })
  }

  /** Letters as shapes, with their text invisible over them for copying and reading aloud. */
  #shapes(run: TextRun, x: number, y: number, size: number): void {
    const { glyphs, positions } = run.font.layout(run.text)
    const scale = size / run.font.unitsPerEm
    this.#document.save().translate(x, y).scale(scale, -scale)
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

    const font = this.#unshaped.get(run.font) ?? unshaped(run.font)
    this.#unshaped.set(run.font, font)
    const invisible = { font, text: run.text }
    const narrower = widthOf([run]) / widthOf([invisible])
    this.#document.restore().save().fillOpacity(0).translate(x, y).scale(narrower, 1)
    this.#text(invisible, 0, 0, size)
    this.#document.restore()
  }
}

function textOf(runs: readonly TextRun[]): string {
  return runs.map(({ text }) => text).join('')
}

/** Cut at the space nearest to the middle; a single long word in the middle itself. */
function halves(text: string): string[] {
  const middle = text.length / 2
  const spaces = [...text.matchAll(/ /g)].map(({ index }) => index)
  const nearest =
    spaces.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0] ?? Math.floor(middle)

  return [text.slice(0, nearest).trim(), text.slice(nearest).trim()]
}
