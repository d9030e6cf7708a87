/**
 * Draws a receipt or credit note as a PDF: one page of A4, tagged for screen readers, with text
 * that can be selected.
 *
 * Everything on the page comes from the document as it was issued, so each drawing of the same
 * document has the same bytes. All positions and sizes are in points.
 */
import { TaggedWriter } from '~/features/certificates/file/tagged-writer.server'
import { formatMoney } from '~/features/school/money'
import { DrawingFonts, measureWidth } from '~/server/drawing/drawing-fonts.server'
import {
  formatCoupon,
  formatIssueDate,
  formatReceiptReference,
  listBuyerLines,
  listSellerLines,
  receiptTitle,
} from './receipt-text'
import type { IssuedReceipt } from './receipts.server'
import { formatTaxRate } from './tax'

const textColor = '#14162a'
const mutedColor = '#575a70'
const lineColor = '#e5e1d8'

/** A page of A4. */
const page = { width: 595.28, height: 841.89, margin: 56 }
const contentLeft = page.margin
const contentRight = page.width - page.margin
const contentWidth = contentRight - contentLeft

const titleTop = 64
const smallTextSize = 10.5
const courseTextSize = 12
const totalTextSize = 14
const rowHeightFactor = 1.5

const partyColumnGap = 24
const partyColumnWidth = (contentWidth - partyColumnGap) / 2
const partyLineHeight = 15
/** Further lines about a seller or buyer are on the web page of the receipt only. */
const maxPartyLines = 24

/** The width that the course's title leaves for the amount. */
const amountColumnWidth = 130

/** Replaces a text that no font can draw. */
const undrawableText = 'As the receipt’s page shows it'

/** @param pageUrl the web page of the receipt, which the PDF links to */
export async function drawReceiptPdf(receipt: IssuedReceipt, pageUrl: string): Promise<Buffer> {
  const { document } = receipt
  const sellerLines = listSellerLines(document)
  const buyerLines = listBuyerLines(document)

  const fonts = await loadFonts([
    ...sellerLines,
    ...buyerLines,
    document.courseTitle,
    formatMoney(document.totalMinor, document.currency),
    formatMoney(document.taxMinor, document.currency),
  ])
  const pdf = await createPdf(receipt)
  const pdfBytes = collectBytes(pdf)

  const layout = new ReceiptLayout(pdf, fonts)
  layout.writeTitle(receipt)
  layout.writeParties(sellerLines, buyerLines)
  layout.writeAmounts(receipt)
  layout.writePageUrl(pageUrl)
  pdf.end()

  return pdfBytes
}

type Weight = 'regular' | 'bold'
type Fonts = Record<Weight, DrawingFonts>

/** @param texts the texts whose letters the fonts have to contain */
async function loadFonts(texts: readonly string[]): Promise<Fonts> {
  const [regular, bold] = await Promise.all([
    DrawingFonts.load(400, texts),
    DrawingFonts.load(600, texts),
  ])
  return { regular, bold }
}

async function createPdf(receipt: IssuedReceipt): Promise<PDFKit.PDFDocument> {
  // The library is large, so it is loaded only when a receipt is drawn.
  const { default: PdfDocument } = await import('pdfkit')
  const { issuedAt, seller } = receipt.document

  return new PdfDocument({
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    font: undefined,
    info: {
      Title: receiptTitle(receipt),
      Author: seller.name,
      CreationDate: new Date(issuedAt),
      ModDate: new Date(issuedAt),
    },
  })
}

function collectBytes(pdf: PDFKit.PDFDocument): Promise<Buffer> {
  const chunks: Buffer[] = []
  return new Promise((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
    pdf.on('end', () => resolve(Buffer.concat(chunks)))
    pdf.on('error', reject)
  })
}

type RowStyle = { size: number; color: string; weight: Weight }

const smallMutedRow: RowStyle = { size: smallTextSize, color: mutedColor, weight: 'regular' }
const courseRow: RowStyle = { size: courseTextSize, color: textColor, weight: 'regular' }
const totalRow: RowStyle = { size: totalTextSize, color: textColor, weight: 'bold' }

/** Writes the parts of a receipt below each other, from top to bottom. */
class ReceiptLayout {
  readonly #pdf: PDFKit.PDFDocument
  readonly #fonts: Fonts
  readonly #writer: TaggedWriter
  /** The top of the next part. */
  #y = titleTop

  constructor(pdf: PDFKit.PDFDocument, fonts: Fonts) {
    this.#pdf = pdf
    this.#fonts = fonts
    this.#writer = new TaggedWriter(pdf, fonts, contentWidth)
  }

