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

/** The members of staff. `features/staff/permissions.ts` defines what each role may do. */
export const staff = pgTable('staff', {
  uid: text()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  role: text({ enum: ['owner', 'manager', 'teacher'] }).notNull(),
  /** Whether a teacher sees the email addresses of learners. */
  seesAddresses: boolean('sees_addresses').notNull().default(false),
  since: instant('since').notNull().defaultNow(),
})

/** The courses of teachers. */
export const staffCourses = pgTable(
  'staff_courses',
  { uid: uid(), courseId: courseId('cascade') },
  (table) => [primaryKey({ columns: [table.uid, table.courseId] })],
)

/** The figures of a day in the school's time zone. */
export type DayFigures = {
  /** A date such as 2026-11-26. */
  day: string
  newLearners: number
  activeLearners: number
  enrollments: number
  lessons: number
  certificates: number
  /**
   * The revenue in the smallest unit of the school's currency. Refunds are subtracted on the day
   * they were made.
   */
  revenueMinor: number
}

/**
 * Figures of the school that take long to count, in a single row. The background work counts them.
 */
export const deskFigures = pgTable('desk_figures', {
  id: integer().primaryKey(),
  countedAt: instant('counted_at').notNull(),
  /** The last 60 days, oldest first. The last one is the day of the count. */
  days: jsonb().$type<DayFigures[]>().notNull(),
  /** The number of learners who were active in the last 30 days. */
  activeNow: integer('active_now').notNull(),
  /** The number of learners who were active in the 30 days before. */
  activeBefore: integer('active_before').notNull(),
  learners: integer().notNull(),
  /** The number of problems that `npm run admin -- orders check` lists. */
  orderProblems: integer('order_problems').notNull(),
})

export type LessonFigures = { id: string; begun: number; done: number }
export type QuestionFigures = { id: string; lessonId: string | null; missed: number }

/** The figures of each course, which the background work counts together with `desk_figures`. */
export const deskCourses = pgTable('desk_courses', {
  courseId: courseId('cascade').primaryKey(),
  learners: integer().notNull(),
  /** The number of learners who opened the course in the last 30 days. */
  active: integer().notNull(),
  completed: integer().notNull(),
  certificates: integer().notNull(),
  revenueMinor: bigint('revenue_minor', { mode: 'number' }).notNull(),
  /** The lessons that learners have begun, in no particular order. */
  lessons: jsonb().$type<LessonFigures[]>().notNull(),
  /** The uids of some learners who are stuck. Those seen last come first. */
  stuck: text().array().notNull().default(sql`'{}'`),
  /** The questions that most learners got wrong, in descending order. */
  questions: jsonb().$type<QuestionFigures[]>().notNull(),
})

/** The values before and after a staff action, by name. */
export type Changes = Record<string, { from: unknown; to: unknown }>

/**
 * The audit log of staff actions at the desk and with `npm run admin`. An entry is written in the
 * transaction of its action, and a trigger refuses changes of entries. Entries contain no email
 * addresses or names of learners, because they are kept when an account is deleted.
 */
export const operatorActs = pgTable(
  'operator_acts',
  {
    /** A random ID. */
    id: text().primaryKey(),
    at: timestamp({ withTimezone: true, mode: 'date' }).notNull().defaultNow(),
    /**
     * The actor: at the desk, the uid of the member of staff. For a command, the value of `--by` or
     * the operating system's user.
     */
    by: text().notNull(),
    /** The name of the staff action, such as 'learner disable'. */
    act: text().notNull(),
    /** The uid of the affected learner, or the ID of the affected object, or null. */
    subject: text(),
    /** The command's arguments, without secrets. */
    arguments: jsonb().$type<Record<string, unknown>>().notNull(),
    /**
     * Is null if the action has no values to compare. Email addresses, names and secrets are left
     * out.
     */
    changes: jsonb().$type<Changes>(),
    /** A sentence about the result. */
    outcome: text().notNull(),
  },
  (table) => [
    index('operator_acts_subject').on(table.subject, table.at),
    index('operator_acts_by').on(table.by, table.at),
    index('operator_acts_at').on(table.at),
  ],
)

/** A column of an uploaded table, and what it contains. A column with null is not imported. */
type ImportColumn = {
  name: string
  meaning: 'email' | 'first_name' | 'last_name' | 'name' | 'courses' | null
  /** A value of the column. It is empty once the file was checked. */
  example: string
}

