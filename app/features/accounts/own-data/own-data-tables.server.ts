import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema/index'

/**
 * The data that stays after an account is deleted, by table, with the reason. All other rows of a
 * learner are deleted with the row of `users`: their foreign keys in `server/database/schema/` say
 * `on delete cascade`. A table that has to stay gets a line here instead of that key.
 */
export const keptAfterDeletion = {
  certificate_register:
    'course and date of a certificate, without a name: its page says that it was withdrawn',
  operator_acts: 'what operators did to the account, known by its random ID only',
  outbox:
    'the address, in the email that says that the account was deleted, until it is sent: two weeks at most',
}

/**
 * A table with rows of learners, and the file of the archive that gets a learner's own;
 * docs/own-data.md explains each.
 */
export type OwnDataTable = {
  file: string
  table: PgTable
  /** Has the uid. */
  owner: PgColumn
  /**
   * Columns, by their name in TypeScript, that would let a reader of the archive act as the
   * learner.
   */
  secrets?: readonly string[]
  /** Columns derived from others. */
  derived?: readonly string[]
  /** Selects the rows, where `owner = uid` isn't enough. */
  rows?(uid: string): SQL
  /** More values for each row, by name. */
  beside?: Readonly<Record<string, SQL>>
}

/**
 * Every table with learners' rows. A test compares this list with the database, so that no table is
 * forgotten.
 */
export const ownDataTables: readonly OwnDataTable[] = [
  { file: 'profile', table: tables.users, owner: tables.users.id },
  { file: 'sessions', table: tables.sessions, owner: tables.sessions.userId, secrets: ['token'] },
  {
    file: 'sign-in-methods',
    table: tables.identities,
    owner: tables.identities.userId,
    secrets: ['password', 'accessToken', 'refreshToken', 'idToken'],
  },
  { file: 'passkeys', table: tables.passkeys, owner: tables.passkeys.userId },
  {
    file: 'two-step-sign-in',
    table: tables.twoFactor,
    owner: tables.twoFactor.uid,
    secrets: ['secret', 'recoveryHashes', 'recoverySalt'],
  },
  { file: 'security-events', table: tables.securityEvents, owner: tables.securityEvents.uid },
  {
    file: 'security-links',
    table: tables.securityLinks,
    owner: tables.securityLinks.uid,
    secrets: ['tokenHash'],
  },
  { file: 'mails-under-way', table: tables.outbox, owner: tables.outbox.uid },
  {
    file: 'announcement-mails',
    table: tables.announcementMails,
    owner: tables.announcementMails.uid,
  },
  // Announcements that a member of staff wrote. Those that a learner was sent are in another file.
  {
    file: 'announcements-written',
    table: tables.announcements,
    owner: tables.announcements.author,
  },
  { file: 'enrollments', table: tables.enrollments, owner: tables.enrollments.uid },
  { file: 'lesson-progress', table: tables.lessonProgress, owner: tables.lessonProgress.uid },
  { file: 'study-days', table: tables.studyDays, owner: tables.studyDays.uid },
  {
    file: 'exam-attempts',
    table: tables.examAttempts,
    owner: tables.examAttempts.uid,
    derived: ['percent', 'passed'],
  },
  { file: 'exam-answers', table: tables.examAnswers, owner: tables.examAnswers.uid },
  { file: 'certificates', table: tables.certificates, owner: tables.certificates.uid },
  { file: 'achievements', table: tables.achievements, owner: tables.achievements.uid },
  { file: 'activities', table: tables.activities, owner: tables.activities.uid },
  { file: 'practice-cards', table: tables.practiceCards, owner: tables.practiceCards.uid },
  { file: 'study-plan', table: tables.studyPlans, owner: tables.studyPlans.uid },
  { file: 'notes', table: tables.notes, owner: tables.notes.uid, derived: ['html', 'rendering'] },
  { file: 'bookmarks', table: tables.bookmarks, owner: tables.bookmarks.uid },
  { file: 'orders', table: tables.orders, owner: tables.orders.uid },
  { file: 'refund-requests', table: tables.refundRequests, owner: tables.refundRequests.uid },
  // The code would let any reader redeem the gift, and the redeemer is another person.
  { file: 'gifts', table: tables.gifts, owner: tables.gifts.uid, secrets: ['code', 'redeemedBy'] },
  {
    file: 'received-gifts',
    table: tables.gifts,
    owner: tables.gifts.redeemedBy,
    secrets: ['code', 'uid', 'recipientEmail'],
  },
  { file: 'staff', table: tables.staff, owner: tables.staff.uid },
  { file: 'staff-courses', table: tables.staffCourses, owner: tables.staffCourses.uid },
  { file: 'wishes', table: tables.wishes, owner: tables.wishes.uid },
  { file: 'reviews', table: tables.reviews, owner: tables.reviews.uid },
  { file: 'review-votes', table: tables.reviewVotes, owner: tables.reviewVotes.uid },
  { file: 'review-reports', table: tables.reviewReports, owner: tables.reviewReports.uid },
  {
    file: 'operator-acts',
    table: tables.operatorActs,
    owner: tables.operatorActs.subject,
    derived: ['by'],
    rows: (uid) =>
      sql`operator_acts.subject = ${uid} or operator_acts.subject is null and ${isExportOf(uid)}`,
    beside: { staff: sql`(select name from users where id = operator_acts.by)` },
  },
]

