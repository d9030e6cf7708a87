import { sql } from 'drizzle-orm'
import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { users } from './accounts'
import { courseId, uid } from './columns'
import { instant } from './instant'

/** Who works at the desk; what each role may do is in `features/staff/permissions.ts`. */
export const staff = pgTable('staff', {
  uid: text()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  role: text({ enum: ['owner', 'manager', 'teacher'] }).notNull(),
  /** For a teacher: sees the email addresses of learners, too. */
  seesAddresses: boolean('sees_addresses').notNull().default(false),
  since: instant('since').notNull().defaultNow(),
})

/** A teacher's courses. */
export const staffCourses = pgTable(
  'staff_courses',
  { uid: uid(), courseId: courseId('cascade') },
  (table) => [primaryKey({ columns: [table.uid, table.courseId] })],
)

/** A day in UTC. */
export type DayFigures = {
  /** Like 2026-11-26. */
  day: string
  newLearners: number
  activeLearners: number
  enrollments: number
  lessons: number
  certificates: number
  /**
   * In the smallest unit of the school's currency; refunds are taken away on the day they were
   * made.
   */
  revenueMinor: number
}

/** One row: figures of the school that take long to count, counted by the background work. */
export const deskFigures = pgTable('desk_figures', {
  id: integer().primaryKey(),
  countedAt: instant('counted_at').notNull(),
  /** The last 60 days, oldest first; the last one is the day of the count. */
  days: jsonb().$type<DayFigures[]>().notNull(),
  /** Different learners in the last 30 days, and in the 30 before. */
  activeNow: integer('active_now').notNull(),
  activeBefore: integer('active_before').notNull(),
  learners: integer().notNull(),
  /** What `npm run admin -- orders check` lists. */
  orderProblems: integer('order_problems').notNull(),
})

export type LessonFigures = { id: string; begun: number; done: number }
export type QuestionFigures = { id: string; lessonId: string | null; missed: number }

/** The figures of each course, counted like `desk_figures`. */
export const deskCourses = pgTable('desk_courses', {
  courseId: courseId('cascade').primaryKey(),
  learners: integer().notNull(),
  /** Opened the course in the last 30 days. */
  active: integer().notNull(),
  completed: integer().notNull(),
  certificates: integer().notNull(),
  revenueMinor: bigint('revenue_minor', { mode: 'number' }).notNull(),
  /** Counting lessons with work, in no order. */
  lessons: jsonb().$type<LessonFigures[]>().notNull(),
  /** The uids of some learners who are stuck, last seen first. */
  stuck: text().array().notNull().default(sql`'{}'`),
  /** The questions that most learners got wrong, most first. */
  questions: jsonb().$type<QuestionFigures[]>().notNull(),
})