/**
 * Imports of learners from uploaded tables. The background work checks a table, and imports it once
 * a member of staff has confirmed the import.
 */
export const imports = pgTable(
  'imports',
  {
    id: text().primaryKey(),
    /** The uid of the member of staff who uploaded the table or continued the import. */
    by: text().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    fileName: text('file_name').notNull(),
    /** The uploaded file, or null once it has been checked. */
    file: bytea(),
    /**
     * What staff chose for the file's columns, or are asked about. Null until the file was read.
     */
    columns: jsonb().$type<ImportColumn[]>(),
    status: text('state', {
      enum: ['checking', 'unclear', 'refused', 'checked', 'running', 'stopped', 'done'],
    })
      .notNull()
      .default('checking'),
    /** Why the file was refused, or the import stopped. */
    refusal: text(),
    /** The names of the columns that are not imported. */
    ignoredColumns: text('ignored').array().notNull().default(sql`'{}'`),
    /** The number of invitations that are sent per minute. */
    emailsPerMinute: integer('emails_per_minute').notNull(),
    /** The number of lines that change something, by the check. */
    changingLines: integer('lines').notNull().default(0),
    /** The numbers of accounts and enrollments that these lines create. */
    newAccounts: integer('new_accounts').notNull().default(0),
    enrollments: integer().notNull().default(0),
    /** The number of lines that change nothing. */
    unchangedLines: integer('unchanged').notNull().default(0),
    /** The number of lines with a problem. */
    faultyLines: integer('failed').notNull().default(0),
    /** The number of lines that have been imported. */
    importedLines: integer('imported').notNull().default(0),
    /** The last line that was handled. */
    lastHandledLine: integer('up_to').notNull().default(0),
    finishedAt: instant('finished_at'),
  },
  (table) => [index('imports_newest').on(table.createdAt, table.id)],
)

/** Waiting and faulty lines of imports. The transaction that imports a line deletes its row. */
export const importRows = pgTable(
  'import_rows',
  {
    importId: text('import_id')
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    /** The line's number in the file. */
    line: integer().notNull(),
    /** The learner's email address. The row is deleted with the account of this address. */
    email: text('address').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    courses: text().array().notNull(),
    /** The planned changes, in a few words. */
    outcome: text(),
    /** The sentences that say why the line can't be imported. */
    problem: text(),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.line] }),
    index('import_rows_problems').on(table.importId, table.line).where(sql`problem is not null`),
  ],
)

/** Announcements, which are emails from staff to many learners. */
export const announcements = pgTable(
  'announcements',
  {
    id: text().primaryKey(),
    /**
     * The author, or later the member of staff who sent or scheduled it. Null once the account is
     * deleted.
     */
    author: text().references(() => users.id, { onDelete: 'set null' }),
    /** The course whose learners get the email, or null for the whole school. */
    courseId: text('course_id').references(() => courses.id, {
      onDelete: 'cascade',
      onUpdate: 'cascade',
    }),
    /** Which learners of the course or the school get the email. */
    audience: text({ enum: ['all', 'unfinished', 'away'] }).notNull(),
    /** The number of days since the learner's last visit, if the audience is `away`. */
    awayDays: integer('away_days'),
    subject: text().notNull(),
    /** The text in Markdown. */
    body: text().notNull(),
    state: text({ enum: ['draft', 'scheduled', 'sending', 'stopped', 'done'] })
      .notNull()
      .default('draft'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    /** The scheduled time, or null for a draft. */
    dueAt: instant('due_at'),
    /** When the audience was read and sending began. */
    startedAt: instant('started_at'),
    /** When the last email was settled, or sending was stopped. */
    endedAt: instant('ended_at'),
    /**
     * The mail server's last error, while sending waits. For a draft, the reason why it wasn't sent
     * at its time.
     */
    trouble: text(),
    /**
     * The number of emails by status, an hour after the end. The rows of the emails are removed
     * later.
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
 * The emails of announcements. The status of an email has these values, among others:
 *
 * - `due`: the email waits to be sent.
 * - `claimed`: the email is being sent. This status is committed before the conversation with the
 *   mail server begins, so that no email is sent twice.
 * - `uncertain`: the connection or the process ended while the email was claimed. It is never sent
 *   again.
 * - `skipped`: since the audience was read, the learner has become unreachable, left the course, or
 *   turned announcements off.
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
    /**
     * The time of the last change of status. For `due`, it is the earliest time to send the email.
     */
    at: instant('at').notNull(),
    /** How often the mail server has deferred the email. */
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
