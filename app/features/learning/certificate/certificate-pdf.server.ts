import type { Font } from 'fontkit'
import { DrawingFonts, type TextRun, widthOf } from '~/server/drawing/drawing-fonts.server'
import { type CertificateText, confirmedAddress } from './certificate-text'
import { qrPath } from './qr-path.server'

const ink = '#14162a'
const muted = '#575a70'
const accent = '#5140e0'
const paper = '#fbfaf7'
const line = '#e5e1d8'
const bad = '#b3243c'
/** A4 across, in points. */
const page = { width: 841.89, height: 595.28, margin: 64 }
const room = page.width - 2 * page.margin
const missingName = "The learner named on this certificate's page"

/** Letters with marks stay one glyph: taken apart (ccmp), their marks would be copied as control characters. */
const keepLetters = { features: { ccmp: false } } as unknown as PDFKit.Mixins.TextOptions

/** From a text's top to its baseline, of the font size; the product's own face has it, and others stand on the same line. */
const ascent = 0.95

type Fonts = { regular: DrawingFonts; bold: DrawingFonts }
type Document = PDFKit.PDFDocument
type Place = { x: number; y: number; size: number; color: string }

/**
 * The certificate as a PDF: one page, tagged for screen readers, with selectable text, embedded fonts that hold only the
 * letters used, and a QR code of the page's address. Equal inputs give equal bytes.
 */
export async function certificatePdf(text: CertificateText, issuedAt: Date): Promise<Buffer> {
  const [{ default: PdfDocument }, regular, bold] = await Promise.all([
    import('pdfkit'),
    DrawingFonts.load(400, [text.course]),
    DrawingFonts.load(600, [text.name, text.course]),
  ])
  const document = new PdfDocument({
    size: [page.width, page.height],
    margin: 0,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    font: undefined,
    info: {
      Title: `Certificate: ${text.course}`,
      Author: 'Learnify',
      Subject: `Certificate of completion for ${text.name}`,
      CreationDate: issuedAt,
      ModDate: issuedAt,
    },
  })
  const bytes = collect(document)
  drawPaper(document)
  drawCertificate(new Writer(document, { regular, bold }), text)
  document.end()
  return bytes
}

function collect(document: Document): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    document.on('data', (part: Buffer) => parts.push(part))
    document.on('end', () => resolve(Buffer.concat(parts)))
    document.on('error', reject)
  })
}

/** Decoration, which a screen reader passes over. */
function drawPaper(document: Document): void {
  document.markContent('Artifact', { type: 'Layout' })
  document.rect(0, 0, page.width, page.height).fill(paper)
  document.rect(0, 0, 14, page.height).fill(accent)
  document
    .roundedRect(34, 22, page.width - 54, page.height - 44, 14)
    .lineWidth(1)
    .stroke(line)
  drawMark(document, page.margin, 56, 1.15)
  document
    .moveTo(page.margin, 452)
    .lineTo(page.width - page.margin, 452)
    .lineWidth(1)
    .stroke(line)
  document.endMarkedContent()
}

/** The mark of `public/favicon.svg`. */
function drawMark(document: Document, x: number, y: number, scale: number): void {
  document.save().translate(x, y).scale(scale)
  document.roundedRect(0, 0, 32, 32, 9).fill(accent)
  document.roundedRect(6, 6, 6, 20, 3).fill('#ffffff')
  document.path('M14 26v-2a10 10 0 0 1 10-10h2v2a10 10 0 0 1-10 10z').fill('#d3ceff')
  document.restore()
}

