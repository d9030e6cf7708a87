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
import { drawCourseCover } from '~/server/drawing/drawn-cover.server'
import { env } from '~/server/env.server'
import { limitConcurrency } from '~/server/http/limit-concurrency.server'
import { findSiteLogo } from '~/server/site/brand-files.server'
import { currentSite, siteName } from '~/server/site/site.server'
import { drawSharePicture, type PictureContents } from './draw-share-picture.server'

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

/**
 * At most 8 pictures are drawn at the same time. Further requests are refused. Exported for the
 * tests.
 */
export const drawingLimit = limitConcurrency(8, { name: 'share-pictures' })

/**
 * Returns the picture as JPEG.
 *
 * @throws {BusyError} if too many other pictures are being drawn or converted
 */
export async function getSharePicture(db: Database, course: PictureContents): Promise<Buffer> {
  // Without a cover of its own, the course gets a drawn one.
  const coverPath = await findPicture(env.CONTENT_DIR, `courses/${course.id}/cover-1280.webp`)
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
