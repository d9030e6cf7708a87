import { DrawingFonts } from '~/server/drawing/drawing-fonts.server'
import { loadSharp } from '~/server/drawing/sharp.server'
import { type Place, textOutline } from '~/server/drawing/text-outline.server'
import { siteName } from '~/server/site/site.server'
import { pictureTitles } from '../certificate-messages'
import type { CertificateText } from '../certificate-text'

const width = 1200
const height = 630
const left = 96
const room = width - 2 * left

/** The picture of a shared link: PNG, 1200 by 630. Text is drawn as outlines, so that it looks the same on every machine. */
export async function certificatePicture(text: CertificateText): Promise<Buffer> {
  const [sharp, regular, bold] = await Promise.all([
    loadSharp(),
    DrawingFonts.load(400, [text.course]),
    DrawingFonts.load(600, [text.name, text.course, siteName()]),
  ])
  const outline = (fonts: DrawingFonts, line: string, place: Omit<Place, 'room'>) =>
    textOutline(fonts, line, { ...place, room })
  const parts = [
    outline(bold, siteName(), { x: left + 76, y: 128, size: 40, fill: '#f2f2f8' }),
    outline(bold, pictureTitles[text.state], {
      x: left,
      y: 238,
      size: 28,
      fill: text.state === 'valid' ? '#a79dff' : '#ff8b9a',
    }),
    outline(bold, text.name, { x: left, y: 336, size: 80, fill: '#ffffff' }),
    outline(regular, text.course, { x: left, y: 414, size: 44, fill: '#d7d9e8' }),
    outline(regular, [text.issuedOn, text.lessons, `Exam: ${text.exam}`].filter(Boolean).join('  ·  '), {
      x: left,
      y: 530,
      size: 28,
      fill: '#a9adc6',
    }),
  ]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><radialGradient id="glow" cx="88%" cy="8%" r="90%">
      <stop offset="0" stop-color="#4a3ad6" stop-opacity="0.75"/><stop offset="1" stop-color="#0d0f1a" stop-opacity="0"/>
    </radialGradient></defs>
    <rect width="${width}" height="${height}" fill="#0d0f1a"/><rect width="${width}" height="${height}" fill="url(#glow)"/>
    <g transform="translate(${left} 84) scale(1.75)"><rect width="32" height="32" rx="9" fill="#7b6cff"/>
      <rect x="6" y="6" width="6" height="20" rx="3" fill="#fff"/>
      <path d="M14 26v-2a10 10 0 0 1 10-10h2v2a10 10 0 0 1-10 10z" fill="#d3ceff"/></g>
    <rect x="${left}" y="464" width="${room}" height="2" fill="#272b40"/>${parts.join('')}</svg>`
  return sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true }).toBuffer()
}