function drawCertificate(writer: Writer, text: CertificateText): void {
  const left = page.margin
  writer.write('P', 'Learnify', { x: left + 48, y: 60, size: 22, color: ink })
  writer.write('H1', 'Certificate of completion', { x: left, y: 132, size: 15, color: accent })
  writer.write('P', 'This certifies that', { x: left, y: 176, size: 14, color: muted }, 'regular')
  writer.fit('P', text.name, missingName, { x: left, y: 200, size: 44, color: ink })
  writer.write('P', text.sentence, { x: left, y: 276, size: 14, color: muted }, 'regular')
  writer.fit('P', text.course, 'a course', { x: left, y: 300, size: 32, color: ink })
  if (text.state !== 'valid') {
    const sentence = `This certificate is ${text.state} and no longer valid.`
    writer.write('P', sentence, { x: left, y: 392, size: 15, color: bad })
  }
  const facts = [
    ['Issued on', text.issuedOn, left],
    ['Lessons completed', text.lessons, left + 132],
    ['Final exam', text.exam, left + 280],
    ['Certificate number', text.number, left + 410],
  ] as const
  for (const [label, value, x] of facts) {
    if (value === null) continue
    writer.write('P', label, { x, y: 472, size: 11, color: muted }, 'regular')
    writer.write('P', value, { x, y: 489, size: 13, color: ink })
  }
  writer.write('P', confirmedAddress, { x: left, y: 514, size: 10, color: muted }, 'regular')
  writer.write(
    'P',
    `Verify it at ${text.address}`,
    { x: left, y: 528, size: 10, color: muted },
    'regular',
    text.address,
  )
  writer.code(text.address, { x: page.width - page.margin - 88, y: 468, size: 88 })
}

/** Writes text so that each piece is one tagged element. */
class Writer {
  readonly #document: Document
  readonly #fonts: Fonts
  readonly #names = new Map<Font, string>()
  readonly #root: PDFKit.PDFStructureElement

  constructor(document: Document, fonts: Fonts) {
    this.#document = document
    this.#fonts = fonts
    this.#root = document.struct('Document')
    document.addStructure(this.#root)
  }

  write(tag: 'P' | 'H1', text: string, place: Place, weight: 'regular' | 'bold' = 'bold', link?: string): void {
    const runs = this.#fonts[weight].runs(text) ?? this.#fonts[weight].runs(text.replace(/[^\x20-\x7e]/g, '?')) ?? []
    this.#add(tag, () => this.#draw(runs, place, link))
  }

  /** As large as fits into the width, on one line or two. `instead` stands for text in a script without a font. */
  fit(tag: 'P', text: string, instead: string, place: Place): void {
    const runs = this.#fonts.bold.runs(text)
    const whole = runs ?? this.#fonts.bold.runs(instead) ?? []
    const oneLine = Math.min(place.size, room / widthOf(whole))
    if (oneLine >= place.size * 0.55) {
      this.#add(tag, () => this.#draw(whole, { ...place, size: oneLine }))
      return
    }
    const lines = halves(runs ? text : instead).map((half) => this.#fonts.bold.runs(half) ?? [])
    const size = Math.min(place.size * 0.55, ...lines.map((half) => room / widthOf(half)))
    this.#add(tag, () => {
      for (const [index, half] of lines.entries()) this.#draw(half, { ...place, y: place.y + index * size * 1.2, size })
    })
  }

  /** The QR code, told as a figure. */
  code(address: string, { x, y, size }: { x: number; y: number; size: number }): void {
    const code = qrPath(address)
    const document = this.#document
    const alt = `QR code linking to ${address}`
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
        .fill(ink)
        .restore()
    })
    this.#root.add(figure)
  }

  /** The files of one family share a name inside, by which the library would mix them up. */
  #nameOf(font: Font): string {
    const known = this.#names.get(font)
    if (known) return known
    const name = `certificate-${this.#names.size}`
    this.#document.registerFont(name, font as unknown as PDFKit.Mixins.PDFFontSource)
    this.#names.set(font, name)
    return name
  }

  #add(tag: 'P' | 'H1', draw: () => void): void {
    this.#root.add(this.#document.struct(tag, {}, draw))
  }

  #draw(runs: readonly TextRun[], { x, y, size, color }: Place, link?: string): void {
    let left = x
    for (const { font, text } of runs) {
      this.#document.font(this.#nameOf(font), size).fillColor(color)
      const width = this.#document.widthOfString(text, keepLetters)
      this.#document.text(text, left, y + size * ascent, {
        ...keepLetters,
        lineBreak: false,
        baseline: 'alphabetic',
        ...(link ? { link } : {}),
      })
      left += width
    }
  }
}

/** Cut at the space nearest to the middle; a single long word in the middle itself. */
function halves(text: string): string[] {
  const middle = text.length / 2
  const spaces = [...text.matchAll(/ /g)].map(({ index }) => index)
  const nearest = spaces.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0] ?? Math.floor(middle)
  return [text.slice(0, nearest).trim(), text.slice(nearest).trim()]
}
