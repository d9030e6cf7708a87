import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { courses } from '~/server/database/schema/index'
import { testDatabase } from '../../../../tests/support/test-database'
import { findSharePicture } from './share-picture.server'

let db: Database

beforeAll(async () => {
  db = (await testDatabase()).db
})

describe('the picture of a shared course', () => {
  it('has the size that networks ask for, and is drawn once', async () => {
    const [first, again] = await Promise.all([1, 2].map(() => findSharePicture(db, 'python-from-zero')))
    expect(again).toBe(first)
    expect(await findSharePicture(db, 'python-from-zero')).toBe(first)
    const { format, width, height } = await sharp(first as Buffer).metadata()
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1200, height: 630 })
    expect((first as Buffer).length).toBeLessThan(150_000)
  })

  it('is drawn anew when what it says has changed', async () => {
    const before = await findSharePicture(db, 'typography-for-screens')
    await db
      .update(courses)
      .set({ title: 'W'.repeat(80) })
      .where(eq(courses.id, 'typography-for-screens'))
    const after = await findSharePicture(db, 'typography-for-screens')
    expect(after).toBeInstanceOf(Buffer)
    expect(after).not.toBe(before)
  })

  it('is none of a course that is not published or does not exist', async () => {
    await db.update(courses).set({ published: false }).where(eq(courses.id, 'financial-modelling'))
    expect(await findSharePicture(db, 'financial-modelling')).toBeNull()
    expect(await findSharePicture(db, '../etc')).toBeNull()
  })

  it('waits for nobody: more than a few at once are refused', async () => {
    await db.update(courses).set({ reviews: 7 })
    const ids = (await db.select({ id: courses.id }).from(courses).where(eq(courses.published, true))).map(
      ({ id }) => id,
    )
    const pictures = await Promise.all(ids.map((id) => findSharePicture(db, id)))
    const busy = pictures.filter((picture) => picture === 'busy')
    expect(busy.length).toBeGreaterThan(0)
    expect(busy.length).toBeLessThanOrEqual(ids.length - 8)
  })
})
