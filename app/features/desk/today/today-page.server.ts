/** Loads the page Today, with what needs attention and the figures of the school. */
import { eq } from 'drizzle-orm'
import { sellsCourses } from '~/features/enrollment/course-access.server'
import {
  findPaymentProblem,
  isInTestMode,
} from '~/features/orders/payments/payment-settings.server'
import { findKeyRefusal } from '~/features/orders/payments/stripe-client.server'
import { countReportedReviews } from '~/features/reviews/reports/report-queries.server'
import { hasPermission } from '~/features/staff/permissions'
import { deskFigures, lastBackup, refundRequests } from '~/server/database/schema'
import { readOutboxFigures } from '~/server/mail/outbox.server'
import {
  areSalesPaused,
  listOverridingSettings,
  siteCurrency,
  siteTimeZone,
} from '~/server/site/site.server'
import type { DeskRequest } from '../desk-request.server'
import {
  checkBackup,
  checkDisk,
  checkMail,
  checkOrderProblems,
  checkPayments,
  checkRefundRequests,
  checkReportedReviews,
} from './checks.server'
import { loadSchoolSetup } from './school-setup.server'

export type TodayPageData = Awaited<ReturnType<typeof loadTodayPage>>

/** Loads what needs attention, and the figures of the school. */
export async function loadTodayPage(desk: DeskRequest) {
  const { db, now, staff } = desk
  const [[figures], [backup], outbox, diskCheck, waitingRequests, reportedReviews] =
    await Promise.all([
      db.select().from(deskFigures),
      db.select().from(lastBackup),
      readOutboxFigures(db),
      checkDisk(),
      db.$count(refundRequests, eq(refundRequests.status, 'asked')),
      countReportedReviews(db),
    ])

  const canOpenSite = hasPermission(staff, 'manage site')
  const paymentProblem = (await findPaymentProblem()) ?? (await findKeyRefusal())

  const checks = [
    checkRefundRequests(waitingRequests),
    checkReportedReviews(reportedReviews),
    checkPayments(paymentProblem, {
      isInTestMode: isInTestMode(),
      isPaused: areSalesPaused(),
      isSetByOperator: listOverridingSettings('payments').length > 0,
      canOpenSite,
    }),
    checkMail(outbox, { canOpenSite }),
    checkBackup(backup?.finishedAt ?? null, now),
    diskCheck,
    checkOrderProblems(figures?.orderProblems ?? 0),
  ]

  return {
    setup: await loadSchoolSetup(desk),
    checks: checks.filter((check) => check !== null),
    figures: figures ?? null,
    currency: siteCurrency(),
    timeZone: siteTimeZone(),
    sellsCourses: sellsCourses(),
  }
}
