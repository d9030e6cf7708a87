import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'
import { users } from './accounts'
import { courses } from './catalog'
import { bytea, courseId, uid } from './columns'
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

/** The changes of an act: values before and after, by name. */
export type Changes = Record<string, { from: unknown; to: unknown }>

/**
 * The audit of `npm run admin` and of the desk, written in the transaction of the act. Append-only:
 * a trigger refuses changes. It has no email addresses or names of learners, so that the rows may
 * outlive an account.
 */
export const operatorActs = pgTable(
  'operator_acts',
  {
    /** Random. */
    id: text().primaryKey(),
    at: timestamp({ withTimezone: true, mode: 'date' }).notNull().defaultNow(),
    /**
     * The operator: `--by`, or the operating system's user; at the desk, the uid of the member of
     * staff.
     */
    by: text().notNull(),
    /** Like 'learner disable'. */
    act: text().notNull(),
    /** The uid of the affected learner, or the ID of the affected object, or null. */
    subject: text(),
    /** The command's arguments, without secrets. */
    arguments: jsonb().$type<Record<string, unknown>>().notNull(),
    /** Never contains addresses, names or secrets. Null for an act without values to compare. */
    changes: jsonb().$type<Changes>(),
    /** One sentence. */
    outcome: text().notNull(),
  },
  (table) => [
    index('operator_acts_subject').on(table.subject, table.at),
    index('operator_acts_by').on(table.by, table.at),
    index('operator_acts_at').on(table.at),
  ],
)

/**
 * Tables of learners, uploaded at the desk. The background work checks them, and imports them once
 * that is confirmed.
 */
export const imports = pgTable(
  'imports',
  {
    id: text().primaryKey(),
    /** The uid of the member of staff who uploaded or continued it. */
    by: text().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    fileName: text('file_name').notNull(),
    /** The uploaded file; null once it is checked. */
    file: bytea(),
    state: text({ enum: ['checking', 'refused', 'checked', 'running', 'stopped', 'done'] })
      .notNull()
      .default('checking'),
    /** Why the file was refused, or the import stopped. */
    refusal: text(),
    /** Names of columns that aren't read. */
    ignored: text().array().notNull().default(sql`'{}'`),
    /** The pace of the invitations. */
    emailsPerMinute: integer('emails_per_minute').notNull(),
    /** The check's counts of lines that change something, and of their changes. */
    lines: integer().notNull().default(0),
    newAccounts: integer('new_accounts').notNull().default(0),
    enrollments: integer().notNull().default(0),
    /** The number of lines that change nothing, that have a problem, and that are done. */
    unchanged: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    imported: integer().notNull().default(0),
    /** The last line that was handled. */
    upTo: integer('up_to').notNull().default(0),
    finishedAt: instant('finished_at'),
  },
  (table) => [index('imports_newest').on(table.createdAt, table.id)],
)

/** Waiting and faulty lines of imports. The transaction that carries out a line deletes it. */
export const importRows = pgTable(
  'import_rows',
  {
    importId: text('import_id')
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    /** The line's number in the file. */
    line: integer().notNull(),
    /** The email address. The row is deleted with the account of this address. */
    address: text().notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    courses: text().array().notNull(),
    /** The planned changes, in a few words. */
    outcome: text(),
    /** Why it can't be imported, in sentences. */
    problem: text(),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.line] }),
    index('import_rows_problems').on(table.importId, table.line).where(sql`problem is not null`),
  ],
)

/** Mails from staff to many learners. */
export const announcements = pgTable(
  'announcements',
  {
    id: text().primaryKey(),
    /**
     * The author, or later the member of staff who sent or scheduled it. Null once the account is
     * deleted.
     */
    author: text().references(() => users.id, { onDelete: 'set null' }),
    /** Null for the whole school. */
    courseId: text('course_id').references(() => courses.id, {
      onDelete: 'cascade',
      onUpdate: 'cascade',
    }),
    /** Selects learners of the course, or of the whole school. */
    audience: text({ enum: ['all', 'unfinished', 'away'] }).notNull(),
    /** For `away`: learners who haven't come for this many days. */
    awayDays: integer('away_days'),
    subject: text().notNull(),
    /** Markdown. */
    body: text().notNull(),
    state: text({ enum: ['draft', 'scheduled', 'sending', 'stopped', 'done'] })
      .notNull()
      .default('draft'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    /** The scheduled time; null for a draft. */
    dueAt: instant('due_at'),
    /** When the audience was read and sending began. */
    startedAt: instant('started_at'),
    /** When the last mail was settled, or sending was stopped. */
    endedAt: instant('ended_at'),
    /**
     * The mail server's last error, while sending waits. For a draft, the reason why it wasn't sent
     * at its time.
     */
    trouble: text(),
    /**
     * The number of mails by state, an hour after the end. The mails themselves are removed later.
     */
    counted: jsonb().$type<Record<string, number>>(),
  },
  (table) => [
    index('announcements_newest').on(table.createdAt, table.id),
    index('announcements_open')
      .on(table.dueAt)
      .where(sql`${table.state} in ('scheduled', 'sending')`),
    index('announcements_author').on(table.author),
  ],
)

/**
 * One mail of an announcement.
 *
 * - `due` waits to be sent.
 * - `claimed` is committed before the conversation with the mail server begins, so that no mail
 * goes out twice.
 * - `uncertain` was claimed when the connection broke off or the process ended. It is never sent
 * again.
 * - `skipped` was for a learner who has become unreachable, left the course, or turned
 * announcements off since.
 */
export const announcementMails = pgTable(
  'announcement_mails',
  {
    uid: uid(),
    announcementId: text('announcement_id')
      .notNull()
      .references(() => announcements.id, { onDelete: 'cascade' }),
    state: text({ enum: ['due', 'claimed', 'sent', 'failed', 'uncertain', 'skipped'] })
      .notNull()
      .default('due'),
    /** The time of the last change of state. For `due`, the earliest time to send it. */
    at: instant('at').notNull(),
    /** How often the mail server deferred it. */
    attempts: integer().notNull().default(0),
    /** The mail server's reply. */
    reason: text(),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.announcementId] }),
    index('announcement_mails_state').on(table.announcementId, table.state, table.at, table.uid),
    index('announcement_mails_claimed').on(table.at).where(sql`${table.state} = 'claimed'`),
    index('announcement_mails_failed').on(table.uid).where(sql`${table.state} = 'failed'`),
  ],
)
