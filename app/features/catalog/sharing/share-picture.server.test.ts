import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import * as pictureFiles from '~/features/courses/content/picture-files.server'
import type { Database } from '~/server/database/client.server'
import { courses } from '~/server/database/schema/index'
import { BusyError } from '~/server/http/limit-concurrency.server'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { drawingLimit, findPictureContents, getSharePicture } from './share-picture.server'

let db: Database

beforeAll(async () => {
  db = (await createTestDatabase()).db
})

async function getPicture(courseId: string): Promise<Buffer | null> {
  const course = await findPictureContents(db, courseId)
  return course && getSharePicture(db, course)
}

describe('the picture of a shared course', () => {
  it('has the size that networks ask for, and is drawn once', async () => {
    const [picture, simultaneousPicture] = await Promise.all([
      getPicture('python-from-zero'),
      getPicture('python-from-zero'),
    ])

    expect(simultaneousPicture).toBe(picture)
    expect(await getPicture('python-from-zero')).toBe(picture)

    const { format, width, height } = await sharp(picture as Buffer).metadata()
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1200, height: 630 })
    expect((picture as Buffer).length).toBeLessThan(150_000)
  })

  it('is drawn again after the title has changed', async () => {
    const pictureBefore = await getPicture('typography-for-screens')

    await db
      .update(courses)
      .set({ title: 'W'.repeat(80) })
      .where(eq(courses.id, 'typography-for-screens'))

    const pictureAfter = await getPicture('typography-for-screens')

    expect(pictureAfter).toBeInstanceOf(Buffer)
    expect(pictureAfter).not.toBe(pictureBefore)
  })

  it('does not exist for a course that is not published or does not exist', async () => {
    await db.update(courses).set({ published: false }).where(eq(courses.id, 'financial-modelling'))

    expect(await getPicture('financial-modelling')).toBeNull()
    expect(await getPicture('../etc')).toBeNull()
  })

  it('is refused while many others are drawn, and drawn later', async () => {
    await db.update(courses).set({ reviews: 7 })
    const releases = await Promise.all(Array.from({ length: 8 }, () => drawingLimit.acquire()))

    await expect(getPicture('python-from-zero')).rejects.toThrow(BusyError)

    for (const release of releases) {
      release()
    }
    expect(await getPicture('python-from-zero')).toBeInstanceOf(Buffer)
  })

  it('is refused while the cover can’t be converted, instead of drawn with another cover', async () => {
    vi.spyOn(pictureFiles, 'findPicture').mockRejectedValueOnce(new BusyError('pictures'))

    await expect(getPicture('python-from-zero')).rejects.toThrow(BusyError)
  })
})
