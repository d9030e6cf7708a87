import { TaggedWriter } from '~/features/certificates/file/tagged-writer.server'
import { formatMoney } from '~/features/school/money'
import { DrawingFonts, measureWidth } from '~/server/drawing/drawing-fonts.server'
import { formatLongDate } from '~/ui/format-date'
import {
  formatCoupon,
  formatReceiptReference,
  listBuyerLines,
  listSellerLines,
  receiptTitle,
} from './receipt-text'
import type { IssuedReceipt } from './receipts.server'
import { formatTaxRate } from './tax'

const ink = '#14162a'
const muted = '#575a70'
const line = '#e5e1d8'
/** A4, in points. */
const page = { width: 595.28, height: 841.89, margin: 56 }
const left = page.margin
const right = page.width - page.margin
const column = { width: (right - left - 24) / 2, size: 10.5, height: 15 }
/** More of an address is on the page of the receipt. */
const mostPartyLines = 24
const notDrawable = 'As the receipt’s page shows it'

/**
 * A receipt or credit note as a PDF: A4, tagged for screen readers, with selectable text. It is
 * drawn from the document as it was issued, so that it has the same bytes each time.
 *
 * @param address of the receipt's page.
 */
export async function receiptPdf(receipt: IssuedReceipt, address: string): Promise<Buffer> {
  const { document } = receipt
  const [seller, buyer] = [listSellerLines(document), listBuyerLines(document)]
  const amounts = [
    formatMoney(document.totalMinor, document.currency),
    formatMoney(document.taxMinor, document.currency),
  ]
  const texts = [...seller, ...buyer, document.courseTitle, ...amounts]
  const [{ default: PdfDocument }, regular, bold] = await Promise.all([
    import('pdfkit'),
    DrawingFonts.load(400, texts),
    DrawingFonts.load(600, texts),
  ])
  const issuedAt = new Date(document.issuedAt)
  const file = new PdfDocument({
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    font: undefined,
    info: {
      Title: receiptTitle(receipt),
      Author: document.seller.name,
      CreationDate: issuedAt,
      ModDate: issuedAt,
    },
  })
  const parts: Buffer[] = []
  const bytes = new Promise<Buffer>((resolve, reject) => {
    file.on('data', (part: Buffer) => parts.push(part))
    file.on('end', () => resolve(Buffer.concat(parts)))
    file.on('error', reject)
  })
  const sheet = new Sheet(file, { regular, bold })
  sheet.head(receipt)
  sheet.parties(seller, buyer)
  sheet.amounts(receipt)
  sheet.foot(address)
  file.end()

  return bytes
}

type Weight = 'regular' | 'bold'

/** Writes from top to bottom. */
class Sheet {
  readonly #writer: TaggedWriter
  #y = 64

  constructor(
    private file: PDFKit.PDFDocument,
    private fonts: Record<Weight, DrawingFonts>,
  ) {
    this.#writer = new TaggedWriter(file, fonts, right - left)
  }

  head(receipt: IssuedReceipt): void {
    const { document } = receipt
    this.#writer.write('H1', receiptTitle(receipt), { x: left, y: this.#y, size: 26, color: ink })
    const about = `${formatLongDate(document.issuedAt)} · ${formatReceiptReference(document)}`
    this.#writer.write('P', about, { x: left, y: this.#y + 40, size: 11, color: muted }, 'regular')
    this.#y += 88
  }

  parties(seller: string[], buyer: string[]): void {
    const ends = [
      this.#party('Seller', seller, left),
      this.#party('Buyer', buyer, right - column.width),
    ]
    this.#y = Math.max(...ends) + 28
  }

  /** @returns where it ends. */
  #party(title: string, lines: string[], x: number): number {
    this.#writer.write('P', title, { x, y: this.#y, size: column.size, color: muted }, 'regular')
    const wrapped = lines.flatMap((text) => this.#wrap(text, 'regular', column.size, column.width))
    for (const [index, text] of wrapped.slice(0, mostPartyLines).entries()) {
      const y = this.#y + (index + 1) * column.height + 4
      this.#writer.write('P', text, { x, y, size: column.size, color: ink }, 'regular')
    }

    return this.#y + (Math.min(wrapped.length, mostPartyLines) + 1) * column.height + 4
  }

  amounts({ document }: IssuedReceipt): void {
    const { courseTitle, currency, discount, totalMinor, taxBasisPoints, taxMinor } = document
    this.#rule()
    this.#row('Course', 'Amount', { size: column.size, color: muted }, 'regular')
    this.#rule()
    const [first = '', ...more] = this.#wrap(courseTitle, 'regular', 12, right - left - 130)
    const priceMinor = totalMinor + (discount?.amountMinor ?? 0)
    this.#row(first, formatMoney(priceMinor, currency), { size: 12, color: ink }, 'regular')
    for (const text of more) {
      this.#row(text, '', { size: 12, color: ink }, 'regular')
    }

    if (discount) {
      const off = formatMoney(-discount.amountMinor, currency)
      this.#row(formatCoupon(discount.code), off, { size: 12, color: ink }, 'regular')
    }

    this.#rule()
    this.#row('Total', formatMoney(totalMinor, currency), { size: 14, color: ink }, 'bold')
    if (taxBasisPoints === 0) {
      return
    }

    const label = `Includes ${formatTaxRate(taxBasisPoints)} tax`
    this.#row(
      label,
      formatMoney(taxMinor, currency),
      { size: column.size, color: muted },
      'regular',
    )
  }

  foot(address: string): void {
    const place = { x: left, y: page.height - page.margin - 10, size: 9, color: muted }
    this.#writer.write('P', address, place, 'regular', address)
  }

  #row(label: string, value: string, look: { size: number; color: string }, weight: Weight): void {
    this.#writer.pair(label, value, { x: left, y: this.#y, ...look }, right, weight)
    this.#y += look.size * 1.5
  }

  #rule(): void {
    this.#y += 4
    this.file.markContent('Artifact', { type: 'Layout' })
    this.file.moveTo(left, this.#y).lineTo(right, this.#y).lineWidth(1).stroke(line)
    this.file.endMarkedContent()
    this.#y += 8
  }

  /**
   * In lines of at most `room` points; a word that is longer is cut. What no font can draw is said.
   */
  #wrap(text: string, weight: Weight, size: number, room: number): string[] {
    const fits = (part: string) => measureWidth(this.fonts[weight].runs(part) ?? []) * size <= room
    const lines = ['']
    for (const word of (this.fonts[weight].runs(text) ? text : notDrawable).split(/\s+/)) {
      const longer = `${lines.at(-1)} ${word}`.trim()
      if (fits(longer)) {
        lines[lines.length - 1] = longer
      } else {
        lines.push(...cut(word, fits))
      }
    }

    return lines.filter(Boolean)
  }
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

function cut(word: string, fits: (part: string) => boolean): string[] {
  if (fits(word)) {
    return [word]
  }

  const parts = ['']
  for (const { segment } of graphemes.segment(word)) {
    const longer = `${parts.at(-1)}${segment}`
    if (fits(longer)) {
      parts[parts.length - 1] = longer
    } else {
      parts.push(segment)
    }
  }

  return parts
}
