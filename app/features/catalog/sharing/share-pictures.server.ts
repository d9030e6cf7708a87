import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { and, eq } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { shownRating, shownReviewCount } from '~/features/reviews/review-rating.server'
import { drawnCover } from '~/server/content/drawn-cover.server'
import type { Database } from '~/server/database/client.server'
import { courses } from '~/server/database/schema'
import { env } from '~/server/env.server'
import { sharePicture } from './share-picture.server'

/** About 300 pictures. */
const mostBytes = 24 * 1024 * 1024
const mostAtOnce = 8

/** By what a picture says: each is drawn once, and anew only when that changes. */
const kept = new LRUCache<string, Buffer>({ maxSize: mostBytes, sizeCalculation: ({ length }) => length })
const underWay = new Map<string, Promise<Buffer>>()

/** @returns null for a course that does not exist; 'busy' while too many others are drawn. */
export async function findSharePicture(db: Database, courseId: string): Promise<Buffer | 'busy' | null> {
  const [course] = await db
    .select({
      title: courses.title,
      instructorName: courses.instructorName,
      rating: shownRating,
      reviews: shownReviewCount,
    })
    .from(courses)
    .where(and(eq(courses.id, courseId), eq(courses.published, true)))
  if (!course) return null
  const file = path.join(env.CONTENT_DIR, 'courses', courseId, 'cover-1280.webp')
  const changedAt = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  )
  const key = JSON.stringify([courseId, course, changedAt])
  const known = kept.get(key) ?? underWay.get(key)
  if (known) return known
  if (underWay.size >= mostAtOnce) return 'busy'
  const drawing = readFile(file)
    .catch(() => Buffer.from(drawnCover(courseId)))
    .then((cover) => sharePicture({ ...course, cover }))
    .finally(() => underWay.delete(key))
  underWay.set(key, drawing)
  const picture = await drawing
  kept.set(key, picture)
  return picture
}
