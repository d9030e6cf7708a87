/**
 * The tables with rows of learners: what the archive of a learner's own data contains, and what is
 * kept after an account is deleted.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import * as tables from '~/server/database/schema/index'

/**
 * The tables whose rows are kept after an account is deleted, each with the reason. All other rows
 * of a learner are deleted with the row of `users`, because their foreign keys in
 * `server/database/schema/` have `on delete cascade`.
 */
export const keptAfterDeletion = {
  certificate_register:
    'course and date of a certificate, without a name: its page says that it was withdrawn',
  operator_acts: 'what operators did to the account, known by its random ID only',
  outbox:
    'the address, in the email that says that the account was deleted, until it is sent: two weeks at most',
}

/**
 * A table with rows of learners, and the file of the archive that contains the learner's own rows.
 * docs/own-data.md explains each file.
 */
export type OwnDataTable = {
  file: string
  table: PgTable
  /** The column with the learner's uid. */
  owner: PgColumn
  /**
   * Columns that are left out, because they would let a reader of the archive act as the learner.
   * They are given by their name in TypeScript.
   */
  secrets?: readonly string[]
  /** Columns that are left out, because they are derived from others. */
  derived?: readonly string[]
  /** The names that columns have in the file, by their name in TypeScript, if the two differ. */
  fileNames?: Readonly<Record<string, string>>
  /** The condition for the learner's rows, if `owner = uid` isn't enough. */
  condition?(uid: string): SQL
  /** More values for each row, by their name in the file. */
  extraValues?: Readonly<Record<string, SQL>>
}

/** All tables with rows of learners. A test compares this list with the database. */
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
  {
    file: 'mails-under-way',
    table: tables.outbox,
    owner: tables.outbox.uid,
    fileNames: { topic: 'about' },
  },
  {
    file: 'announcement-mails',
    table: tables.announcementMails,
    owner: tables.announcementMails.uid,
  },
  // Announcements that a member of staff wrote. Those that a learner received are in another file.
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
  {
    file: 'orders',
    table: tables.orders,
    owner: tables.orders.uid,
    fileNames: { status: 'state' },
  },
  {
    file: 'refund-requests',
    table: tables.refundRequests,
    owner: tables.refundRequests.uid,
    fileNames: { status: 'state', requestedAt: 'statedAt' },
  },
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
    condition: (uid) => sql`
      operator_acts.subject = ${uid}
      or (operator_acts.subject is null and ${isExportThatIncluded(uid)})`,
    extraValues: { staff: sql`(select name from users where id = operator_acts.by)` },
  },
]

/**
 * Returns the condition for exports whose file included this learner. An export is about many
 * learners, so its row names none of them.
 */
const isExportThatIncluded = (uid: string) => sql`(
  (
    operator_acts.act = 'learners export'
    and exists (
      select from users u
      where u.id = ${uid}
        and u.created_at <= operator_acts.at
    )
  )
  or (
    operator_acts.act = 'course progress'
    and exists (
      select from enrollments e
      where e.uid = ${uid}
        and e.course_id = operator_acts.arguments ->> 'course'
        and e.enrolled_at <= operator_acts.at
    )
  )
  or (
    operator_acts.act = 'orders export'
    and exists (
      select from orders o
      where o.uid = ${uid}
        and o.created_at <= operator_acts.at
    )
  )
  or (
    operator_acts.act = 'audit export'
    and exists (
      select from operator_acts a
      where a.subject = ${uid}
        and a.at <= operator_acts.at
    )
  )
)`

/**
 * The files that are left out for the shared demo account, because their rows come from other
 * visitors.
 */
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
