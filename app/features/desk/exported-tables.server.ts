import { listAccountNames, listAccounts } from '~/features/accounts/account-administration.server'
import type { UserRow } from '~/features/accounts/account-queries.server'
import { listEnrollmentsByLearner } from '~/features/enrollment/enrollment-queries.server'
import {
  couponUrl,
  formatDiscount,
  type ListedCoupon,
  listCouponsByName,
} from '~/features/orders/coupons/coupon-queries.server'
import { type LedgerRow, listLedgerRows } from '~/features/orders/receipts/ledger-export.server'
import { listCourseLearners } from '~/features/profile/progress-report.server'
import { toMajorUnits } from '~/features/school/money'
import {
  type AuditEntry,
  type AuditFilter,
  formatArguments,
  formatChanges,
  listAuditEntries,
} from '~/features/staff/audit-queries.server'
import type { Transaction } from '~/server/database/client.server'
import { type CsvColumns, rowsAtOnce } from '~/server/operations/csv.server'

/**
 * The tables that `npm run admin` writes and the desk downloads: the same columns and the same
 * rows.
 */

export type ExportedTable<Row> = {
  columns: CsvColumns<Row>
  /** Parts of at most `rowsAtOnce` rows. */
  list(transaction: Transaction): AsyncGenerator<Row[]>
}

type AccountWithCourses = {
  account: UserRow
  enrollments: { courses: string[]; completed: string[]; certificates: string[] }
}

const accountColumns: CsvColumns<AccountWithCourses> = {
  uid: ({ account }) => account.id,
  email: ({ account }) => account.email,
  first_name: ({ account }) => account.firstName,
  last_name: ({ account }) => account.lastName,
  confirmed: ({ account }) => account.emailVerified,
  disabled: ({ account }) => account.banned,
  created_at: ({ account }) => account.createdAt,
  last_sign_in_at: ({ account }) => account.lastLoginAt,
  courses: ({ enrollments }) => enrollments.courses.join(' '),
  completed_courses: ({ enrollments }) => enrollments.completed.join(' '),
  certificates: ({ enrollments }) => enrollments.certificates.join(' '),
}

async function* listAccountsWithCourses(
  transaction: Transaction,
): AsyncGenerator<AccountWithCourses[]> {
  for (let after = ''; ; ) {
    const accounts = await listAccounts(transaction, after, rowsAtOnce)
    const uids = accounts.map(({ id }) => id)
    const enrollments = await listEnrollmentsByLearner(transaction, uids)
    const none = { courses: [], completed: [], certificates: [] }
    yield accounts.map((account) => ({ account, enrollments: enrollments.get(account.id) ?? none }))
    if (accounts.length < rowsAtOnce) {
      return
    }

    after = uids.at(-1) ?? ''
  }
}

/** All accounts with their courses. */
export const accountsTable: ExportedTable<AccountWithCourses> = {
  columns: accountColumns,
  list: listAccountsWithCourses,
}

type LearnerOfCourse = {
  learner: Awaited<ReturnType<typeof listCourseLearners>>[number]
  name: Pick<UserRow, 'email' | 'firstName' | 'lastName'> | undefined
}

const progressColumns: CsvColumns<LearnerOfCourse> = {
  uid: ({ learner }) => learner.uid,
  email: ({ name }) => name?.email ?? null,
  first_name: ({ name }) => name?.firstName ?? null,
  last_name: ({ name }) => name?.lastName ?? null,
  enrolled_at: ({ learner }) => learner.enrolledAt,
  last_opened_at: ({ learner }) => learner.lastAccessedAt,
  progress_percent: ({ learner }) => learner.percent,
  lessons_done: ({ learner }) => learner.doneLessons,
  lessons: ({ learner }) => learner.totalLessons,
  completed_at: ({ learner }) => learner.completedAt,
  exam_attempts: ({ learner }) => learner.exam.attempts,
  exam_best_percent: ({ learner }) => learner.exam.best,
  exam_passed: ({ learner }) => learner.exam.passed,
  certificate: ({ learner }) => learner.certificate?.id ?? null,
  certificate_revoked: ({ learner }) => learner.certificate?.revoked ?? null,
}

