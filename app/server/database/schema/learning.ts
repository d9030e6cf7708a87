import { type SQL, sql } from 'drizzle-orm'
import {
  boolean,
  customType,
  date,
  doublePrecision,
  foreignKey,
  index,
  integer,
  pgTable,
  pgView,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core'
import { users } from './accounts'
import { courseLessons } from './catalog'
import { courseId, uid } from './columns'
import { instant } from './instant'

/**
 * Half-open whole-number intervals, as PostgreSQL writes them: `{[0,1500),[4000,9000)}`. Their
 * union (`+`) is idempotent.
 */
const int4Multirange = customType<{ data: string }>({ dataType: () => 'int4multirange' })

/** Half-open spans of time, as PostgreSQL writes them. */
const instantMultirange = customType<{ data: string }>({ dataType: () => 'tstzmultirange' })

/**
 * Learners' progress. Every table has the learner's `uid` first in its key, so that one learner's
 * rows can be stored together.
 */

export const enrollments = pgTable(
  'enrollments',
  {
    uid: uid(),
    courseId: courseId(),
    enrolledAt: instant('enrolled_at').notNull().defaultNow(),
    lastAccessedAt: instant('last_accessed_at').notNull().defaultNow(),
    /**
     * When every lesson was done for the first time; stays when the operator adds lessons later.
     */
    completedAt: instant('completed_at'),
    /**
     * Since when the certificate is earned, but waits for the learner's address to be confirmed;
     * null otherwise.
     */
    certificateWaitsSince: instant('certificate_waits_since'),
    /**
     * Given by a paid order, and ends with it; otherwise the enrollment itself is the right to
     * learn the course.
     */
    byOrder: boolean('by_order').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.courseId] }),
    index('enrollments_course').on(table.courseId, table.enrolledAt),
    index('enrollments_certificate_waits')
      .on(table.uid)
      .where(sql`certificate_waits_since is not null`),
  ],
)

/**
 * One learner's work on one lesson. Each part merges by itself, so that late and repeated reports
 * change nothing.
 */
export const lessonProgress = pgTable(
  'lesson_progress',
  {
    uid: uid(),
    courseId: text('course_id').notNull(),
    lessonId: text('lesson_id').notNull(),
    /** Milliseconds of the lesson that were really played; reports are united. */
    watchedMs: int4Multirange('watched_ms').notNull().default(sql`'{}'`),
    /** Where to go on, in milliseconds of the lesson; the latest by `positionAt` counts. */
    positionMs: integer('position_ms').notNull().default(0),
    positionAt: instant('position_at'),
    /** Ids of the quiz questions that were answered (`features/learning/progress/question-id.server.ts`). */
    answered: text().array().notNull().default(sql`'{}'`),
    /** An article's last line was on the screen. */
    readToEnd: boolean('read_to_end').notNull().default(false),
    /**
     * When watching or answering finished the lesson for the first time; an article takes the
     * learner's mark, too.
     */
    earnedAt: instant('earned_at'),
    /** The learner's own word, which outweighs `earnedAt`; the latest by `markedAt` counts. */
    mark: text({ enum: ['done', 'undone'] }),
    markedAt: instant('marked_at'),
    done: boolean()
      .notNull()
      .generatedAlwaysAs(sql`coalesce(mark = 'done', earned_at is not null)`),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.courseId, table.lessonId] }),
    foreignKey({
      name: 'lesson_progress_lesson',
      columns: [table.courseId, table.lessonId],
      foreignColumns: [courseLessons.courseId, courseLessons.id],
    }).onUpdate('cascade'),
  ],
)

/**
 * Time spent learning. Intervals are united: the same report twice, or two devices at once, count
 * every minute once.
 */
export const studyDays = pgTable(
  'study_days',
  {
    uid: uid(),
    /** In the time zone that the learner had when it was reported. */
    day: date({ mode: 'string' }).notNull(),
    studied: instantMultirange().notNull(),
  },
  (table) => [primaryKey({ columns: [table.uid, table.day] })],
)

/**
 * Granted once, when earned; which there are and why is in `features/achievements/achievements.ts`.
 */
