import { DrawingFonts } from '~/server/drawing/drawing-fonts.server'
import type { SiteLogo } from '~/server/site/brand-files.server'
import { hasShippedMark, siteAccent, siteName } from '~/server/site/site.server'
import { confirmedAddress, invalidCertificate, verifyAt } from '../certificate-messages'
import type { CertificateText } from '../certificate-text'
import { TaggedWriter } from './tagged-writer.server'

const ink = '#14162a'
const muted = '#575a70'
const paper = '#fbfaf7'
const line = '#e5e1d8'
const bad = '#b3243c'
/** A4 across, in points. */
const page = { width: 841.89, height: 595.28, margin: 64 }
/** Height of the school's mark or logo, in points. */
const markSize = 36.8
const missingName = "The learner named on this certificate's page"

type Document = PDFKit.PDFDocument

/**
 * The certificate as a PDF: one page, tagged for screen readers, with selectable text, embedded
 * fonts that hold only the letters used, and a QR code of the page's address. Equal inputs give
 * equal bytes.
 *
 * @param logo the school's own logo, as PNG.
 */
export async function certificatePdf(
  text: CertificateText,
  logo: SiteLogo | null = null,
): Promise<Buffer> {
  const [{ default: PdfDocument }, regular, bold] = await Promise.all([
    import('pdfkit'),
    DrawingFonts.load(400, [text.course]),
    DrawingFonts.load(600, [text.name, text.course, siteName()]),
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
      Author: siteName(),
      Subject: `Certificate of completion for ${text.name}`,
      CreationDate: new Date(text.issuedAt),
      ModDate: new Date(text.issuedAt),
    },
  })
  const bytes = collect(document)
  drawPaper(document, logo)
  drawCertificate(
    new TaggedWriter(document, { regular, bold }, page.width - 2 * page.margin),
    text,
    logo,
  )

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
function drawPaper(document: Document, logo: SiteLogo | null): void {
  const accent = siteAccent().light
  document.markContent('Artifact', { type: 'Layout' })
  document.rect(0, 0, page.width, page.height).fill(paper)
  document.rect(0, 0, 14, page.height).fill(accent)
  document
    .roundedRect(34, 22, page.width - 54, page.height - 44, 14)
    .lineWidth(1)
    .stroke(line)
  if (logo) {
    document.image(logo.bytes, page.margin, 56, { height: markSize })
  } else if (hasShippedMark()) {
    drawMark(document, page.margin, 56, markSize / 32)
  }

  document
    .moveTo(page.margin, 452)
    .lineTo(page.width - page.margin, 452)
    .lineWidth(1)
    .stroke(line)

  document.endMarkedContent()
}

/** Learnify's own mark, as in `public/favicon.svg`. */
function drawMark(document: Document, x: number, y: number, scale: number): void {
  document.save().translate(x, y).scale(scale)
  document.roundedRect(0, 0, 32, 32, 9).fill(siteAccent().light)
  document.roundedRect(6, 6, 6, 20, 3).fill('#ffffff')
  document.path('M14 26v-2a10 10 0 0 1 10-10h2v2a10 10 0 0 1-10 10z').fill('#d3ceff')
  document.restore()
}

function drawCertificate(writer: TaggedWriter, text: CertificateText, logo: SiteLogo | null): void {
  const left = page.margin
  const accent = siteAccent().light
  const shippedMark = hasShippedMark() ? markSize : null
  const mark = logo ? markSize * (logo.width / logo.height) : shippedMark
  const x = mark === null ? left : left + mark + 11
  // A wide logo contains the name.
  if (!logo?.isWide) {
    writer.write('P', siteName(), { x, y: 60, size: 22, color: ink })
  }

  writer.write('H1', 'Certificate of completion', { x: left, y: 132, size: 15, color: accent })
  writer.write('P', 'This certifies that', { x: left, y: 176, size: 14, color: muted }, 'regular')
  writer.fit('P', text.name, missingName, { x: left, y: 200, size: 44, color: ink })
  writer.write('P', text.sentence, { x: left, y: 276, size: 14, color: muted }, 'regular')
  writer.fit('P', text.course, 'a course', { x: left, y: 300, size: 32, color: ink })
  if (text.state !== 'valid') {
    writer.write('P', invalidCertificate[text.state], { x: left, y: 392, size: 15, color: bad })
  }

  const facts = [
    ['Issued on', text.issuedOn, left],
    ['Lessons completed', text.lessons, left + 132],
    ['Final exam', text.exam, left + 280],
    ['Certificate number', text.number, left + 410],
  ] as const

  for (const [label, value, x] of facts) {
    if (value === null) {
      continue
    }

    writer.write('P', label, { x, y: 472, size: 11, color: muted }, 'regular')
    writer.write('P', value, { x, y: 489, size: 13, color: ink })
  }

  writer.write('P', confirmedAddress, { x: left, y: 514, size: 10, color: muted }, 'regular')
  writer.write(
    'P',
    verifyAt(text.address),
    { x: left, y: 528, size: 10, color: muted },
    'regular',
    text.address,
  )

  writer.code(text.address, { x: page.width - page.margin - 88, y: 468, size: 88 })
}
