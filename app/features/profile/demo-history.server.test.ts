import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contentHooks } from '~/content-hooks.server'
import { syncDemoAccount } from '~/features/accounts/demo-account.server'
import { loadContent } from '~/features/courses/content/content-loader.server'
import type { Database } from '~/server/database/client.server'
import { copyShippedContent } from '../../../tests/support/shipped-content'
import { createTestDatabase } from '../../../tests/support/test-database'
import { loadDemoHistory } from './demo-history.server'
import type { LearnerRecord } from './learner-record'
import { getLearnerRecord } from './learner-record-queries.server'

const { folder: shipped, remove: removeContent } = await copyShippedContent()
afterAll(removeContent)

const now = new Date()
let db: Database
let record: LearnerRecord

beforeAll(async () => {
  db = (await createTestDatabase()).db
  await loadContent(db, shipped, contentHooks)
})

test('without a demo account nothing is stored', async () => {
  expect(await loadDemoHistory(db, shipped, now)).toBe(false)
})

describe('the demo learner', () => {
  beforeAll(async () => {
    await syncDemoAccount(db, true)
    const stored = await Promise.all([1, 2, 3].map(() => loadDemoHistory(db, shipped, now)))
    expect(stored.filter(Boolean)).toHaveLength(1)
    record = await getLearnerRecord(db, 'demo-learner', now)
  })

  test('has 5 courses, 2 completed, 2 certificates and 127 study hours', () => {
    expect(record).toMatchObject({
      totalCourses: 5,
      completedCourses: 2,
      certificatesEarned: 2,
      studyHours: 127,
    })

    const completed = record.enrolledCourses.filter((course) => course.completedAt)
    expect(completed.map((course) => course.progress)).toEqual([100, 100])
  })

  test('has 6 exam results in all three grades', () => {
    expect(record.examScores).toHaveLength(6)
    expect(new Set(record.examScores.map(({ grade }) => grade))).toEqual(
      new Set(['excellent', 'good', 'average']),
    )
  })

  test('shows recent activities of all five types, newest first', () => {
    expect(record.recentActivities.length).toBeGreaterThanOrEqual(10)
    expect(new Set(record.recentActivities.map(({ type }) => type)).size).toBe(5)

    const times = record.recentActivities.map(({ time }) => time)
    expect(times).toEqual(times.toSorted().reverse())
  })

  test('earned some achievements and not others, each as its rule says', () => {
    expect(record.achievements.map(({ id }) => id)).toEqual([
      'first-certificate',
      'high-achiever',
      'consistent-learner',
    ])

    const { longestStreakDays, bestExamPercent, lessonsDone } = record.achievementStatistics
    expect(longestStreakDays).toBeGreaterThanOrEqual(7)
    expect(bestExamPercent).toBeGreaterThanOrEqual(95)
    expect(lessonsDone).toBeLessThan(50)
    expect(record.currentStreakDays).toBe(12)
  })

  test('did nothing in the future', () => {
    const courses = record.enrolledCourses.flatMap(({ lastAccessed }) => lastAccessed ?? [])
    const timestamps = [
      record.createdAt,
      ...record.recentActivities.map(({ time }) => time),
      ...courses,
    ]

    expect(timestamps.every((moment) => moment < now.toISOString())).toBe(true)
  })

  test('keeps the history it has', async () => {
    const later = new Date(now.getTime() + 40 * 86_400_000)

    expect(await loadDemoHistory(db, shipped, later)).toBe(false)
    expect(await getLearnerRecord(db, 'demo-learner', now)).toEqual(record)
  })
})