export const achievements = pgTable(
  'achievements',
  {
    uid: uid(),
    achievementId: text('achievement_id').notNull(),
    grantedAt: instant('granted_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.uid, table.achievementId] })],
)

/**
 * The activity list. The sentence is stored as worded at the time. The id names the event
 * (`lesson:COURSE:LESSON`), so that it is recorded once.
 */
export const activities = pgTable(
  'activities',
  {
    uid: uid(),
    id: text().notNull(),
    at: instant('at').notNull().defaultNow(),
    type: text({ enum: ['lesson', 'quiz', 'certificate', 'course', 'milestone'] }).notNull(),
    text: text().notNull(),
    /** Waits to be celebrated; false once a page of the learner's showed it. */
    uncelebrated: boolean().notNull().default(false),
    /** Version 0.1.0 wrote it; it goes once that version can't run beside this one any more. */
    takenAt: instant('taken_at'),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.id] }),
    index('activities_newest').on(table.uid, table.at, table.id),
    index('activities_uncelebrated').on(table.uid).where(sql`uncelebrated`),
  ],
)

export const notes = pgTable(
  'notes',
  {
    uid: uid(),
    /** Random and made by the browser, so a note sent twice is stored once. */
    id: text().notNull(),
    courseId: text('course_id').notNull(),
    lessonId: text('lesson_id').notNull(),
    positionMs: integer('position_ms').notNull().default(0),
    /** CommonMark. */
    body: text().notNull(),
    /** `body` as HTML, rendered when it was saved, by the version `rendering` of the renderer. */
    html: text().notNull(),
    rendering: integer().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.id] }),
    index('notes_course').on(table.uid, table.courseId),
    foreignKey({
      name: 'notes_lesson',
      columns: [table.courseId, table.lessonId],
      foreignColumns: [courseLessons.courseId, courseLessons.id],
    }).onUpdate('cascade'),
  ],
)

export const bookmarks = pgTable(
  'bookmarks',
  {
    uid: uid(),
    courseId: text('course_id').notNull(),
    lessonId: text('lesson_id').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.courseId, table.lessonId] }),
    foreignKey({
      name: 'bookmarks_lesson',
      columns: [table.courseId, table.lessonId],
      foreignColumns: [courseLessons.courseId, courseLessons.id],
    }).onUpdate('cascade'),
  ],
)

export const wishes = pgTable(
  'wishes',
  { uid: uid(), courseId: courseId(), createdAt: instant('created_at').notNull().defaultNow() },
  (table) => [primaryKey({ columns: [table.uid, table.courseId] })],
)

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

/** Rules by which queries count: each stands here once, for every query that needs it. */

/** Lessons that count towards their course: they have material and are in the curriculum still. */
export const countingLessons = pgView('counting_lessons', {
  courseId: text('course_id').notNull(),
  id: text().notNull(),
  title: text().notNull(),
  position: integer().notNull(),
  durationSeconds: integer('duration_seconds').notNull(),
}).as(sql`
  select course_id, id, title, position, duration_seconds from course_lessons where kind <> 'announced' and not retired`)

/**
 * How far a learner is in a course, by its counting lessons; `courseProgressPercent` makes the
 * percent of it.
 */
export const courseProgress = pgView('course_progress', {
  uid: text().notNull(),
  courseId: text('course_id').notNull(),
  totalLessons: integer('total_lessons').notNull(),
  doneLessons: integer('done_lessons').notNull(),
  totalSeconds: integer('total_seconds').notNull(),
  doneSeconds: integer('done_seconds').notNull(),
}).as(sql`
  select e.uid, e.course_id, l.* from enrollments e cross join lateral (
    select count(*)::int as total_lessons, count(*) filter (where p.done)::int as done_lessons,
      coalesce(sum(l.duration_seconds), 0)::int as total_seconds,
      coalesce(sum(l.duration_seconds) filter (where p.done), 0)::int as done_seconds
    from counting_lessons l
    left join lesson_progress p on p.uid = e.uid and p.course_id = l.course_id and p.lesson_id = l.id
    where l.course_id = e.course_id) l`)

/**
 * How many files a lesson offers, and how large they are together: JSON of `count` and `bytes`.
 *
 * @param downloads the column.
 */
export function countDownloads(downloads: SQL): SQL {
  return sql`select json_build_object('count', count(*), 'bytes', coalesce(sum((f->>'bytes')::int), 0))
    from jsonb_array_elements(${downloads}) f`
}
