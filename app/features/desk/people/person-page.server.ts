import { sql } from 'drizzle-orm'
import { describeAccount } from '~/features/accounts/account-administration.server'
import { findUser } from '~/features/accounts/account-queries.server'
import { accountService } from '~/features/accounts/account-service.server'
import { describeDevice } from '~/features/accounts/security/device-name.server'
import { formatSignInMethod } from '~/features/accounts/security/security-messages'
import { namedWay } from '~/features/accounts/social/social-providers.server'
import { writeCourseSearch } from '~/features/catalog/search/search-index.server'
import { listPurchases } from '~/features/orders/purchases/purchase-queries.server'
import { listLearnerCourses } from '~/features/profile/progress-report.server'
import {
  changeLearnerEmail,
  deleteLearner,
  disableAccount,
  enableAccount,
  removeSignInMethod,
  resendLearnerEmail,
  resetSignInLimit,
  signOutEverywhere,
  turnOffTwoStep,
} from '~/features/staff/account-actions.server'
import { recordAccountView } from '~/features/staff/audit.server'
import { listAuditEntries } from '~/features/staff/audit-queries.server'
import { findProtectedAccounts, type StaffMember } from '~/features/staff/staff-queries.server'
import type { Database } from '~/server/database/client.server'
import { fileStore } from '~/server/files/files.server'
import { reportError } from '~/server/operations/log.server'
import { type Result, success } from '~/server/result'
import type { AnnouncementMailState } from '../announcements/announcement-states'
import { toAuditRow } from '../audit/audit-page.server'
import {
  type DeskAction,
  type PerformedAction,
  type SubmittedForm,
  textOf,
} from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'
import {
  enrollLearner,
  giveAttemptsBack,
  reissueLearnerCertificate,
  removeFromCourse,
  revokeLearnerCertificate,
} from './learning-actions.server'

type PersonActionRun = (request: PersonRequest) => Promise<Result<PerformedAction>>

type PersonRequest = SubmittedForm & { uid: string }

/** An action on the learner of the page's URL. */
function personAction(perform: PersonActionRun): DeskAction {
  return {
    permission: 'change people',
    isSensitive: true,
    perform: (request) => perform({ ...request, uid: request.params.uid ?? '' }),
  }
}

export const personActions = {
  'change-email': personAction((request) =>
    changeLearnerEmail(request.actionContext, request.uid, textOf(request, 'email')),
  ),
  unlock: personAction(({ actionContext, uid }) =>
    resetSignInLimit(actionContext, uid, accountService.attempts),
  ),
  resend: personAction((request) =>
    resendLearnerEmail(request.actionContext, request.uid, textOf(request, 'email')),
  ),
  'end-sessions': personAction(({ actionContext, uid }) => signOutEverywhere(actionContext, uid)),
  'turn-off-two-step': personAction((request) =>
    turnOffTwoStep(request.actionContext, request.uid, textOf(request, 'reason')),
  ),
  'remove-way': personAction((request) =>
    removeSignInMethod(request.actionContext, request.uid, textOf(request, 'way')),
  ),
  disable: personAction(({ actionContext, uid }) => disableAccount(actionContext, uid)),
  enable: personAction(({ actionContext, uid }) => enableAccount(actionContext, uid)),
  delete: personAction(deletePerson),
  enroll: personAction((request) =>
    enrollLearner(request.actionContext, request.uid, textOf(request, 'course')),
  ),
  remove: personAction((request) =>
    removeFromCourse(request.actionContext, request.uid, textOf(request, 'course')),
  ),
  'reset-attempts': personAction((request) =>
    giveAttemptsBack(request.actionContext, request.uid, textOf(request, 'course')),
  ),
  revoke: personAction((request) =>
    revokeLearnerCertificate(request.actionContext, {
      account: request.uid,
      certificateId: textOf(request, 'certificate'),
      reason: textOf(request, 'reason'),
    }),
  ),
  reissue: personAction((request) =>
    reissueLearnerCertificate(request.actionContext, {
      account: request.uid,
      certificateId: textOf(request, 'certificate'),
    }),
  ),
} satisfies Record<string, DeskAction>

