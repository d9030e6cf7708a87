import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { examAttempts, users } from '~/server/database/schema'
import { createTestDatabase } from '../../../tests/support/test-database'
import { getScorePercent, isPassed } from './grade'

let db: Database

beforeAll(async () => {
  db = (await createTestDatabase()).db
  await db
    .insert(users)
    .values({ id: 'ada', email: 'ada@test.example', name: 'Ada', firstName: 'Ada' })
})

it('the database counts percent and passes as the rules do', async () => {
  const result = fc
    .tuple(fc.integer({ min: 1, max: 60 }), fc.nat(100), fc.integer({ min: 1, max: 100 }))
    .map(([maxScore, share, passPercent]) => ({
      maxScore,
      score: Math.floor((maxScore * share) / 100),
      passPercent,
    }))
  const results = fc.sample(result, { numRuns: 500, seed: 20_261_122 })
  const attempt = {
    uid: 'ada',
    courseId: 'python-from-zero',
    title: 'Exam',
    submittedAt: sql`now()`,
  }

  await db
    .insert(examAttempts)
    .values(results.map((made, index) => ({ ...attempt, id: `${index}`, ...made })))
  for (const row of await db.select().from(examAttempts)) {
    const made = { score: row.score ?? 0, maxScore: row.maxScore }
    expect([row.percent, row.passed]).toEqual([
      getScorePercent(made),
      isPassed(made, row.passPercent),
    ])
  }
})

it('an attempt under way is not passed', async () => {
  await db.delete(examAttempts)
  const open = { uid: 'ada', id: 'open', courseId: 'python-from-zero', title: 'Exam', maxScore: 8 }
  await db.insert(examAttempts).values(open)

  expect(await db.select().from(examAttempts)).toMatchObject([{ percent: null, passed: false }])
})