async function* listLearners(
  transaction: Transaction,
  course: string,
): AsyncGenerator<LearnerOfCourse[]> {
  for (let after = ''; ; ) {
    const learners = await listCourseLearners(transaction, course, after, rowsAtOnce)
    const uids = learners.map(({ uid }) => uid)
    const names = await listAccountNames(transaction, uids)
    yield learners.map((learner) => ({ learner, name: names.get(learner.uid) }))
    if (learners.length < rowsAtOnce) {
      return
    }

    after = uids.at(-1) ?? ''
  }
}

/** How far each learner of a course is. */
export function progressTable(course: string): ExportedTable<LearnerOfCourse> {
  return { columns: progressColumns, list: (transaction) => listLearners(transaction, course) }
}

// The amounts are numbers, because the CSV writer guards a text that begins with a minus sign as it
// guards a formula.
const ledgerColumns: CsvColumns<LedgerRow> = {
  number: ({ number }) => number,
  kind: ({ kind }) => kind,
  at: ({ at }) => at,
  amount: ({ amountMinor, currency }) => toMajorUnits(amountMinor, currency),
  currency: ({ currency }) => currency,
  tax: ({ taxMinor, currency }) => toMajorUnits(taxMinor, currency),
  coupon: ({ coupon }) => coupon,
  discount: ({ discountMinor, currency }) => discountMinor && toMajorUnits(discountMinor, currency),
  order: ({ orderId }) => orderId,
  course: ({ courseId }) => courseId,
  title: ({ courseTitle }) => courseTitle,
  gift: ({ isGift }) => isGift,
  instructor: ({ instructor }) => instructor,
  country: ({ country }) => country,
  vat_number: ({ vatNumber }) => vatNumber,
}

/** Receipts and credit notes, for the bookkeeper. */
export const ledgerTable: ExportedTable<LedgerRow> = {
  columns: ledgerColumns,
  list: (transaction) => listLedgerRows(transaction, rowsAtOnce),
}

const couponColumns: CsvColumns<ListedCoupon> = {
  code: ({ code }) => code,
  link: findCouponUrl,
  off: formatDiscount,
  courses: ({ courseIds }) => courseIds?.join(' ') ?? 'all',
  uses: ({ uses }) => uses,
  most_uses: ({ maxUses }) => maxUses,
  from: ({ startsAt }) => startsAt,
  until: ({ endsAt }) => endsAt,
  ended_at: ({ endedAt }) => endedAt,
  name: ({ name }) => name,
}

/** Returns the link to the coupon's first course. A coupon for all courses has no link. */
function findCouponUrl({ code, courseIds }: ListedCoupon): string | null {
  const firstCourseId = courseIds?.[0]
  return firstCourseId === undefined ? null : couponUrl(code, firstCourseId)
}

/** All codes with the same name, to hand out. */
export function couponsTable(name: string): ExportedTable<ListedCoupon> {
  return {
    columns: couponColumns,
    list: (transaction) => listCouponsByName(transaction, name, rowsAtOnce),
  }
}

/** What staff and operators did, newest first. */
export const auditTable = (filter: AuditFilter): ExportedTable<AuditEntry> => ({
  columns: {
    at: ({ at }) => at,
    by: ({ by, byName }) => byName ?? by,
    act: ({ act }) => act,
    subject: ({ subject }) => subject,
    arguments: ({ arguments: given }) => formatArguments(given),
    changes: ({ changes }) => formatChanges(changes),
    outcome: ({ outcome }) => outcome,
  },
  list: (transaction) => listAudit(transaction, filter),
})

async function* listAudit(
  transaction: Transaction,
  filter: AuditFilter,
): AsyncGenerator<AuditEntry[]> {
  for (let cursor = null; ; ) {
    const rows: AuditEntry[] = await listAuditEntries(
      transaction,
      { ...filter, cursor },
      rowsAtOnce,
    )

    yield rows
    const last = rows.at(-1)
    if (rows.length < rowsAtOnce || !last) {
      return
    }

    cursor = { at: last.cursorAt, id: last.id }
  }
}
