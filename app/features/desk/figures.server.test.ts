import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as tables from '~/server/database/schema'
import { deskCourses, deskFigures } from '~/server/database/schema'
import { refreshSite } from '~/server/site/site.server'
import { createTestDatabase } from '../../../tests/support/test-database'
import { countFigures } from './figures.server'

const { db } = await createTestDatabase()

const courseIds = ['python-from-zero', 'typography-for-screens']
const { rows: lessons } = await db.execute<{ courseId: string; id: string }>(
  sql`select course_id as "courseId", id from counting_lessons where course_id = any(${sql.param(courseIds)}::text[])`,
)
const today = '2026-11-26'
const now = new Date(`${today}T09:00:00Z`)
const dayMs = 24 * 60 * 60_000
const daysAgo = (days: number) => new Date(Date.parse(`${today}T08:00:00Z`) - days * dayMs)
const formatDay = (days: number) => daysAgo(days).toISOString().slice(0, 10)

/** A learner. All numbers of days count back from today. */
type Learner = {
  joined: number
  courses: { course: number; enrolled: number; opened: number; completed: boolean }[]
  lessons: { lesson: number; day: number; done: boolean }[]
  studied: number[]
  missed: string[]
}

/** The figures show 60 days, so some of these days are too early for them. */
const days = fc.integer({ min: 1, max: 80 })
const learners = fc.array(
  fc.record<Learner>({
    joined: days,
    courses: fc.uniqueArray(
      fc.record({ course: fc.nat(1), enrolled: days, opened: days, completed: fc.boolean() }),
      {
        selector: ({ course }) => course,
      },
    ),
    lessons: fc.uniqueArray(
      fc.record({ lesson: fc.nat(lessons.length - 1), day: days, done: fc.boolean() }),
      {
        selector: ({ lesson }) => lesson,
        maxLength: 8,
      },
    ),
    studied: fc.uniqueArray(days, { maxLength: 8 }),
    missed: fc.uniqueArray(fc.constantFrom('q1', 'q2', 'q3')),
  }),
  { minLength: 1, maxLength: 8 },
)

describe('countFigures', () => {
  it('counts what every learner did, without gaps or duplicates', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(learners, async (people) => {
        await storeLearners(people)
        await countFigures(db, now)

        await expectSchoolFigures(people)
        await expectCourseFigures(people)
        await expectHardQuestions(people)
      }),
      { numRuns: 12 },
    )
  })

  it('counts by days in the time zone of the school', async () => {
    await db.execute(sql`delete from users`)
    const name = { name: 'Ada', firstName: 'Ada', email: 'ada@test.example' }
    // It is 11 PM of the day before in New York.
    const createdAt = new Date('2026-11-20T04:00:00Z')
    await db.insert(tables.users).values({ id: 'ada', ...name, createdAt })

    await setTimeZone('America/New_York')
    await countFigures(db, new Date('2026-11-26T03:00:00Z'))
    const [figures] = await db.select().from(deskFigures)
    await setTimeZone(null)

    expect(figures?.days.at(-1)?.day).toBe('2026-11-25')
    expect(figures?.days.find(({ newLearners }) => newLearners === 1)?.day).toBe('2026-11-19')
  })

  it.each([
    ['by another name of the zone', 'US/Pacific-New', '2026-11-25'],
    ['in UTC if it knows no name of the zone', 'SystemV/AST4', '2026-11-26'],
  ])('counts on a database without the name of the stored time zone %s', async (_, zone, day) => {
    await setTimeZone(zone)
    await countFigures(db, new Date('2026-11-26T03:00:00Z'))
    const [figures] = await db.select().from(deskFigures)
    await setTimeZone(null)

    expect(figures?.days.at(-1)?.day).toBe(day)
  })
})

/** @param timeZone null for the default, UTC */
async function setTimeZone(timeZone: string | null): Promise<void> {
  await db.delete(tables.siteVersions)
  if (timeZone !== null) {
    await db
      .insert(tables.siteVersions)
      .values({ part: 'timeZone', version: 1, value: timeZone, by: 'ada' })
  }

  await refreshSite(db)
}

async function storeLearners(people: readonly Learner[]): Promise<void> {
  await db.execute(sql`delete from users`)
  for (const [index, person] of people.entries()) {
    await storeLearner(getUid(index), person)
  }
}

function getUid(index: number): string {
  return `learner-${index}`
}

