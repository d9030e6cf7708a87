import { DrawingFonts } from '~/server/drawing/drawing-fonts.server'
import type { SiteLogo } from '~/server/site/brand-files.server'
import { siteAccent, siteName, usesLearnifyLogo } from '~/server/site/site.server'
import { type CertificateText, certificateMessages } from '../certificate-messages'
import { TaggedWriter } from './tagged-writer.server'

const colors = {
  text: '#14162a',
  muted: '#575a70',
  paper: '#fbfaf7',
  line: '#e5e1d8',
  bad: '#b3243c',
}
/** A4 in landscape, in points. */
const page = { width: 841.89, height: 595.28, margin: 64 }
/** The height of the school's mark or logo, in points. */
const markHeight = 36.8
const unprintableName = "The learner named on this certificate's page"

type PdfDocument = PDFKit.PDFDocument

/**
 * Draws the certificate as a PDF of one page. It is tagged for screen readers, and has selectable
 * text, embedded subsets of the fonts and a QR code of the page's URL. Equal input gives equal
 * bytes.
 *
 * @param logo the school's own logo, as PNG
 */
export async function drawCertificatePdf(
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
  const bytes = collectBytes(document)

  drawBackground(document, logo)
  const writer = new TaggedWriter(document, { regular, bold }, page.width - 2 * page.margin)
  drawText(writer, text, logo)
  document.end()

  return bytes
}

function collectBytes(document: PdfDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    document.on('data', (chunk: Buffer) => chunks.push(chunk))
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })
}

/** Draws the decoration. It is marked as an artifact, which screen readers skip. */
function drawBackground(document: PdfDocument, logo: SiteLogo | null): void {
  document.markContent('Artifact', { type: 'Layout' })

  document.rect(0, 0, page.width, page.height).fill(colors.paper)
  document.rect(0, 0, 14, page.height).fill(siteAccent().light)
  document
    .roundedRect(34, 22, page.width - 54, page.height - 44, 14)
    .lineWidth(1)
    .stroke(colors.line)

  if (logo) {
    document.image(logo.bytes, page.margin, 56, { height: markHeight })
  } else if (usesLearnifyLogo()) {
    drawLearnifyMark(document, page.margin, 56, markHeight / 32)
  }

  document
    .moveTo(page.margin, 452)
    .lineTo(page.width - page.margin, 452)
    .lineWidth(1)
    .stroke(colors.line)

  document.endMarkedContent()
}

/** Draws Learnify's own mark, which looks the same as `public/favicon.svg`. */
function drawLearnifyMark(document: PdfDocument, x: number, y: number, scale: number): void {
  document.save().translate(x, y).scale(scale)
  document.roundedRect(0, 0, 32, 32, 9).fill(siteAccent().light)
  document.roundedRect(6, 6, 6, 20, 3).fill('#ffffff')
  document.path('M14 26v-2a10 10 0 0 1 10-10h2v2a10 10 0 0 1-10 10z').fill('#d3ceff')
  document.restore()
}

function drawText(writer: TaggedWriter, text: CertificateText, logo: SiteLogo | null): void {
  const x = page.margin
  const accent = siteAccent().light

  // A wide logo already contains the school's name.
  if (!logo?.isWide) {
    const schoolNameX = x + getMarkIndent(logo)
    writer.write('P', siteName(), { x: schoolNameX, y: 60, size: 22, color: colors.text })
  }

  writer.write('H1', 'Certificate of completion', { x, y: 132, size: 15, color: accent })
  writer.write('P', 'This certifies that', {
    x,
    y: 176,
    size: 14,
    color: colors.muted,
    weight: 'regular',
  })
  writer.writeFitted(text.name, unprintableName, { x, y: 200, size: 44, color: colors.text })
  writer.write('P', text.sentence, { x, y: 276, size: 14, color: colors.muted, weight: 'regular' })
  writer.writeFitted(text.course, 'a course', { x, y: 300, size: 32, color: colors.text })
  if (text.status !== 'valid') {
    const place = { x, y: 392, size: 15, color: colors.bad }
    writer.write('P', certificateMessages.invalidCertificate[text.status], place)
  }

  drawDetails(writer, text)

  const smallPrint = { x, size: 10, color: colors.muted, weight: 'regular' as const }
  writer.write('P', certificateMessages.confirmedAddress, { ...smallPrint, y: 514 })
  writer.write('P', `Verify it at ${text.url}`, { ...smallPrint, y: 528, linkUrl: text.url })
  writer.drawQrCode(text.url, { x: page.width - page.margin - 88, y: 468, size: 88 })
}

/** Returns the space that the mark or logo takes before the school's name, in points. */
function getMarkIndent(logo: SiteLogo | null): number {
  const gap = 11
  if (logo) {
    return markHeight * (logo.width / logo.height) + gap
  }

  return usesLearnifyLogo() ? markHeight + gap : 0
}

function drawDetails(writer: TaggedWriter, text: CertificateText): void {
  const details = [
    { label: 'Issued on', value: text.issuedOn, x: page.margin },
    { label: 'Lessons completed', value: text.lessons, x: page.margin + 132 },
    { label: 'Final exam', value: text.exam, x: page.margin + 280 },
    { label: 'Certificate number', value: text.number, x: page.margin + 410 },
  ]

  for (const { label, value, x } of details) {
    if (value !== null) {
      writer.write('P', label, { x, y: 472, size: 11, color: colors.muted, weight: 'regular' })
      writer.write('P', value, { x, y: 489, size: 13, color: colors.text })
    }
  }
}
