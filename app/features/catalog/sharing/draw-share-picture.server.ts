/**
 * Draws the preview picture of a course.
 *
 * The picture shows the course's cover on the right. On the left it shows the school, title,
 * instructor and rating. Texts are drawn as outlines, so that the picture looks the same on every
 * machine.
 */
import { DrawingFonts } from '~/server/drawing/drawing-fonts.server'
import { drawSchoolMark } from '~/server/drawing/school-mark.server'
import { loadSharp } from '~/server/drawing/sharp.server'
import { drawTextOutline, wrapText } from '~/server/drawing/text-outline.server'
import type { SiteLogo } from '~/server/site/brand-files.server'
import { siteName } from '~/server/site/site.server'
import { formatCount } from '~/ui/format-count'

/** The course's data that its picture shows. */
export type PictureContents = {
  id: string
  title: string
  instructorName: string
  rating: number
  reviewCount: number
}

/** The size in pixels that social networks ask for. */
const width = 1200
const height = 630

/**
 * The texts stand in a column on the left. The column overlaps the cover, which fades out there.
 */
const textLeft = 72
const textWidth = 540
const coverLeft = 560
/** Where the fade begins and ends, as a part of the width. */
const fadeStartShare = 0.46
const fadeEndShare = 0.75
const fadeColor = '#0d0f1a'
/** The color behind the left column, which the fade covers. */
const backgroundColor = '#1b1840'

export async function drawSharePicture(
  course: PictureContents,
  cover: Buffer,
  logo: SiteLogo | null,
): Promise<Buffer> {
  const sharp = await loadSharp()
  const texts = await drawTexts(course, logo)
  const foreground = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="fade"><stop offset="${fadeStartShare}" stop-color="${fadeColor}"/>
      <stop offset="${fadeEndShare}" stop-color="${fadeColor}" stop-opacity="0"/></linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#fade)"/>${texts}</svg>`

  const croppedCover = await sharp(cover)
    .resize(width - coverLeft, height, { fit: 'cover' })
    .toBuffer()

  return sharp({ create: { width, height, channels: 3, background: backgroundColor } })
    .composite([
      { input: croppedCover, left: coverLeft, top: 0 },
      { input: Buffer.from(foreground) },
    ])
    .jpeg({ quality: 84, mozjpeg: true })
    .toBuffer()
}

const titleFontSize = 60
const titleLineHeight = titleFontSize * 1.15
const maxTitleLines = 4
/** The vertical middle of the title, however many lines it has. */
const titleCenterY = 330
/** Moves each baseline down from where the layout puts it. The value was chosen by eye. */
const baselineOffset = 20
const schoolMarkTop = 64
const schoolMarkHeight = 52.8
const instructorFontSize = 34

/** Returns the texts of the picture as SVG elements. */
async function drawTexts(course: PictureContents, logo: SiteLogo | null): Promise<string> {
  const [regularFonts, boldFonts] = await Promise.all([
    DrawingFonts.load(400, [course.instructorName]),
    DrawingFonts.load(600, [course.title, siteName()]),
  ])

  const titleLines = wrapText(boldFonts, course.title, {
    fontSize: titleFontSize,
    maxWidth: textWidth,
    maxLines: maxTitleLines,
  })
  const titleHeight = titleLines.length * titleLineHeight
  const titleTop = titleCenterY - titleHeight / 2
  const titleBottom = titleTop + titleHeight

  const schoolMark = drawSchoolMark(boldFonts, logo, {
    x: textLeft,
    y: schoolMarkTop,
    height: schoolMarkHeight,
    maxWidth: textWidth,
  })
  const title = titleLines.map((line, index) =>
    drawTextOutline(boldFonts, line, {
      x: textLeft,
      y: titleTop + index * titleLineHeight + baselineOffset,
      fontSize: titleFontSize,
      fill: '#ffffff',
      maxWidth: textWidth,
    }),
  )
  const instructor = drawTextOutline(regularFonts, course.instructorName, {
    x: textLeft,
    y: titleBottom + baselineOffset,
    fontSize: instructorFontSize,
    fill: '#d7d9e8',
    maxWidth: textWidth,
  })
  const rating = course.reviewCount > 0 ? drawRating(boldFonts, course) : ''

  return [schoolMark, ...title, instructor, rating].join('')
}

const ratingColor = '#f5b95f'
const ratingBaseline = 560
const starTop = ratingBaseline - 30
/** The width of the star and the gap after it. */
const starWidth = 48
/** A star in a square of 24 pixels. */
const starPath = 'M12 2l3.1 6.3 6.9 1-5 4.9 1.2 6.8-6.2-3.2L5.8 21 7 14.2l-5-4.9 6.9-1z'
const starScale = 1.45

function drawRating(fonts: DrawingFonts, { rating, reviewCount }: PictureContents): string {
  const star = `<path transform="translate(${textLeft} ${starTop}) scale(${starScale})" fill="${ratingColor}"
  d="${starPath}"/>`
  const text = `${rating.toFixed(1)}  (${formatCount(reviewCount, 'review', 'reviews')})`

  return (
    star +
    drawTextOutline(fonts, text, {
      x: textLeft + starWidth,
      y: ratingBaseline,
      fontSize: 30,
      fill: ratingColor,
      maxWidth: textWidth - starWidth,
    })
  )
}
