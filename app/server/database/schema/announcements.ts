import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { users } from './accounts'
import { courses } from './catalog'
import { uid } from './columns'
import { instant } from './instant'

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
