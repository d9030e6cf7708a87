import { LRUCache } from 'lru-cache'
import type { ArchiveFile } from '~/features/accounts/own-data/own-data-archive.server'
import type { Database } from '~/server/database/client.server'
import { DrawingFonts } from '~/server/drawing/drawing-fonts.server'
import { drawSchoolMark } from '~/server/drawing/school-mark.server'
import { loadSharp } from '~/server/drawing/sharp.server'
import { drawTextOutline } from '~/server/drawing/text-outline.server'
import { env } from '~/server/env.server'
import { findSiteLogo, type SiteLogo } from '~/server/site/brand-files.server'
import { currentSite, siteAccent, siteName } from '~/server/site/site.server'
import {
  type CertificateText,
  certificateMessages,
  getCertificateText,
} from '../certificate-messages'
import {
  findCertificate,
  listCertificates,
  listRegisterEntries,
} from '../certificate-queries.server'
import { getSignedCredential } from '../credential/credential-queries.server'
import { drawCertificatePdf } from './certificate-pdf.server'

type FileKind = 'pdf' | 'picture'

const cachedFiles = new LRUCache<string, Promise<Buffer>>({ max: 100 })

/** Returns a certificate's PDF or its picture for shared links; null for an unknown id. */
export async function findCertificateFile(
  db: Database,
  id: string,
  kind: FileKind,
): Promise<Buffer | null> {
  const certificate = await findCertificate(db, id)
  if (!certificate) {
    return null
  }

  const text = getCertificateText(certificate, env.PUBLIC_URL)
  const { accent, logo, logoDark } = currentSite()
  const cacheKey = JSON.stringify([kind, text, siteName(), accent, logo, logoDark])
  const cachedFile = cachedFiles.get(cacheKey)
  if (cachedFile) {
    return cachedFile
  }

  const file = drawFile(db, kind, text)
  cachedFiles.set(cacheKey, file)
  file.catch(() => cachedFiles.delete(cacheKey))

  return file
}

async function drawFile(db: Database, kind: FileKind, text: CertificateText): Promise<Buffer> {
  if (kind === 'pdf') {
    return drawCertificatePdf(text, await findSiteLogo(db))
  }

  return drawCertificatePicture(text, await findSiteLogo(db, 'dark'))
}

const pictureWidth = 1200
const pictureHeight = 630
const marginLeft = 96
const maxTextWidth = pictureWidth - 2 * marginLeft

/**
 * Draws the picture of a shared link, a PNG of 1200 by 630 pixels. Text is drawn as outlines, so
 * that it does not depend on the fonts of the server.
 *
 * @param logo the school's logo for dark backgrounds, as PNG
 */
export async function drawCertificatePicture(
  text: CertificateText,
  logo: SiteLogo | null = null,
): Promise<Buffer> {
  const [sharp, regularFonts, boldFonts] = await Promise.all([
    loadSharp(),
    DrawingFonts.load(400, [text.course]),
    DrawingFonts.load(600, [text.name, text.course, siteName()]),
  ])
  const drawLine = (
    fonts: DrawingFonts,
    line: string,
    place: { y: number; fontSize: number; fill: string },
  ) => drawTextOutline(fonts, line, { ...place, x: marginLeft, maxWidth: maxTextWidth })

  const titleColor = text.status === 'valid' ? siteAccent().dark : '#ff8b9a'
  const details = [text.issuedOn, text.lessons, `Exam: ${text.exam}`].filter(Boolean).join('  ·  ')
  const elements = [
    drawSchoolMark(boldFonts, logo, { x: marginLeft, y: 84, height: 56, maxWidth: maxTextWidth }),
    drawLine(boldFonts, certificateMessages.pictureTitles[text.status], {
      y: 238,
      fontSize: 28,
      fill: titleColor,
    }),
    drawLine(boldFonts, text.name, { y: 336, fontSize: 80, fill: '#ffffff' }),
    drawLine(regularFonts, text.course, { y: 414, fontSize: 44, fill: '#d7d9e8' }),
    drawLine(regularFonts, details, { y: 530, fontSize: 28, fill: '#a9adc6' }),
  ]

  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${pictureWidth}" height="${pictureHeight}">
    <defs>
      <radialGradient id="glow" cx="88%" cy="8%" r="90%">
        <stop offset="0" stop-color="${siteAccent().light}" stop-opacity="0.75"/>
        <stop offset="1" stop-color="#0d0f1a" stop-opacity="0"/>
      </radialGradient>
    </defs>
    <rect width="${pictureWidth}" height="${pictureHeight}" fill="#0d0f1a"/>
    <rect width="${pictureWidth}" height="${pictureHeight}" fill="url(#glow)"/>
    <rect x="${marginLeft}" y="464" width="${maxTextWidth}" height="2" fill="#272b40"/>
    ${elements.join('')}
  </svg>`

  return sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true }).toBuffer()
}

/**
 * Yields the files about a learner's certificates for the archive of their data: the entries of the
 * register, and each certificate as a PDF and as a signed credential.
 */
export async function* listCertificateFiles(
  db: Database,
  uid: string,
): AsyncGenerator<ArchiveFile> {
  yield {
    name: 'certificates/register.json',
    read: async () => formatJsonFile(await listRegisterEntries(db, uid)),
  }

  for (const { id } of await listCertificates(db, uid)) {
    const certificate = await findCertificate(db, id)
    if (!certificate) {
      continue
    }

    const baseName = `certificates/${certificate.course.id}-${id}`
    yield { name: `${baseName}.pdf`, read: () => findCertificateFile(db, id, 'pdf') }
    yield {
      name: `${baseName}.json`,
      read: async () => {
        const credential = await getSignedCredential(db, id)
        return credential && formatJsonFile(credential)
      },
    }
  }
}

function formatJsonFile(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}
