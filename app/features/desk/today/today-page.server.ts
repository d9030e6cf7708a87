import { eq } from 'drizzle-orm'
import { sellsCourses } from '~/features/enrollment/course-access.server'
import { deskFigures, lastBackup, refundRequests } from '~/server/database/schema'
import { env } from '~/server/env.server'
import { readOutboxFigures } from '~/server/mail/outbox.server'
import { deskPage } from '../desk-page.server'
import { checkBackup } from './checks/backup-check.server'
import { checkDisk } from './checks/disk-check.server'
import { checkMail } from './checks/mail-check.server'
import { checkOrderProblems } from './checks/orders-check'
import { checkRefundRequests } from './checks/refund-requests-check'

export const todayPage = deskPage({
  path: '',
  permission: 'see the school',
  async load({ db, now }) {
    const [[figures], [backup], mail, disk, requests] = await Promise.all([
      db.select().from(deskFigures),
      db.select().from(lastBackup),
      readOutboxFigures(db),
      checkDisk(),
      db.$count(refundRequests, eq(refundRequests.state, 'asked')),
    ])
    const found = [
      checkRefundRequests(requests),
      checkMail(mail),
      checkBackup(backup?.finishedAt ?? null, now),
      disk,
      checkOrderProblems(figures?.orderProblems ?? 0),
    ]
    return {
      checks: found.filter((check) => check !== null),
      figures: figures ?? null,
      currency: env.CURRENCY,
      sells: sellsCourses,
    }
  },
})
