import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { courses } from '~/server/database/schema/index'
import { BusyError } from '~/server/http/limit-concurrency.server'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { drawings, findSharedCourse, sharePicture } from './share-picture.server'

let db: Database

beforeAll(async () => {
  db = (await createTestDatabase()).db
})

async function pictureOf(id: string): Promise<Buffer | null> {
  const course = await findSharedCourse(db, id)
  return course && sharePicture(db, course)
}

describe('the picture of a shared course', () => {
  it('has the size that networks ask for, and is drawn once', async () => {
    const [first, again] = await Promise.all([1, 2].map(() => pictureOf('python-from-zero')))
    expect(again).toBe(first)
    expect(await pictureOf('python-from-zero')).toBe(first)
    const { format, width, height } = await sharp(first as Buffer).metadata()
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1200, height: 630 })
    expect((first as Buffer).length).toBeLessThan(150_000)
  })

  it('is drawn anew when what it says has changed', async () => {
    const before = await pictureOf('typography-for-screens')
    await db
      .update(courses)
      .set({ title: 'W'.repeat(80) })
      .where(eq(courses.id, 'typography-for-screens'))
    const after = await pictureOf('typography-for-screens')
    expect(after).toBeInstanceOf(Buffer)
    expect(after).not.toBe(before)
  })

  it('is none of a course that is not published or does not exist', async () => {
    await db.update(courses).set({ published: false }).where(eq(courses.id, 'financial-modelling'))
    expect(await pictureOf('financial-modelling')).toBeNull()
    expect(await pictureOf('../etc')).toBeNull()
  })

  it('is refused, and drawn later, while many others are drawn', async () => {
    await db.update(courses).set({ reviews: 7 })
    const releases = await Promise.all(Array.from({ length: 8 }, () => drawings.acquire()))
    await expect(pictureOf('python-from-zero')).rejects.toThrow(BusyError)
    for (const release of releases) {
      release()
    }

    expect(await pictureOf('python-from-zero')).toBeInstanceOf(Buffer)
  })
})