/**
 * Finds exports that included this learner. They are about many learners, so their rows name none.
 */
const isExportOf = (uid: string) => sql`(
  (operator_acts.act = 'learners export'
    and exists (select from users u where u.id = ${uid} and u.created_at <= operator_acts.at))
  or (operator_acts.act = 'course progress' and exists (
    select from enrollments e
    where e.uid = ${uid} and e.course_id = operator_acts.arguments ->> 'course' and e.enrolled_at <= operator_acts.at))
  or (operator_acts.act = 'orders export'
    and exists (select from orders o where o.uid = ${uid} and o.created_at <= operator_acts.at))
  or (operator_acts.act = 'audit export'
    and exists (select from operator_acts a where a.subject = ${uid} and a.at <= operator_acts.at)))`

/** In the shared demo account, these tables hold the actions and words of other visitors. */
export const filesOfVisitors: ReadonlySet<string> = new Set([
  'sessions',
  'sign-in-methods',
  'passkeys',
  'two-step-sign-in',
  'security-events',
  'security-links',
  'mails-under-way',
  'announcement-mails',
  'announcements-written',
  'exam-answers',
  'notes',
  'reviews',
  'review-votes',
  'review-reports',
  'operator-acts',
])

export type Row = Record<string, unknown>
const rowsAtOnce = 500

/**
 * A learner's rows of one table, in parts. New columns are included automatically, unless they are
 * secrets.
 *
 * @param snapshot a transaction; it reads one table at a time.
 * @param shown the columns in the archive.
 */
export async function* readRows(
  snapshot: Pick<Database, 'execute'>,
  { table, owner, secrets = [], derived = [], rows: which, beside = {} }: OwnDataTable,
  uid: string,
  shown: (row: Row) => Row,
): AsyncGenerator<Row[]> {
  const columns = Object.entries(getTableColumns(table)).filter(
    ([name]) => ![...secrets, ...derived].includes(name),
  )
  const names = sql.join(
    [
      ...columns.map(([, { name }]) => sql.identifier(name)),
      ...Object.entries(beside).map(([name, value]) => sql`${value} as ${sql.identifier(name)}`),
    ],
    sql`, `,
  )
  const read = ([name, column]: (typeof columns)[number], value: unknown) => [
    name,
    value === null ? null : column.mapFromDriverValue(value),
  ]
  await snapshot.execute(
    sql`declare own_rows no scroll cursor for select ${names} from ${table} where ${which?.(uid) ?? sql`${owner} = ${uid}`}`,
  )
  for (let isMore = true; isMore; ) {
    const { rows } = await snapshot.execute(sql`fetch ${sql.raw(String(rowsAtOnce))} from own_rows`)
    isMore = rows.length === rowsAtOnce
    const readRow = (row: Row) => ({
      ...Object.fromEntries(columns.map((entry) => read(entry, row[entry[1].name]))),
      ...Object.fromEntries(Object.keys(beside).map((name) => [name, row[name]])),
    })
    if (rows.length > 0) {
      yield rows.map((row) => shown(readRow(row)))
    }
  }

  await snapshot.execute(sql`close own_rows`)
}

/** One JSON list of all rows, two spaces deep. */
export async function* jsonList(parts: AsyncIterable<Row[]>): AsyncGenerator<string> {
  let isFirst = true
  for await (const rows of parts) {
    if (rows.length === 0) {
      continue
    }

    yield `${isFirst ? '[' : ','}${JSON.stringify(rows, null, 2).slice('['.length, -'\n]'.length)}`
    isFirst = false
  }

  yield isFirst ? '[]\n' : '\n]\n'
}
