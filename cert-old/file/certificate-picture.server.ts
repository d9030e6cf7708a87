import { DrawingFonts } from '~/server/drawing/drawing-fonts.server'
import { drawSchoolMark, drawTextOutline } from '~/server/drawing/school-mark.server'
import { loadSharp } from '~/server/drawing/sharp.server'
import type { SiteLogo } from '~/server/site/brand-files.server'
import { siteAccent, siteName } from '~/server/site/site.server'
import { pictureTitles } from '../certificate-messages'
import type { CertificateText } from '../certificate-text'

const width = 1200
const height = 630
const left = 96
const room = width - 2 * left

/**
 * The picture of a shared link: PNG, 1200 by 630. Text is drawn as outlines, so that it looks the
 * same on every machine.
 *
 * @param logo the school's logo for dark backgrounds, as PNG.
 */
export async function certificatePicture(
  text: CertificateText,
  logo: SiteLogo | null = null,
): Promise<Buffer> {
  const [sharp, regular, bold] = await Promise.all([
    loadSharp(),
    DrawingFonts.load(400, [text.course]),
    DrawingFonts.load(600, [text.name, text.course, siteName()]),
  ])
  const outline = (
    fonts: DrawingFonts,
    line: string,
    place: Omit<Parameters<typeof drawTextOutline>[2], 'maxWidth'>,
  ) => drawTextOutline(fonts, line, { ...place, maxWidth: room })
  const parts = [
    drawSchoolMark(bold, logo, { x: left, y: 84, height: 56, maxWidth: room }),
    outline(bold, pictureTitles[text.state], {
      x: left,
      y: 238,
      fontSize: 28,
      fill: text.state === 'valid' ? siteAccent().dark : '#ff8b9a',
    }),
    outline(bold, text.name, { x: left, y: 336, fontSize: 80, fill: '#ffffff' }),
    outline(regular, text.course, { x: left, y: 414, fontSize: 44, fill: '#d7d9e8' }),
    outline(
      regular,
      [text.issuedOn, text.lessons, `Exam: ${text.exam}`].filter(Boolean).join('  ·  '),
      {
        x: left,
        y: 530,
        fontSize: 28,
        fill: '#a9adc6',
      },
    ),
  ]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><radialGradient id="glow" cx="88%" cy="8%" r="90%">
      <stop offset="0" stop-color="${siteAccent().light}" stop-opacity="0.75"/><stop offset="1" stop-color="#0d0f1a" stop-opacity="0"/>
    </radialGradient></defs>
    <rect width="${width}" height="${height}" fill="#0d0f1a"/><rect width="${width}" height="${height}" fill="url(#glow)"/>
    <rect x="${left}" y="464" width="${room}" height="2" fill="#272b40"/>${parts.join('')}</svg>`

  return sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true }).toBuffer()
}
