import { eq } from 'drizzle-orm'
import { sellsCourses } from '~/features/enrollment/course-access.server'
import { countReported } from '~/features/reviews/reports/report-queries.server'
import { hasPermission } from '~/features/staff/permissions'
import { deskFigures, lastBackup, refundRequests } from '~/server/database/schema'
import { readOutboxFigures } from '~/server/mail/outbox.server'
import { siteCurrency } from '~/server/site/site.server'
import type { DeskRequest } from '../desk-request.server'
import { checkBackup } from './checks/backup-check.server'
import { checkDisk } from './checks/disk-check.server'
import { checkMail } from './checks/mail-check.server'
import { checkOrderProblems } from './checks/orders-check'
import { checkRefundRequests } from './checks/refund-requests-check'
import { checkReportedReviews } from './checks/reported-reviews-check'

export async function loadTodayPage({ db, now, staff }: DeskRequest) {
  const [[figures], [backup], mail, disk, requests, reported] = await Promise.all([
    db.select().from(deskFigures),
    db.select().from(lastBackup),
    readOutboxFigures(db),
    checkDisk(),
    db.$count(refundRequests, eq(refundRequests.state, 'asked')),
    countReported(db),
  ])
  const found = [
    checkRefundRequests(requests),
    checkReportedReviews(reported),
    checkMail(mail, { runsSite: hasPermission(staff, 'run the site') }),
    checkBackup(backup?.finishedAt ?? null, now),
    disk,
    checkOrderProblems(figures?.orderProblems ?? 0),
  ]

  return {
    checks: found.filter((check) => check !== null),
    figures: figures ?? null,
    currency: siteCurrency(),
    sells: sellsCourses,
  }
}

export type TodayPageData = NonNullable<Awaited<ReturnType<typeof loadTodayPage>>>
