import { index, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

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
