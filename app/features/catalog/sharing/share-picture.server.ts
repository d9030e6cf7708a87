/**
 * The preview picture of a course, which social networks show beside a link to its page.
 *
 * The pictures that were requested last stay in memory until their contents change.
 */
import { readFile, stat } from 'node:fs/promises'
import { and, eq } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { findPicture } from '~/features/courses/content/picture-files.server'
import {
  displayedRating,
  displayedReviewCount,
} from '~/features/reviews/review-page-queries.server'
import type { Database } from '~/server/database/client.server'
import { courses } from '~/server/database/schema/index'
import { DrawingFonts } from '~/server/drawing/drawing-fonts.server'
import { drawCourseCover } from '~/server/drawing/drawn-cover.server'
import { drawSchoolMark, drawTextOutline, wrapText } from '~/server/drawing/school-mark.server'
import { loadSharp } from '~/server/drawing/sharp.server'
import { env } from '~/server/env.server'
import { limitConcurrency } from '~/server/http/limit-concurrency.server'
import { findSiteLogo, type SiteLogo } from '~/server/site/brand-files.server'
import { currentSite, siteName } from '~/server/site/site.server'
import { formatCount } from '~/ui/format-count'

/** @returns null if the course doesn't exist or isn't published */
export async function findPictureContents(
  db: Database,
  courseId: string,
): Promise<PictureContents | null> {
  const [course] = await db
    .select({
      id: courses.id,
      title: courses.title,
      instructorName: courses.instructorName,
      rating: displayedRating,
      reviewCount: displayedReviewCount,
    })
    .from(courses)
    .where(and(eq(courses.id, courseId), eq(courses.published, true)))

  return course ?? null
}

/** A picture usually has less than 150 kB, so that all of them take about 30 MB. */
const maxCachedPictures = 200
const pictureCache = new LRUCache<string, Promise<Buffer>>({ max: maxCachedPictures })

/** At most 8 pictures are drawn at the same time. Further requests are refused. Exported for the tests. */
export const drawingLimit = limitConcurrency(8, { name: 'share-pictures' })

/**
 * Returns the picture as JPEG.
 *
 * @throws {BusyError} if too many other pictures are being drawn
 */
export async function getSharePicture(db: Database, course: PictureContents): Promise<Buffer> {
  const coverPath = await findCoverPath(course.id)
  const coverChangedAt = coverPath === null ? null : (await stat(coverPath)).mtimeMs
  const { logo, logoDark } = currentSite()

  const cacheKey = JSON.stringify([course, coverChangedAt, siteName(), logo, logoDark])
  const cachedPicture = pictureCache.get(cacheKey)
  if (cachedPicture) {
    return cachedPicture
  }

  const picture = drawingLimit.run(async () => {
    const cover = coverPath ? await readFile(coverPath) : Buffer.from(drawCourseCover(course.id))
    return drawSharePicture(course, cover, await findSiteLogo(db, 'dark'))
  })
  pictureCache.set(cacheKey, picture)
  picture.catch(() => pictureCache.delete(cacheKey))

  return picture
}

async function findCoverPath(courseId: string): Promise<string | null> {
  try {
    return await findPicture(env.CONTENT_DIR, `courses/${courseId}/cover-1280.webp`)
  } catch {
    // The course has no cover, so one is drawn.
    return null
  }
}

/*
 * Draws the preview picture of a course.
 *
 * The picture shows the course's cover on the right. On the left it shows the school, title,
 * instructor and rating. Texts are drawn as outlines, so that the picture looks the same on every
 * machine.
 */

/** The course's data that its picture shows. */
type PictureContents = {
  id: string
  title: string
  instructorName: string
  rating: number
  reviewCount: number
}

/** The size in pixels that social networks ask for. */
const width = 1200
const height = 630

/** The texts stand in a column on the left. Its right end lies on the cover, which fades out there. */
const textLeft = 72
const textWidth = 540
const coverLeft = 560
/** Where the fade begins and ends, as a part of the width. */
const fadeStart = 0.46
const fadeEnd = 0.75
const fadeColor = '#0d0f1a'
/** The color behind the left column, which the fade covers. */
const backgroundColor = '#1b1840'

async function drawSharePicture(
  course: PictureContents,
  cover: Buffer,
  logo: SiteLogo | null,
): Promise<Buffer> {
  const sharp = await loadSharp()
  const texts = await drawTexts(course, logo)
  const foreground = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="fade"><stop offset="${fadeStart}" stop-color="${fadeColor}"/>
      <stop offset="${fadeEnd}" stop-color="${fadeColor}" stop-opacity="0"/></linearGradient></defs>
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
