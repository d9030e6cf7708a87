import { eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { writeCourseSearch } from '~/features/catalog/search/search-index.server'
import * as tables from '~/server/database/schema'
import { failure } from '~/server/result'
import { listAuditEntries, operatorContext } from '../../../tests/support/operator'
import { createTestDatabase } from '../../../tests/support/test-database'
import { hideReview, showReview } from './review-actions.server'

const courseId = 'python-from-zero'
const { db } = await createTestDatabase()
const context = { ...operatorContext(db), updateRatings: writeCourseSearch }

async function readProductVersion(): Promise<number> {
  const { rows } = await db.execute<{ version: number }>(sql`select version from product_state`)
  return Number(rows[0]?.version ?? 0)
}

it('hides and shows a review, with audit entries, for the search and for every process', async () => {
  await db
    .insert(tables.users)
    .values({ id: 'ada', email: 'ada@test.example', name: 'Ada', firstName: 'Ada' })
  await db.insert(tables.reviews).values({ uid: 'ada', courseId, id: 'r1', rating: 4 })
  await db.execute(sql`update course_search set rating = 1 where course_id = ${courseId}`)
  const versionBefore = await readProductVersion()

  const input = { courseId, reviewId: 'r1' }
  expect(await hideReview(context, input, 'Names a learner')).toMatchObject({ ok: true })
  expect(await db.select().from(tables.reviews)).toMatchObject([{ hiddenAt: expect.any(Date) }])
  expect(await readProductVersion()).toBeGreaterThan(versionBefore)

  const [searchRow] = await db
    .select()
    .from(tables.courseSearch)
    .where(eq(tables.courseSearch.courseId, courseId))
  expect(searchRow?.rating).toBe(4.7)

  expect(await showReview(context, input)).toMatchObject({ ok: true })
  expect(await db.select().from(tables.reviews)).toMatchObject([{ hiddenAt: null }])

  const entry = { subject: 'ada', arguments: { course: courseId, review: 'r1' } }
  expect(await listAuditEntries(db, 'review hide')).toMatchObject([entry])
  expect(await listAuditEntries(db, 'review show')).toMatchObject([entry])
})

it('refuses an unknown review without an audit entry', async () => {
  const entriesBefore = await listAuditEntries(db, 'review hide')

  expect(await hideReview(context, { courseId, reviewId: 'r2' }, 'Spam')).toEqual(
    failure(`The course '${courseId}' has no review with the ID 'r2'.`),
  )
  expect(await listAuditEntries(db, 'review hide')).toEqual(entriesBefore)
})
