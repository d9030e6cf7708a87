import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as tables from '~/server/database/schema'
import { deskCourses, deskFigures } from '~/server/database/schema'
import { testDatabase } from '../../../tests/support/test-database'
import { countFigures } from './figures.server'

const { db } = await testDatabase()

const courses = ['python-from-zero', 'typography-for-screens']
const { rows: lessons } = await db.execute<{ courseId: string; id: string }>(
  sql`select course_id as "courseId", id from counting_lessons where course_id = any(${sql.param(courses)}::text[])`,
)
const today = '2026-11-26'
const now = new Date(`${today}T09:00:00Z`)
const dayMs = 24 * 60 * 60_000
const daysAgo = (days: number) => new Date(Date.parse(`${today}T08:00:00Z`) - days * dayMs)
const isoDay = (days: number) => daysAgo(days).toISOString().slice(0, 10)

type Learner = {
  joined: number
  courses: { course: number; enrolled: number; opened: number; completed: boolean }[]
  lessons: { lesson: number; day: number; done: boolean }[]
  studied: number[]
  missed: string[]
}

/** Days ago; some before the days that are shown. */
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

async function store(people: readonly Learner[]): Promise<void> {
  await db.execute(sql`delete from users`)
  for (const [index, person] of people.entries()) {
    const uid = `learner-${index}`
    const name = { name: 'Ada', firstName: 'Ada', email: `${uid}@test.example` }
    await db.insert(tables.users).values({ id: uid, ...name, createdAt: daysAgo(person.joined) })
    for (const { course, enrolled, opened, completed } of person.courses) {
      await db.insert(tables.enrollments).values({
        ...{
          uid,
          courseId: courses[course] ?? '',
          enrolledAt: daysAgo(enrolled),
          lastAccessedAt: daysAgo(opened),
        },
        completedAt: completed ? daysAgo(0) : null,
      })
    }

    for (const { lesson, day, done } of person.lessons) {
      await db.insert(tables.lessonProgress).values({
        ...{ uid, courseId: lessons[lesson]?.courseId ?? '', lessonId: lessons[lesson]?.id ?? '' },
        earnedAt: done ? daysAgo(day) : null,
      })
    }

    for (const day of person.studied) {
      await db.insert(tables.studyDays).values({ uid, day: isoDay(day), studied: '{}' })
    }

    for (const questionId of person.missed) {
      await db.insert(tables.practiceCards).values({
        ...{ uid, courseId: courses[0] ?? '', questionId, stability: 1, difficulty: 5 },
        ...{ seenAt: daysAgo(1), seenOn: isoDay(1), dueOn: isoDay(0) },
      })
    }
  }
}

describe('the figures of the desk', () => {
  it('are what counting every learner’s work by hand gives', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(learners, async (people) => {
        await store(people)
        await countFigures(db, now)
        const [school] = await db.select().from(deskFigures)
        const counted = new Map(school?.days.map((day) => [day.day, day]))
        expect([counted.size, school?.days.at(-1)?.day, school?.learners]).toEqual([
          60,
          today,
          people.length,
        ])

        const enrolled = people.flatMap((person) => person.courses)
        const done = people.flatMap((person) => person.lessons).filter((lesson) => lesson.done)
        for (let ago = 0; ago < 60; ago++) {
          expect(counted.get(isoDay(ago))).toEqual({
            day: isoDay(ago),
            newLearners: people.filter(({ joined }) => joined === ago).length,
            activeLearners: people.filter(({ studied }) => studied.includes(ago)).length,
            enrollments: enrolled.filter((enrollment) => enrollment.enrolled === ago).length,
            lessons: done.filter(({ day }) => day === ago).length,
            certificates: 0,
            revenueMinor: 0,
          })
        }

        const active = (from: number, to: number) =>
          people.filter(({ studied }) => studied.some((day) => day >= from && day < to)).length
        expect([school?.activeNow, school?.activeBefore]).toEqual([active(0, 30), active(30, 60)])

        const byCourse = new Map(
          (await db.select().from(deskCourses)).map((course) => [course.courseId, course]),
        )
        for (const [place, courseId] of courses.entries()) {
          const own = enrolled.filter(({ course }) => course === place)
          expect(byCourse.get(courseId)).toMatchObject({
            learners: own.length,
            active: own.filter(({ opened }) => opened < 30).length,
            completed: own.filter(({ completed }) => completed).length,
          })
          const stuck = people
            .flatMap((person, index) =>
              person.courses.map((one) => ({ ...one, uid: `learner-${index}` })),
            )
            .filter((one) => one.course === place && !one.completed && one.opened < one.enrolled)
            .filter(({ opened }) => opened > 14 && opened < 90)

          expect(new Set(byCourse.get(courseId)?.stuck)).toEqual(
            new Set(stuck.map(({ uid }) => uid)),
          )
          const begun = people
            .flatMap((person) => person.lessons)
            .filter(({ lesson }) => lessons[lesson]?.courseId === courseId)
          const sums = byCourse.get(courseId)?.lessons ?? []
          expect(sums.reduce((sum, lesson) => sum + lesson.begun, 0)).toBe(begun.length)
          expect(sums.reduce((sum, lesson) => sum + lesson.done, 0)).toBe(
            begun.filter((lesson) => lesson.done).length,
          )
        }

        const missed = byCourse.get(courses[0] ?? '')?.questions ?? []
        for (const id of ['q1', 'q2', 'q3']) {
          const count = people.filter((person) => person.missed.includes(id)).length
          expect(missed.find((question) => question.id === id)?.missed ?? 0).toBe(count)
        }

        expect(missed.map((question) => question.missed)).toEqual(
          missed.map((question) => question.missed).sort((a, b) => b - a),
        )
      }),
      { numRuns: 12 },
    )
  })
})
