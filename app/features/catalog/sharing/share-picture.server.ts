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

const width = 1200
const height = 630
const left = 72
const room = 540
const coverLeft = 560
const titleSize = 60

/** The facts in the picture of a shared course. */
type SharedCourse = {
  id: string
  title: string
  instructorName: string
  rating: number
  reviews: number
}

/**
 * JPEG, 1200 by 630: the school, cover, title, instructor and rating. Text is drawn as outlines,
 * the same on every machine.
 */
async function draw(
  course: SharedCourse,
  coverFile: Buffer,
  logo: SiteLogo | null,
): Promise<Buffer> {
  const [sharp, regular, bold] = await Promise.all([
    loadSharp(),
    DrawingFonts.load(400, [course.instructorName]),
    DrawingFonts.load(600, [course.title, siteName()]),
  ])
  const lines = wrapText(bold, course.title, { fontSize: titleSize, maxWidth: room, maxLines: 4 })
  const first = 330 - (lines.length * titleSize * 1.15) / 2
  const below = first + lines.length * titleSize * 1.15
  const rating = `${course.rating.toFixed(1)}  (${formatCount(course.reviews, 'review', 'reviews')})`
  const text = [
    drawSchoolMark(bold, logo, { x: left, y: 64, height: 52.8, maxWidth: room }),
    ...lines.map((line, index) =>
      drawTextOutline(bold, line, {
        x: left,
        y: first + index * titleSize * 1.15 + 20,
        fontSize: titleSize,
        fill: '#ffffff',
        maxWidth: room,
      }),
    ),
    drawTextOutline(regular, course.instructorName, {
      x: left,
      y: below + 20,
      fontSize: 34,
      fill: '#d7d9e8',
      maxWidth: room,
    }),
    ...(course.reviews > 0
      ? [
          star,
          drawTextOutline(bold, rating, {
            x: left + 48,
            y: 560,
            fontSize: 30,
            fill: '#f5b95f',
            maxWidth: room - 48,
          }),
        ]
      : []),
  ]
  const front = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="fade"><stop offset="0.46" stop-color="#0d0f1a"/>
      <stop offset="0.75" stop-color="#0d0f1a" stop-opacity="0"/></linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#fade)"/>${text.join('')}</svg>`
  const cover = await sharp(coverFile)
    .resize(width - coverLeft, height, { fit: 'cover' })
    .toBuffer()

  return sharp({ create: { width, height, channels: 3, background: '#1b1840' } })
    .composite([{ input: cover, left: coverLeft, top: 0 }, { input: Buffer.from(front) }])
    .jpeg({ quality: 84, mozjpeg: true })
    .toBuffer()
}

const star = `<path transform="translate(${left} 530) scale(1.45)" fill="#f5b95f"
  d="M12 2l3.1 6.3 6.9 1-5 4.9 1.2 6.8-6.2-3.2L5.8 21 7 14.2l-5-4.9 6.9-1z"/>`

/** Each has at most 150 kB. */
const mostPictures = 200

/**
 * Cached by the facts in the picture and the school's look: each is drawn once, and again only when
 * they change.
 */
const pictures = new LRUCache<string, Promise<Buffer>>({ max: mostPictures })

/** Exported for the tests. */
export const drawings = limitConcurrency(8, { name: 'share-pictures' })

/** @returns null for a course that does not exist. */
export async function findSharedCourse(
  db: Database,
  courseId: string,
): Promise<SharedCourse | null> {
  const [course] = await db
    .select({
      id: courses.id,
      title: courses.title,
      instructorName: courses.instructorName,
      rating: displayedRating,
      reviews: displayedReviewCount,
    })
    .from(courses)
    .where(and(eq(courses.id, courseId), eq(courses.published, true)))

  return course ?? null
}

/** @throws {BusyError} while too many others are drawn. */
export async function sharePicture(db: Database, course: SharedCourse): Promise<Buffer> {
  const file = await findPicture(env.CONTENT_DIR, `courses/${course.id}/cover-1280.webp`).catch(
    () => null,
  )
  const changedAt = file && (await stat(file)).mtimeMs
  const { logo, logoDark } = currentSite()
  const key = JSON.stringify([course, changedAt, siteName(), logo, logoDark])
  const known = pictures.get(key)
  if (known) {
    return known
  }

  const picture = drawings.run(async () => {
    const cover = file ? await readFile(file) : Buffer.from(drawCourseCover(course.id))
    return draw(course, cover, await findSiteLogo(db, 'dark'))
  })
  pictures.set(key, picture)
  picture.catch(() => pictures.delete(key))

  return picture
}
