import { sql } from 'drizzle-orm'
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { ExamFile } from '~/features/courses/content/exam-file.server'
import { courses } from './catalog'
import { courseId, uid } from './columns'
import { instant } from './instant'

/** Loaded from `content/courses/SLUG/exam.yaml`: the rules, and the pool with the right answers. */
export const exams = pgTable('exams', {
  courseId: text('course_id')
    .primaryKey()
    .references(() => courses.id, { onDelete: 'cascade', onUpdate: 'cascade' }),
  title: text().notNull(),
  /** Questions that an attempt draws from the pool. */
  draw: integer().notNull(),
  timeLimitMinutes: integer('time_limit_minutes').notNull(),
  maxAttempts: integer('max_attempts').notNull(),
  /** Only attempts of so many days count; null: all there ever were. */
  attemptsWithinDays: integer('attempts_within_days'),
  /** From the end of an attempt to the start of the next one. */
  minutesBetweenAttempts: integer('minutes_between_attempts').notNull().default(10),
  passPercent: integer('pass_percent').notNull(),
  questions: jsonb().$type<ExamFile['questions']>().notNull(),
})

/**
 * One attempt at an exam. It stores its own questions, so that a change of the content changes no
 * attempt.
 */
export const examAttempts = pgTable(
  'exam_attempts',
  {
    uid: uid(),
    /** Random. */
    id: text().notNull(),
    courseId: courseId(),
    /** The exam's title at the time. */
    title: text().notNull(),
    /**
     * Drawn questions in their order, each with the order of its options; right answers included.
     */
    paper: jsonb()
      .$type<{ question: ExamFile['questions'][number]; order: number[] }[]>()
      .notNull()
      .default(sql`'[]'`),
    passPercent: integer('pass_percent').notNull().default(60),
    startedAt: instant('started_at').notNull().defaultNow(),
    /** When the time is over; null only for attempts that came with the demo learner's history. */
    deadlineAt: instant('deadline_at'),
    /** By how much maintenance moved it, in all. */
    pausedSeconds: integer('paused_seconds').notNull().default(0),
    /** When it was handed in; null while the attempt is under way, like `score`. */
    submittedAt: instant('submitted_at'),
    /** Handed in by the server, because the time was over. */
    timedOut: boolean('timed_out').notNull().default(false),
    /**
     * When an operator gave it back: from then on it counts toward no limit, and no pause follows
     * from it.
     */
    excusedAt: instant('excused_at'),
    score: integer(),
    maxScore: integer('max_score').notNull(),
    /** `scorePercent` of it. */
    percent: integer().generatedAlwaysAs(
      sql`case when max_score > 0 then score * 100 / max_score else 0 end`,
    ),
    /** `isPassed` of it; an attempt under way is not passed. */
    passed: boolean()
      .notNull()
      .generatedAlwaysAs(sql`coalesce(score * 100 >= max_score * pass_percent, false)`),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.id] }),
    index('exam_attempts_course').on(table.uid, table.courseId),
    uniqueIndex('exam_attempts_one_open')
      .on(table.uid, table.courseId)
      .where(sql`submitted_at is null`),
    index('exam_attempts_overdue').on(table.deadlineAt).where(sql`submitted_at is null`),
  ],
)

/** The latest answer to each question of an attempt, stored as soon as it is given. */
export const examAnswers = pgTable(
  'exam_answers',
  {
    uid: text().notNull(),
    attemptId: text('attempt_id').notNull(),
    questionId: text('question_id').notNull(),
    /**
     * See `ExamAnswer` in `features/exams/exam-question.ts`; JSON null once an answer was taken
     * back.
     */
    answer: jsonb().$type<number | number[] | string | null>(),
    /**
     * Counted by the browser: an older answer that arrives late, or the same one twice, changes
     * nothing.
     */
    revision: integer().notNull(),
    answeredAt: instant('answered_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.attemptId, table.questionId] }),
    foreignKey({
      name: 'exam_answers_attempt',
      columns: [table.uid, table.attemptId],
      foreignColumns: [examAttempts.uid, examAttempts.id],
    }).onDelete('cascade'),
  ],
)