async function storeLearner(uid: string, person: Learner): Promise<void> {
  const name = { name: 'Ada', firstName: 'Ada', email: `${uid}@test.example` }
  await db.insert(tables.users).values({ id: uid, ...name, createdAt: daysAgo(person.joined) })

  for (const { course, enrolled, opened, completed } of person.courses) {
    await db.insert(tables.enrollments).values({
      uid,
      courseId: courseIds[course] ?? '',
      enrolledAt: daysAgo(enrolled),
      lastAccessedAt: daysAgo(opened),
      completedAt: completed ? daysAgo(0) : null,
    })
  }

  for (const { lesson, day, done } of person.lessons) {
    await db.insert(tables.lessonProgress).values({
      uid,
      courseId: lessons[lesson]?.courseId ?? '',
      lessonId: lessons[lesson]?.id ?? '',
      earnedAt: done ? daysAgo(day) : null,
    })
  }

  for (const day of person.studied) {
    await db.insert(tables.studyDays).values({ uid, day: formatDay(day), studied: '{}' })
  }

  for (const questionId of person.missed) {
    await db.insert(tables.practiceCards).values({
      uid,
      courseId: courseIds[0] ?? '',
      questionId,
      stability: 1,
      difficulty: 5,
      seenAt: daysAgo(1),
      seenOn: formatDay(1),
      dueOn: formatDay(0),
    })
  }
}

async function expectSchoolFigures(people: readonly Learner[]): Promise<void> {
  const [figures] = await db.select().from(deskFigures)
  expect(figures).toMatchObject({
    learners: people.length,
    activeNow: countActive(people, 0, 30),
    activeBefore: countActive(people, 30, 60),
  })

  const countedDays = new Map(figures?.days.map((day) => [day.day, day]))
  expect([countedDays.size, figures?.days.at(-1)?.day]).toEqual([60, today])

  const enrollments = people.flatMap((person) => person.courses)
  const doneLessons = people.flatMap((person) => person.lessons).filter(({ done }) => done)
  for (let ago = 0; ago < 60; ago++) {
    expect(countedDays.get(formatDay(ago))).toEqual({
      day: formatDay(ago),
      newLearners: people.filter(({ joined }) => joined === ago).length,
      activeLearners: people.filter(({ studied }) => studied.includes(ago)).length,
      enrollments: enrollments.filter(({ enrolled }) => enrolled === ago).length,
      lessons: doneLessons.filter(({ day }) => day === ago).length,
      certificates: 0,
      revenueMinor: 0,
    })
  }
}

function countActive(people: readonly Learner[], fromDay: number, toDay: number): number {
  return people.filter(({ studied }) => studied.some((day) => day >= fromDay && day < toDay)).length
}

async function expectCourseFigures(people: readonly Learner[]): Promise<void> {
  const enrollments = people.flatMap((person, index) =>
    person.courses.map((enrollment) => ({ ...enrollment, uid: getUid(index) })),
  )
  const progress = people.flatMap((person) => person.lessons)

  for (const [courseIndex, courseId] of courseIds.entries()) {
    const figures = await findCourseFigures(courseId)
    const courseEnrollments = enrollments.filter(({ course }) => course === courseIndex)
    expect(figures).toMatchObject({
      learners: courseEnrollments.length,
      active: courseEnrollments.filter(({ opened, enrolled }) => opened < enrolled && opened < 30)
        .length,
      completed: courseEnrollments.filter(({ completed }) => completed).length,
    })

    const stuck = courseEnrollments
      .filter(({ completed, opened, enrolled }) => !completed && opened < enrolled)
      .filter(({ opened }) => opened > 14 && opened < 90)
    expect(new Set(figures?.stuck)).toEqual(new Set(stuck.map(({ uid }) => uid)))

    const courseProgress = progress.filter(({ lesson }) => lessons[lesson]?.courseId === courseId)
    const lessonFigures = figures?.lessons ?? []
    expect(sum(lessonFigures.map(({ begun }) => begun))).toBe(courseProgress.length)
    expect(sum(lessonFigures.map(({ done }) => done))).toBe(
      courseProgress.filter(({ done }) => done).length,
    )
  }
}

async function expectHardQuestions(people: readonly Learner[]): Promise<void> {
  const figures = await findCourseFigures(courseIds[0] ?? '')
  const questions = figures?.questions ?? []
  for (const id of ['q1', 'q2', 'q3']) {
    const count = people.filter((person) => person.missed.includes(id)).length
    expect(questions.find((question) => question.id === id)?.missed ?? 0).toBe(count)
  }

  const counts = questions.map(({ missed }) => missed)
  expect(counts).toEqual(counts.toSorted((one, other) => other - one))
}

async function findCourseFigures(courseId: string) {
  const [figures] = await db.select().from(deskCourses).where(eq(deskCourses.courseId, courseId))
  return figures
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
