/**
 * The tables that the desk downloads and operators write to a file.
 *
 * The name of a column is part of the file format that schools use, so it must not change.
 */
import {
  listAccountNames,
  listAccounts,
  type UserRow,
} from '~/features/accounts/account-queries.server'
import { listEnrollmentsByLearner } from '~/features/enrollment/enrollment-queries.server'
import {
  couponUrl,
  formatDiscount,
  type ListedCoupon,
  listCouponsByName,
} from '~/features/orders/coupons/coupon-queries.server'
import { type LedgerRow, listLedgerRows } from '~/features/orders/receipts/receipts.server'
import { listCourseLearners } from '~/features/profile/learner-courses.server'
import { formatDecimal } from '~/features/school/money'
import {
  type AuditEntry,
  type AuditFilter,
  formatArguments,
  formatChanges,
  listAuditEntries,
} from '~/features/staff/audit-queries.server'
import type { Transaction } from '~/server/database/client.server'
import { type CsvColumns, type CsvDecimal, csvBatchRows } from '~/server/operations/csv.server'

/** A table with its columns, and a query for its rows. */
export type ExportedTable<Row> = {
  columns: CsvColumns<Row>
  /** Lists the rows in batches of at most `csvBatchRows` rows. */
  listRows(tx: Transaction): AsyncGenerator<Row[]>
}

/**
 * Lists all rows in batches, by reading pages until one is not full.
 *
 * @param listPage returns the rows after a row, or the first rows if it is null
 */
export async function* listInBatches<Row>(
  listPage: (lastRow: Row | null) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let lastRow: Row | null = null
  let isComplete = false
  while (!isComplete) {
    const rows: Row[] = await listPage(lastRow)
    yield rows
    lastRow = rows.at(-1) ?? null
    isComplete = rows.length < csvBatchRows
  }
}

type AccountWithCourses = {
  account: UserRow
  enrollments: { courseIds: string[]; completedCourseIds: string[]; certificateIds: string[] }
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
  courses: ({ enrollments }) => enrollments.courseIds.join(' '),
  completed_courses: ({ enrollments }) => enrollments.completedCourseIds.join(' '),
  certificates: ({ enrollments }) => enrollments.certificateIds.join(' '),
}

const noEnrollments = { courseIds: [], completedCourseIds: [], certificateIds: [] }

async function listAccountsWithCourses(
  tx: Transaction,
  previousUid: string,
): Promise<AccountWithCourses[]> {
  const accounts = await listAccounts(tx, previousUid, csvBatchRows)
  const uids = accounts.map(({ id }) => id)
  const enrollments = await listEnrollmentsByLearner(tx, uids)

  return accounts.map((account) => ({
    account,
    enrollments: enrollments.get(account.id) ?? noEnrollments,
  }))
}

/** All accounts with their courses. */
export const accountsTable: ExportedTable<AccountWithCourses> = {
  columns: accountColumns,
  listRows: (tx) =>
    listInBatches((lastRow) => listAccountsWithCourses(tx, lastRow?.account.id ?? '')),
}

type CourseLearner = {
  learner: Awaited<ReturnType<typeof listCourseLearners>>[number]
  account: Pick<UserRow, 'email' | 'firstName' | 'lastName'> | undefined
}

const progressColumns: CsvColumns<CourseLearner> = {
  uid: ({ learner }) => learner.uid,
  email: ({ account }) => account?.email ?? null,
  first_name: ({ account }) => account?.firstName ?? null,
  last_name: ({ account }) => account?.lastName ?? null,
  enrolled_at: ({ learner }) => learner.enrolledAt,
  last_opened_at: ({ learner }) => learner.lastOpenedAt,
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

async function listLearnersWithAccounts(
  tx: Transaction,
  courseId: string,
  previousUid: string,
): Promise<CourseLearner[]> {
  const learners = await listCourseLearners(tx, courseId, previousUid, csvBatchRows)
  const uids = learners.map(({ uid }) => uid)
  const accounts = await listAccountNames(tx, uids)

  return learners.map((learner) => ({ learner, account: accounts.get(learner.uid) }))
}

/** The progress of each learner of a course. */
export function progressTable(courseId: string): ExportedTable<CourseLearner> {
  return {
    columns: progressColumns,
    listRows: (tx) =>
      listInBatches((lastRow) =>
        listLearnersWithAccounts(tx, courseId, lastRow?.learner.uid ?? ''),
      ),
  }
}

const ledgerColumns: CsvColumns<LedgerRow> = {
  number: ({ number }) => number,
  kind: ({ kind }) => kind,
  at: ({ at }) => at,
  amount: ({ amountMinor, currency }) => toDecimal(amountMinor, currency),
  currency: ({ currency }) => currency,
  tax: ({ taxMinor, currency }) => toDecimal(taxMinor, currency),
  coupon: ({ coupon }) => coupon,
  discount: ({ discountMinor, currency }) =>
    discountMinor === null ? null : toDecimal(discountMinor, currency),
  order: ({ orderId }) => orderId,
  course: ({ courseId }) => courseId,
  title: ({ courseTitle }) => courseTitle,
  gift: ({ isGift }) => isGift,
  instructor: ({ instructor }) => instructor,
  country: ({ country }) => country,
  vat_number: ({ vatNumber }) => vatNumber,
}

/** Returns an amount with all decimals of its currency, such as 89.00. */
function toDecimal(amountMinor: number, currency: string): CsvDecimal {
  return { decimal: formatDecimal(amountMinor, currency) }
}

/** Receipts and credit notes, for the bookkeeper. */
export const ledgerTable: ExportedTable<LedgerRow> = {
  columns: ledgerColumns,
  listRows: (tx) => listLedgerRows(tx, csvBatchRows),
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

/** All coupons with this name, to hand out. */
export function couponsTable(name: string): ExportedTable<ListedCoupon> {
  return {
    columns: couponColumns,
    listRows: (tx) => listCouponsByName(tx, name, csvBatchRows),
  }
}

const auditColumns: CsvColumns<AuditEntry> = {
  at: ({ at }) => new Date(at),
  by: ({ actor, actorName }) => actorName ?? actor,
  act: ({ action }) => action,
  subject: ({ subject }) => subject,
  arguments: ({ arguments: values }) => formatArguments(values),
  changes: ({ changes }) => formatChanges(changes),
  outcome: ({ outcome }) => outcome,
}

/** What staff and operators did, newest first. */
export function auditTable(filter: AuditFilter): ExportedTable<AuditEntry> {
  return {
    columns: auditColumns,
    listRows: (tx) =>
      listInBatches((lastRow) => {
        const cursor = lastRow && { at: lastRow.cursorAt, id: lastRow.id }
        return listAuditEntries(tx, { ...filter, cursor }, csvBatchRows)
      }),
  }
}
