import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { courses, homeCourses } from '~/server/database/schema'
import { adminOf, auditOf } from '../../tests/support/admin'
import { testDatabase } from '../../tests/support/test-database'

const id = 'python-from-zero'
const { db } = await testDatabase()
const admin = adminOf(db)

beforeEach(async () => {
  await admin('course', 'follow-file', id)
})

const stored = async () => (await db.select().from(courses).where(eq(courses.id, id)))[0]

describe('a course', () => {
  it('is withdrawn and published by a command, and the audit has both', async () => {
    expect(await admin('course', 'withdraw', id)).toMatch(/^The course is not published\. /)
    expect(await stored()).toMatchObject({ published: false })
    expect(await admin('course', 'publish', id)).toMatch(/^The course is published\. /)
    expect(await auditOf(db, 'course publish')).toMatchObject([
      { subject: id, changes: { published: { from: false, to: true } } },
    ])
    await expect(admin('course', 'withdraw', 'flying')).rejects.toThrow('No course has the ID')
  })

  it('gets a price with a sale, and the one of its file again', async () => {
    const before = await stored()
    await admin('course', 'price', id, '120', '--sale', '77.50', '--until', '2999-12-24')
    expect(await stored()).toMatchObject({
      priceCents: 7_750,
      originalPriceCents: 12_000,
      priceUntil: '2999-12-24',
    })

    expect(await admin('course', 'follow-file', id)).toContain('as its file says')
    expect(await stored()).toEqual(before)
    await expect(admin('course', 'price', id, '10', '--until', '2999-12-24')).rejects.toThrow(
      'Only a sale price',
    )
  })

  it('is put on Home in an order, or none is', async () => {
    await admin('course', 'home', 'typography-for-screens', id)
    const chosen = await db.select().from(homeCourses).orderBy(homeCourses.place)
    expect(chosen.map(({ courseId }) => courseId)).toEqual(['typography-for-screens', id])
    expect(await admin('course', 'home')).toContain('the most popular courses')
    expect(await db.select().from(homeCourses)).toEqual([])
  })
})
