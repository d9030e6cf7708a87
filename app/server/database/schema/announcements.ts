import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { users } from './accounts'
import { courses } from './catalog'
import { uid } from './columns'
import { instant } from './instant'

/** What staff write to many learners. */
export const announcements = pgTable(
  'announcements',
  {
    id: text().primaryKey(),
    /** Who wrote it; once it is sent or scheduled, who did that. Null once the account is deleted. */
    author: text().references(() => users.id, { onDelete: 'set null' }),
    /** Null for the whole school. */
    courseId: text('course_id').references(() => courses.id, { onDelete: 'cascade', onUpdate: 'cascade' }),
    /** Which learners of the course, or of the whole school. */
    audience: text({ enum: ['all', 'unfinished', 'away'] }).notNull(),
    /** For `away`: not come for so many days. */
    awayDays: integer('away_days'),
    subject: text().notNull(),
    /** Markdown. */
    body: text().notNull(),
    state: text({ enum: ['draft', 'scheduled', 'sending', 'stopped', 'done'] })
      .notNull()
      .default('draft'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    /** When it is to be sent; null for a draft. */
    dueAt: instant('due_at'),
    /** When its audience was read. */
    startedAt: instant('started_at'),
    /** When the last mail was sent, or it was stopped. */
    endedAt: instant('ended_at'),
    /** Why it waits: what the mail server said last to all of them. Of a draft: why it wasn't sent at its time. */
    trouble: text(),
    /** How many mails had each state when it had ended for an hour. The mails themselves are removed after some time. */
    counted: jsonb().$type<Record<string, number>>(),
  },
  (table) => [
    index('announcements_newest').on(table.createdAt, table.id),
    index('announcements_open').on(table.dueAt).where(sql`${table.state} in ('scheduled', 'sending')`),
    index('announcements_author').on(table.author),
  ],
)

/**
 * One mail of an announcement. `due` waits; `claimed` is in its conversation with the mail server, and is committed before that
 * begins, so that it never goes out twice; `uncertain` was claimed when its process ended; `skipped` is to a learner who became
 * unreachable, or turned announcements off, after the audience was read.
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
    /** Since when it has the state; while it is due, when it may be sent. */
    at: instant('at').notNull(),
    /** How often the mail server said 'not now'. */
    attempts: integer().notNull().default(0),
    /** What the mail server said. */
    reason: text(),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.announcementId] }),
    index('announcement_mails_state').on(table.announcementId, table.state, table.at, table.uid),
    index('announcement_mails_claimed').on(table.at).where(sql`${table.state} = 'claimed'`),
    index('announcement_mails_failed').on(table.uid).where(sql`${table.state} = 'failed'`),
  ],
)
