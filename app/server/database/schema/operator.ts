import { index, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/**
 * What operators did by `npm run admin`, written in the transaction of the act. Append-only: a trigger refuses changes. No
 * email address and no name of a learner is in here, so that the rows may outlive an account.
 */
export const operatorActs = pgTable(
  'operator_acts',
  {
    /** Random. */
    id: text().primaryKey(),
    at: timestamp({ withTimezone: true, mode: 'date' }).notNull().defaultNow(),
    /** Who did it: `--by`, or the operating system's user. */
    by: text().notNull(),
    /** Like 'learner disable'. */
    act: text().notNull(),
    /** The uid of the learner whom it was about; otherwise the ID of what it was about, or null. */
    subject: text(),
    /** What was asked for, without secrets. */
    arguments: jsonb().$type<Record<string, unknown>>().notNull(),
    /** One sentence. */
    outcome: text().notNull(),
  },
  (table) => [index('operator_acts_subject').on(table.subject, table.at), index('operator_acts_at').on(table.at)],
)
