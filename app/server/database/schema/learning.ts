/**
 * The tables of what learners do: their enrollments, progress, study time, notes and practice.
 *
 * The browser reports what a learner does in a lesson. Reports come late, twice and from several
 * devices, so each report is merged with what is stored.
 *
 * Learners can download their rows as an archive (`features/accounts/own-data/`). The names of the
 * properties below are part of the archive, so they stay as they are.
 *
 * A lesson is not deleted but retired. Only a lesson that was merged into another is deleted, after
 * the learners' rows have moved to the other lesson. So the foreign keys to lessons need no
 * `onDelete`.
 */
import { sql } from 'drizzle-orm'
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
 * Half-open intervals of whole numbers in PostgreSQL's notation, such as `{[0,1500),[4000,9000)}`.
 * The union (`+`) of two values is idempotent.
 */
const int4Multirange = customType<{ data: string }>({ dataType: () => 'int4multirange' })

/**
 * Half-open intervals of time in PostgreSQL's notation, such as
 * `{["2026-11-28 09:00+00","2026-11-28 09:20+00")}`.
 */
const instantMultirange = customType<{ data: string }>({ dataType: () => 'tstzmultirange' })

export const enrollments = pgTable(
  'enrollments',
  {
    uid: uid(),
    courseId: courseId(),
    enrolledAt: instant('enrolled_at').notNull().defaultNow(),
    lastAccessedAt: instant('last_accessed_at').notNull().defaultNow(),
    /**
     * The first time at which all lessons of the course were done. The time stays when lessons are
     * added later.
     */
    completedAt: instant('completed_at'),
    /**
     * The time since which an earned certificate waits for the learner to confirm their email
     * address or to give their name. It is null if no certificate waits.
     */
    certificateWaitsSince: instant('certificate_waits_since'),
    /**
     * Whether a paid order gives access to the course, so that the access ends with the order.
     * Otherwise the enrollment itself gives access.
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
 * A learner's progress in a lesson. A lesson is earned by the rules of its kind. It is done if the
 * learner marked it as done, or earned it and did not mark it as undone. Each column is merged on
 * its own, so that late and repeated reports do no harm.
 */
export const lessonProgress = pgTable(
  'lesson_progress',
  {
    uid: uid(),
    // The column has no foreign key of its own, because the one below covers it.
    courseId: text('course_id').notNull(),
    lessonId: text('lesson_id').notNull(),
    /** The milliseconds of the lesson that were played. A report is united with earlier ones. */
    watchedMs: int4Multirange('watched_ms').notNull().default(sql`'{}'`),
    /** The place in the video where it resumes. The report with the latest `positionAt` counts. */
    positionMs: integer('position_ms').notNull().default(0),
    positionAt: instant('position_at'),
    /**
     * The IDs of the quiz questions that the learner has answered. A report adds IDs
     * (`features/learning/progress/question-id.server.ts` computes them).
     */
    answered: text().array().notNull().default(sql`'{}'`),
    /** Whether the last line of an article was on the screen. It stays true. */
    readToEnd: boolean('read_to_end').notNull().default(false),
    /**
     * When the learner first earned the lesson: a video by watching it, a quiz by answering it, and
     * an article by both reading it to its end and marking it as done.
     */
    earnedAt: instant('earned_at'),
    /**
     * What the learner marked the lesson as, or null if they never did. The report with the latest
     * `markedAt` counts.
     */
    mark: text({ enum: ['done', 'undone'] }),
    markedAt: instant('marked_at'),
    /**
     * Whether the lesson counts as done. The mark decides. Without a mark, an earned lesson is
     * done.
     */
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
 * The time that a learner spent on learning. The intervals of a day are united, so that a repeated
 * report or a second device counts no minute of a day twice.
 */
export const studyDays = pgTable(
  'study_days',
  {
    uid: uid(),
    /** The day in the time zone that the learner had when the time was reported. */
    day: date({ mode: 'string' }).notNull(),
    /** The times during which the learner studied. A report is united with earlier ones. */
    studied: instantMultirange().notNull(),
  },
  (table) => [primaryKey({ columns: [table.uid, table.day] })],
)

/**
 * The achievements that learners have earned. `features/achievements/achievements.ts` defines them.
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

/** What learners did, as the dashboard lists it. */
export const activities = pgTable(
  'activities',
  {
    uid: uid(),
    /** Identifies the event (`lesson:COURSE:LESSON`), so that it is recorded once. */
    id: text().notNull(),
    at: instant('at').notNull().defaultNow(),
    /** What the event is about. The type `milestone` means an achievement. */
    type: text({ enum: ['lesson', 'quiz', 'certificate', 'course', 'milestone'] }).notNull(),
    /** The sentence that the dashboard shows. It keeps the wording of the time of the event. */
    text: text().notNull(),
    /** Whether the next page that the learner opens celebrates the event. */
    uncelebrated: boolean().notNull().default(false),
    /**
     * Only version 0.1.0 writes this column. It can be dropped once that version can't run beside
     * this one.
     */
    takenAt: instant('taken_at'),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.id] }),
    index('activities_newest').on(table.uid, table.at, table.id),
    index('activities_uncelebrated').on(table.uid).where(sql`uncelebrated`),
  ],
)

/** What learners write at a place in a lesson. */
export const notes = pgTable(
  'notes',
  {
    uid: uid(),
    /** A random ID that the browser creates, so that a note sent twice is stored once. */
    id: text().notNull(),
    courseId: text('course_id').notNull(),
    lessonId: text('lesson_id').notNull(),
    positionMs: integer('position_ms').notNull().default(0),
    /** The text in CommonMark. */
    body: text().notNull(),
    /** The safe HTML of `body`, rendered when the note was saved. The renderer escapes all HTML. */
    html: text().notNull(),
    /**
     * The number of the renderer's version that made `html`. A new version renders `body` again.
     */
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

/** The lessons that learners keep at hand. */
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

/** The wish lists of learners: the courses that they have saved for later. */
export const wishes = pgTable(
  'wishes',
  { uid: uid(), courseId: courseId(), createdAt: instant('created_at').notNull().defaultNow() },
  (table) => [primaryKey({ columns: [table.uid, table.courseId] })],
)

/**
 * Questions that a learner got wrong, and the day on which each comes back in practice
 * (`features/learning/progress/practice-schedule.ts`).
 */
export const practiceCards = pgTable(
  'practice_cards',
  {
    uid: uid(),
    courseId: courseId(),
    /** The ID that `features/learning/progress/question-id.server.ts` computes. */
    questionId: text('question_id').notNull(),
    /**
     * The quiz that contains the question. It is null for a question of the exam. The foreign key
     * to the lesson then does not apply, and the one of `courseId` does.
     */
    lessonId: text('lesson_id'),
    /**
     * The memory's stability by the FSRS algorithm: the number of days until the probability of
     * remembering falls to 90%.
     */
    stability: doublePrecision().notNull(),
    /** The question's difficulty by the FSRS algorithm, from 1 to 10. */
    difficulty: doublePrecision().notNull(),
    /**
     * The number of the question's current turn in practice. It is 0 after the first miss, and
     * grows whenever the question is missed again or practiced. The practice page submits the turn
     * that it displays together with the answer. The answer counts only if that turn is still the
     * current one, so that a repeated answer counts once.
     */
    turn: integer().notNull().default(0),
    /** When the question was last missed or practiced. */
    seenAt: instant('seen_at').notNull(),
    /** The day of `seenAt` in the learner's time zone. */
    seenOn: date('seen_on', { mode: 'string' }).notNull(),
    /** The day, in the learner's time zone, from which the question is asked again. */
    dueOn: date('due_on', { mode: 'string' }).notNull(),
    /**
     * Whether the learner's latest answer in practice was right. It is null if the question was not
     * practiced since it was last missed in its quiz or exam.
     */
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
    /** The weekdays to learn on, in ascending order. 1 is Monday. */
    weekdays: smallint().array().notNull(),
    /**
     * The hour of the learner's day from which a reminder may be sent, or null for no reminders.
     */
    reminderHour: smallint('reminder_hour'),
    /** When the last reminder was queued. */
    remindedAt: instant('reminded_at'),
    /**
     * The time from which the background job looks at the plan again, to check whether a reminder
     * is due. It is null without reminders.
     */
    lookAt: instant('look_at'),
  },
  (table) => [index('study_plans_look_at').on(table.lookAt).where(sql`look_at is not null`)],
)

/**
 * The lessons that count toward the progress in their course: all but planned and retired lessons.
 * Planned lessons have no material yet. Their kind is `announced` in the database.
 */
export const countingLessons = pgView('counting_lessons', {
  courseId: text('course_id').notNull(),
  id: text().notNull(),
  title: text().notNull(),
  position: integer().notNull(),
  durationSeconds: integer('duration_seconds').notNull(),
}).as(sql`
  select course_id, id, title, position, duration_seconds from course_lessons where kind <> 'announced' and not retired`)

/**
 * The view counts the lessons of each enrollment, their length, and how many of them are done.
 * `courseProgressPercent` calculates the percentage.
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
