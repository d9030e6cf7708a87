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

/**
 * The exams from `content/courses/SLUG/exam.yaml`: the rules, and the pool of questions with
 * answers.
 */
export const exams = pgTable('exams', {
  courseId: text('course_id')
    .primaryKey()
    .references(() => courses.id, { onDelete: 'cascade', onUpdate: 'cascade' }),
  title: text().notNull(),
  /** The number of questions that an attempt draws from the pool. */
  draw: integer().notNull(),
  timeLimitMinutes: integer('time_limit_minutes').notNull(),
  maxAttempts: integer('max_attempts').notNull(),
  /** The period in which attempts count toward `maxAttempts`. Null counts all attempts. */
  attemptsWithinDays: integer('attempts_within_days'),
  /** The pause between the end of an attempt and the start of the next one. */
  minutesBetweenAttempts: integer('minutes_between_attempts').notNull().default(10),
  passPercent: integer('pass_percent').notNull(),
  questions: jsonb().$type<ExamFile['questions']>().notNull(),
})

/** Attempts at exams. An attempt stores its questions, so that new content does not change it. */
export const examAttempts = pgTable(
  'exam_attempts',
  {
    uid: uid(),
    /** A random ID. */
    id: text().notNull(),
    courseId: courseId(),
    /** The title of the exam when the attempt started. */
    title: text().notNull(),
    /**
     * The drawn questions in their order, with their right answers, and the order of their options.
     */
    paper: jsonb()
      .$type<{ question: ExamFile['questions'][number]; order: number[] }[]>()
      .notNull()
      .default(sql`'[]'`),
    passPercent: integer('pass_percent').notNull().default(60),
    startedAt: instant('started_at').notNull().defaultNow(),
    /** The end of the time limit. It is null only in the sample history of the demo learner. */
    deadlineAt: instant('deadline_at'),
    /** The time by which maintenance has moved the deadline, in total. */
    pausedSeconds: integer('paused_seconds').notNull().default(0),
    /** When the attempt ended. While it is under way, this and `score` are null. */
    submittedAt: instant('submitted_at'),
    /** Whether the server ended the attempt, because the time was over. */
    timedOut: boolean('timed_out').notNull().default(false),
    /**
     * When an operator excused the attempt. It then counts toward no limit, and no pause follows
     * it.
     */
    excusedAt: instant('excused_at'),
    score: integer(),
    maxScore: integer('max_score').notNull(),
    /** The same value as that of `scorePercent`. */
    percent: integer().generatedAlwaysAs(
      sql`case when max_score > 0 then score * 100 / max_score else 0 end`,
    ),
    /** The same value as that of `isPassed`. An attempt under way is not passed. */
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
     * An `ExamAnswer` (`features/exams/exam-question.ts`), or JSON null after the answer was
     * removed.
     */
    answer: jsonb().$type<number | number[] | string | null>(),
    /**
     * A number from the browser that grows. An answer with an older or the same number is ignored.
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
