import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import * as tables from '~/server/database/schema'
import { createTestDatabase } from '../../../tests/support/test-database'
import { gatherDisputeEvidence } from './order-history.server'
import { findOrder } from './order-record.server'

const course = { courseId: 'python-from-zero' }
const at = new Date('2026-11-20T09:00:00Z')
const later = new Date('2026-11-21T10:30:00Z')

it('the evidence for a dispute has the buyer, the dispute and the use of the course', async () => {
  const { db } = await createTestDatabase()
  const uid = 'ada'
  const email = 'ada@test.example'
  await db
    .insert(tables.users)
    .values({ id: uid, email, name: 'Ada Byron', firstName: 'Ada', lastName: 'Byron' })
  const order = {
    id: 'ABCDEFGH23',
    uid,
    ...course,
    courseTitle: 'Python from Zero',
    currency: 'USD',
    createdAt: at,
  }
  const price = { listMinor: 8900, totalMinor: 8900, buyer: { name: 'Ada Byron', email } }
  await db
    .insert(tables.orders)
    .values({ ...order, ...price, status: 'refunded', waiver: 'I give it up.', waivedAt: at })
  const payment = {
    id: 'payment',
    orderId: order.id,
    attempt: 1,
    provider: 'stripe',
    status: 'succeeded',
  } as const
  const settled = { amountMinor: 8900, intentId: 'pi_1', expiresAt: at, settledAt: at }
  await db.insert(tables.payments).values({ ...payment, ...settled })
  const dispute = {
    id: 'back',
    orderId: order.id,
    paymentId: 'payment',
    amountMinor: 8900,
    providerId: 'dp_1',
  }

  await db
    .insert(tables.refunds)
    .values({ ...dispute, status: 'succeeded', reason: 'dispute: fraudulent', createdAt: later })
  await db
    .insert(tables.activities)
    .values({ uid, id: 'enrollment:python-from-zero', type: 'course', text: '', at })
  const lessons = await db
    .select()
    .from(tables.courseLessons)
    .where(eq(tables.courseLessons.courseId, course.courseId))
    .orderBy(tables.courseLessons.position)
  const [first, second] = lessons.filter(({ kind }) => kind !== 'announced')
  const planned = lessons.filter(({ kind }) => kind === 'announced')
  if (!first || !second || planned.length === 0) {
    throw new Error('The course needs two lessons with material and a planned one.')
  }

  await db.insert(tables.lessonProgress).values([
    { uid, ...course, lessonId: first.id, earnedAt: later },
    // The end of an article has no time.
    { uid, ...course, lessonId: second.id, readToEnd: true },
  ])
  const signIn = { uid, kind: 'signed-in', way: 'password', device: 'Firefox on Windows' } as const
  await db.insert(tables.securityEvents).values([
    { ...signIn, id: 'before', at: new Date('2026-11-01T08:00:00Z') },
    { ...signIn, id: 'after', at: later },
  ])

  const readEvidence = async () => {
    const storedOrder = await findOrder(db, order.id)
    return storedOrder && (await gatherDisputeEvidence(db, storedOrder))
  }

  const evidence = await readEvidence()
  // The refund has deleted the enrollment, but not the record of what was used.
  expect(evidence).toMatchObject({ enrolledAt: at, lastOpenedAt: later })
  expect(evidence?.signIns).toEqual([{ at: later, way: 'password', device: 'Firefox on Windows' }])

  expect(evidence?.lessons.filter(({ isBegun }) => isBegun)).toEqual([
    { title: first.title, isBegun: true, isDone: true, lastUsedAt: later },
    { title: second.title, isBegun: true, isDone: false, lastUsedAt: null },
  ])

  const titles = evidence?.lessons.map(({ title }) => title)
  // Nobody could do the lessons that the curriculum only announces.
  expect(titles).toHaveLength(lessons.length - planned.length)
  expect(titles).not.toContain(planned[0]?.title)

  const neverOpened = { uid, ...course, enrolledAt: at, lastAccessedAt: at }
  await db.insert(tables.enrollments).values(neverOpened)
  await db.delete(tables.lessonProgress)
  expect((await readEvidence())?.lastOpenedAt).toBeNull()

  await db.delete(tables.users)
  expect(await readEvidence()).toBeNull()
})
