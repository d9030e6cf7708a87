import type { SiteLogo } from '../site/brand-files.server'
import { siteName, usesLearnifyLogo } from '../site/site.server'
import type { DrawingFonts } from './drawing-fonts.server'
import { drawTextOutline } from './text-outline.server'

type MarkArea = {
  /** The upper left corner. */
  x: number
  y: number
  height: number
  /** The most that the mark and the name may take together. */
  maxWidth: number
}

/**
 * Draws the school's logo and name for a dark picture, as SVG. Learnify's mark stands only beside
 * Learnify's own name.
 *
 * @param logo the logo for dark backgrounds, as PNG
 */
export function drawSchoolMark(fonts: DrawingFonts, logo: SiteLogo | null, area: MarkArea): string {
  if (logo) {
    const scale = Math.min(area.height / logo.height, area.maxWidth / logo.width)
    const logoSize = { width: logo.width * scale, height: logo.height * scale }
    const image = drawLogo(logo, logoSize, area)
    // A wide logo contains the name.
    return logo.isWide
      ? image
      : image + drawName(fonts, area.x + logoSize.width + area.height * 0.36, area)
  }

  if (usesLearnifyLogo()) {
    return drawLearnifyMark(area) + drawName(fonts, area.x + area.height * 1.36, area)
  }

  return drawName(fonts, area.x, area)
}

function drawLogo(
  logo: SiteLogo,
  size: { width: number; height: number },
  { x, y, height }: MarkArea,
): string {
  const centeredY = y + (height - size.height) / 2
  const url = `data:image/png;base64,${logo.bytes.toString('base64')}`
  return `<image x="${x}" y="${centeredY}" width="${size.width}" height="${size.height}" href="${url}"/>`
}

function drawLearnifyMark({ x, y, height }: MarkArea): string {
  return `<g transform="translate(${x} ${y}) scale(${height / 32})"><rect width="32" height="32" rx="9" fill="#7b6cff"/>
    <rect x="6" y="6" width="6" height="20" rx="3" fill="#fff"/>
    <path d="M14 26v-2a10 10 0 0 1 10-10h2v2a10 10 0 0 1-10 10z" fill="#d3ceff"/></g>`
}

/** Draws the school's name from `nameX` to the right end of the area. */
function drawName(
  fonts: DrawingFonts,
  nameX: number,
  { x, y, height, maxWidth }: MarkArea,
): string {
  return drawTextOutline(fonts, siteName(), {
    x: nameX,
    y: y + height * 0.77,
    fontSize: height * 0.72,
    fill: '#f2f2f8',
    maxWidth: maxWidth - (nameX - x),
  })
}