  writeTitle(receipt: IssuedReceipt): void {
    const { document } = receipt
    const title = { x: contentLeft, y: this.#y, size: 26, color: textColor }
    this.#writer.write('H1', receiptTitle(receipt), title)

    const subtitleText = `${formatIssueDate(document)} · ${formatReceiptReference(document)}`
    const subtitle = { x: contentLeft, y: this.#y + 40, size: 11, color: mutedColor }
    this.#writer.write('P', subtitleText, { ...subtitle, weight: 'regular' })

    this.#y += 88
  }

  /** Writes the seller and the buyer in two columns. */
  writeParties(sellerLines: readonly string[], buyerLines: readonly string[]): void {
    const sellerBottom = this.#writeParty('Seller', sellerLines, contentLeft)
    const buyerBottom = this.#writeParty('Buyer', buyerLines, contentRight - partyColumnWidth)
    this.#y = Math.max(sellerBottom, buyerBottom) + 28
  }

  /** @returns the bottom of the column */
  #writeParty(heading: string, lines: readonly string[], x: number): number {
    const smallText = { x, size: smallTextSize, weight: 'regular' as const }
    this.#writer.write('P', heading, { ...smallText, y: this.#y, color: mutedColor })

    const linesTop = this.#y + partyLineHeight + 4
    const wrappedLines = lines
      .flatMap((line) => this.#wrapText(line, smallTextSize, partyColumnWidth))
      .slice(0, maxPartyLines)
    for (const [index, line] of wrappedLines.entries()) {
      const y = linesTop + index * partyLineHeight
      this.#writer.write('P', line, { ...smallText, y, color: textColor })
    }

    return linesTop + wrappedLines.length * partyLineHeight
  }

  writeAmounts({ document }: IssuedReceipt): void {
    const { courseTitle, currency, discount, totalMinor, taxBasisPoints, taxMinor } = document

    this.#drawRule()
    this.#writeRow('Course', 'Amount', smallMutedRow)
    this.#drawRule()

    const titleWidth = contentWidth - amountColumnWidth
    const [firstTitleLine = '', ...otherTitleLines] = this.#wrapText(
      courseTitle,
      courseTextSize,
      titleWidth,
    )
    const priceMinor = totalMinor + (discount?.amountMinor ?? 0)
    this.#writeRow(firstTitleLine, formatMoney(priceMinor, currency), courseRow)
    for (const titleLine of otherTitleLines) {
      this.#writeRow(titleLine, '', courseRow)
    }

    if (discount) {
      const formattedDiscount = formatMoney(-discount.amountMinor, currency)
      this.#writeRow(formatCoupon(discount.code), formattedDiscount, courseRow)
    }

    this.#drawRule()
    this.#writeRow('Total', formatMoney(totalMinor, currency), totalRow)
    if (taxBasisPoints > 0) {
      const taxLabel = `Includes ${formatTaxRate(taxBasisPoints)} tax`
      this.#writeRow(taxLabel, formatMoney(taxMinor, currency), smallMutedRow)
    }
  }

  /** Writes the URL of the receipt's web page, as a link, at the bottom of the PDF. */
  writePageUrl(pageUrl: string): void {
    const y = page.height - page.margin - 10
    const position = { x: contentLeft, y, size: 9, color: mutedColor }
    this.#writer.write('P', pageUrl, { ...position, weight: 'regular', linkUrl: pageUrl })
  }

  #writeRow(label: string, amount: string, { size, color, weight }: RowStyle): void {
    const position = { x: contentLeft, right: contentRight, y: this.#y }
    this.#writer.writePair(label, amount, { ...position, size, color, weight })
    this.#y += size * rowHeightFactor
  }

  /** Draws a horizontal line, which screen readers leave out. */
  #drawRule(): void {
    this.#y += 4
    this.#pdf.markContent('Artifact', { type: 'Layout' })
    this.#pdf
      .moveTo(contentLeft, this.#y)
      .lineTo(contentRight, this.#y)
      .lineWidth(1)
      .stroke(lineColor)
    this.#pdf.endMarkedContent()
    this.#y += 8
  }

  /** Splits a text into lines that are not wider than `maxWidth`. A word that is wider is cut. */
  #wrapText(text: string, size: number, maxWidth: number): string[] {
    const fonts = this.#fonts.regular
    const fits = (part: string) => measureWidth(fonts.splitIntoRuns(part) ?? []) * size <= maxWidth
    const drawableText = fonts.splitIntoRuns(text) === null ? undrawableText : text

    const lines = ['']
    for (const word of drawableText.split(/\s+/)) {
      const longerLine = `${lines.at(-1)} ${word}`.trim()
      if (fits(longerLine)) {
        lines[lines.length - 1] = longerLine
      } else {
        lines.push(...cutWord(word, fits))
      }
    }

    return lines.filter((line) => line !== '')
  }
}

const graphemeSegmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Cuts a word into parts that fit. A letter with its accents stays in one part. */
function cutWord(word: string, fits: (part: string) => boolean): string[] {
  if (fits(word)) {
    return [word]
  }

  const parts = ['']
  for (const { segment: letter } of graphemeSegmenter.segment(word)) {
    const longerPart = `${parts.at(-1)}${letter}`
    if (fits(longerPart)) {
      parts[parts.length - 1] = longerPart
    } else {
      parts.push(letter)
    }
  }

  return parts
}
