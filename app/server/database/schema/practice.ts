import { sql } from 'drizzle-orm'
import {
  boolean,
  date,
  doublePrecision,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core'
import { users } from './accounts'
import { courseLessons } from './catalog'
import { courseId, uid } from './columns'
import { instant } from './instant'

/** Questions that a learner got wrong, and when each comes back (`features/learning/progress/missed-question-queries.server.ts`). */
export const practiceCards = pgTable(
  'practice_cards',
  {
    uid: uid(),
    courseId: courseId(),
    /** See `features/learning/progress/question-id.server.ts`. */
    questionId: text('question_id').notNull(),
    /** The quiz it was asked in; null for a question of the exam. */
    lessonId: text('lesson_id'),
    /** Days until the chance to remember has fallen to 90%. */
    stability: doublePrecision().notNull(),
    /** 1 to 10. */
    difficulty: doublePrecision().notNull(),
    /**
     * How often it was missed or practiced. A practice answer contains this number, so that a
     * repeated one counts once.
     */
    turn: integer().notNull().default(0),
    /** When it was last missed or practiced, and the learner's day of it. */
    seenAt: instant('seen_at').notNull(),
    seenOn: date('seen_on', { mode: 'string' }).notNull(),
    /** The learner's day from which on it is asked. */
    dueOn: date('due_on', { mode: 'string' }).notNull(),
    /** True if the latest practice answer was right; null without an answer since the miss. */
    right: boolean('was_right'),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.courseId, table.questionId] }),
    index('practice_cards_due').on(table.uid, table.dueOn),
    foreignKey({
      name: 'practice_cards_lesson',
      columns: [table.courseId, table.lessonId],
      foreignColumns: [courseLessons.courseId, courseLessons.id],
    }).onUpdate('cascade'),
  ],
)

/** The weekly goal of a learner, and when to remind them. */
export const studyPlans = pgTable(
  'study_plans',
  {
    uid: text()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Days of the week to learn on, 1 is Monday, ascending; the others are rest days. */
    weekdays: smallint().array().notNull(),
    /** The hour of the learner's day from which on a reminder may be sent; null: never. */
    reminderHour: smallint('reminder_hour'),
    remindedAt: instant('reminded_at'),
    /** When to look again whether a reminder is due; null without reminders. */
    lookAt: instant('look_at'),
  },
  (table) => [index('study_plans_look_at').on(table.lookAt).where(sql`look_at is not null`)],
)
