import type { SiteLogo } from '../site/brand-files.server'
import { hasShippedMark, siteName } from '../site/site.server'
import type { DrawingFonts } from './drawing-fonts.server'
import { textOutline } from './text-outline.server'

/** The upper left corner, the mark's height, and the most width for mark and name. */
type Place = { x: number; y: number; size: number; room: number }

/**
 * The school's logo and name for a dark picture, as SVG. Learnify's mark stands only beside
 * Learnify's own name.
 *
 * @param logo the logo for dark backgrounds, as PNG.
 */
export function schoolMark(
  bold: DrawingFonts,
  logo: SiteLogo | null,
  { x, y, size, room }: Place,
): string {
  const name = (from: number) =>
    textOutline(bold, siteName(), {
      x: from,
      y: y + size * 0.77,
      size: size * 0.72,
      fill: '#f2f2f8',
      room: room - (from - x),
    })

  if (logo) {
    const scale = Math.min(size / logo.height, room / logo.width)
    const [width, height] = [logo.width * scale, logo.height * scale]
    const address = `data:image/png;base64,${logo.bytes.toString('base64')}`
    const picture = `<image x="${x}" y="${y + (size - height) / 2}" width="${width}" height="${height}" href="${address}"/>`

    // A wide logo contains the name.
    return logo.isWide ? picture : picture + name(x + width + size * 0.36)
  }

  if (!hasShippedMark()) {
    return name(x)
  }

  return `<g transform="translate(${x} ${y}) scale(${size / 32})"><rect width="32" height="32" rx="9" fill="#7b6cff"/>
    <rect x="6" y="6" width="6" height="20" rx="3" fill="#fff"/>
    <path d="M14 26v-2a10 10 0 0 1 10-10h2v2a10 10 0 0 1-10 10z" fill="#d3ceff"/></g>${name(x + size * 1.36)}`
}