async function deletePerson(request: PersonRequest): Promise<Result<PerformedAction>> {
  const result = await deleteLearner(request.actionContext, {
    account: request.uid,
    confirmation: textOf(request, 'confirmation'),
    ratingsChange: writeCourseSearch,
  })
  if (!result.ok) {
    return result
  }

  const { outcome, photo } = result.value
  if (photo !== null) {
    await fileStore.remove(photo).catch((error) => reportError(error))
  }

  return success({ outcome, onward: '/Desk/People' })
}

async function isChangeableBy(
  db: Pick<Database, 'execute'>,
  staff: StaffMember,
  uid: string,
): Promise<boolean> {
  const untouchable = await findProtectedAccounts(db, staff, [uid])
  return !untouchable.has(uid)
}

const auditShown = 20
const maxAnnouncementEmails = 20

export async function loadPersonPage({ db, params, staff }: DeskRequest) {
  const user = await findUser(db, params.uid ?? '')
  if (!user) {
    return null
  }

  await recordAccountView(db, staff.uid, user.id)
  const [account, courses, orders, announced, audit, offered, isChangeable] = await Promise.all([
    describeAccount(db, accountService.attempts, user.id),
    listLearnerCourses(db, user.id),
    listPurchases(db, user.id, null),
    listAnnouncementEmails(db, user.id),
    listAuditEntries(db, { subject: user.id }, auditShown),
    db.execute<{ id: string; title: string }>(
      sql`select id, title from courses where published order by title limit 500`,
    ),
    isChangeableBy(db, staff, user.id),
  ])
  const { id, name, email, emailVerified, banned, provider, phone, location, displayTimezone } =
    user

  return {
    person: {
      id,
      name,
      email,
      confirmed: emailVerified,
      disabled: banned,
      provider,
      phone,
      location,
      displayTimezone,
    },
    times: {
      createdAt: user.createdAt,
      confirmedAt: user.emailVerifiedAt,
      lastLoginAt: user.lastLoginAt,
    },
    ...account,
    ways: account.ways.map((one) => ({
      ...one,
      provider: namedWay(accountService.providers, one.provider),
    })),
    events: account.events.map((event) => ({
      ...event,
      way: namedWay(accountService.providers, event.way),
    })),
    providers: account.ways
      .filter(({ provider }) => !['credential', 'passkey'].includes(provider))
      .map(({ provider }) => ({
        id: provider,
        name: formatSignInMethod(namedWay(accountService.providers, provider)),
      })),
    sessions: account.sessions.map(({ browser, ...session }) => ({
      ...session,
      device: describeDevice(browser).name,
    })),
    courses,
    // A gift's code stays secret, because it opens the course.
    orders: orders.map(({ gift: _, ...order }) => order),
    announced,
    audit: audit.map(toAuditRow),
    offered: offered.rows,
    isOneself: user.id === staff.uid,
    isChangeable,
  }
}

export type PersonPageData = NonNullable<Awaited<ReturnType<typeof loadPersonPage>>>

type AnnouncementEmail = {
  id: string
  subject: string
  state: AnnouncementMailState
  at: string
}

/** Lists the learner's latest emails of announcements, newest first. */
async function listAnnouncementEmails(db: Database, uid: string): Promise<AnnouncementEmail[]> {
  const { rows } = await db.execute<AnnouncementEmail>(sql`
    select a.id, a.subject, m.state, m.at::text as at
    from announcement_mails m
      join announcements a on a.id = m.announcement_id
    where m.uid = ${uid}
    order by m.at desc, a.id desc
    limit ${maxAnnouncementEmails}`)

  return rows
}
