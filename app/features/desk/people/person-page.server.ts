/** The page of one account: what staff see of a learner, and what they can do for them. */
import { sql } from 'drizzle-orm'
import { getAccountDetails } from '~/features/accounts/account-details.server'
import { findUser } from '~/features/accounts/account-queries.server'
import { accountService } from '~/features/accounts/account-service.server'
import { describeDevice } from '~/features/accounts/security/device-name.server'
import { formatSignInMethod } from '~/features/accounts/security/security-messages'
import { getSignInMethodName } from '~/features/accounts/social/social-providers.server'
import { writeCourseSearch } from '~/features/catalog/search/search-index.server'
import {
  reissueLearnerCertificate,
  revokeLearnerCertificate,
} from '~/features/certificates/certificate-actions.server'
import { enrollAndReward } from '~/features/certificates/rewards.server'
import {
  enrollLearnerAsStaff,
  removeLearnerFromCourse,
} from '~/features/enrollment/enrollment-actions.server'
import { giveAttemptsBack } from '~/features/exams/attempt/attempt-actions.server'
import { listPurchases } from '~/features/orders/purchases/purchase-queries.server'
import { listLearnerCourses } from '~/features/profile/learner-courses.server'
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
import { findProtectedAccounts } from '~/features/staff/staff-queries.server'
import type { Database } from '~/server/database/client.server'
import { fileStore } from '~/server/files/files.server'
import { reportError } from '~/server/operations/log.server'
import { type Result, success } from '~/server/result'
import type { AnnouncementEmailStatus } from '../announcements/announcement-types'
import { toAuditRow } from '../audit/audit-page.server'
import {
  type DeskAction,
  type DeskActionResult,
  type DeskFormRequest,
  readText,
} from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'

/** The actions of an account's page. All of them need a recent sign-in. */
export const personActions = {
  'change-email': createPersonAction((request) =>
    changeLearnerEmail(request.actionContext, request.uid, readText(request, 'email')),
  ),
  unlock: createPersonAction(({ actionContext, uid }) =>
    resetSignInLimit(actionContext, uid, accountService.attempts),
  ),
  resend: createPersonAction((request) =>
    resendLearnerEmail(request.actionContext, request.uid, readText(request, 'email')),
  ),
  'end-sessions': createPersonAction(({ actionContext, uid }) =>
    signOutEverywhere(actionContext, uid),
  ),
  'turn-off-two-step': createPersonAction((request) =>
    turnOffTwoStep(request.actionContext, request.uid, readText(request, 'reason')),
  ),
  'remove-way': createPersonAction((request) =>
    removeSignInMethod(request.actionContext, request.uid, readText(request, 'way')),
  ),
  disable: createPersonAction(({ actionContext, uid }) => disableAccount(actionContext, uid)),
  enable: createPersonAction(({ actionContext, uid }) => enableAccount(actionContext, uid)),
  delete: createPersonAction(deletePerson),
  enroll: createPersonAction((request) =>
    enrollLearnerAsStaff(
      request.actionContext,
      { account: request.uid, courseId: readText(request, 'course') },
      enrollAndReward,
    ),
  ),
  remove: createPersonAction((request) =>
    removeLearnerFromCourse(request.actionContext, {
      account: request.uid,
      courseId: readText(request, 'course'),
    }),
  ),
  'reset-attempts': createPersonAction((request) =>
    giveAttemptsBack(request.actionContext, {
      account: request.uid,
      courseId: readText(request, 'course'),
    }),
  ),
  revoke: createPersonAction((request) =>
    revokeLearnerCertificate(request.actionContext, {
      account: request.uid,
      certificateId: readText(request, 'certificate'),
      reason: readText(request, 'reason'),
    }),
  ),
  reissue: createPersonAction((request) =>
    reissueLearnerCertificate(request.actionContext, {
      account: request.uid,
      certificateId: readText(request, 'certificate'),
    }),
  ),
} satisfies Record<string, DeskAction>

/** A submitted form of the page, with the uid of the page's account. */
type PersonRequest = DeskFormRequest & { uid: string }

/** Returns an action on the account in the page's URL. */
function createPersonAction(
  perform: (request: PersonRequest) => Promise<Result<DeskActionResult>>,
): DeskAction {
  return {
    permission: 'change people',
    needsRecentSignIn: true,
    perform: (request) => perform({ ...request, uid: request.params.uid ?? '' }),
  }
}

async function deletePerson(request: PersonRequest): Promise<Result<DeskActionResult>> {
  const result = await deleteLearner(request.actionContext, {
    account: request.uid,
    confirmation: readText(request, 'confirmation'),
    updateRatings: writeCourseSearch,
  })
  if (!result.ok) {
    return result
  }

  const { outcome, photo } = result.value
  if (photo !== null) {
    await fileStore.remove(photo).catch((error) => reportError(error))
  }

  return success({ outcome, redirectTo: '/Desk/People' })
}

export type PersonPageData = NonNullable<Awaited<ReturnType<typeof loadPersonPage>>>

const maxAuditEntries = 20
const maxAnnouncementEmails = 20
const maxOfferedCourses = 500

/** Loads the page of an account. Returns null if there is no such account. */
export async function loadPersonPage({ db, params, staff }: DeskRequest) {
  const user = await findUser(db, params.uid ?? '')
  if (!user) {
    return null
  }

  const uid = user.id
  await recordAccountView(db, staff.uid, uid)

  const [
    account,
    courses,
    purchases,
    announcementEmails,
    auditEntries,
    offeredCourses,
    protectedUids,
  ] = await Promise.all([
    getAccountDetails(db, accountService.attempts, uid),
    listLearnerCourses(db, uid),
    listPurchases(db, uid, null),
    listAnnouncementEmails(db, uid),
    listAuditEntries(db, { subject: uid }, maxAuditEntries),
    listOfferedCourses(db),
    findProtectedAccounts(db, staff, [uid]),
  ])

  return {
    person: {
      id: uid,
      name: user.name,
      email: user.email,
      isConfirmed: user.emailVerified,
      isDisabled: user.banned,
      provider: user.provider,
      phone: user.phone,
      location: user.location,
      displayTimezone: user.displayTimezone,
    },
    times: {
      createdAt: user.createdAt,
      confirmedAt: user.emailVerifiedAt,
      lastLoginAt: user.lastLoginAt,
    },
    ...account,
    signInMethods: account.signInMethods.map((method) => ({
      ...method,
      provider: getProviderName(method.provider),
    })),
    securityEvents: account.securityEvents.map(({ signInMethod, ...event }) => ({
      ...event,
      signInMethod: getProviderName(signInMethod),
    })),
    providers: listRemovableProviders(account.signInMethods),
    sessions: account.sessions.map(({ browser, ...session }) => ({
      ...session,
      device: describeDevice(browser).name,
    })),
    courses,
    // A gift's code stays secret, because it opens the course.
    orders: purchases.map(({ gift: _, ...order }) => order),
    announcementEmails,
    auditRows: auditEntries.map(toAuditRow),
    offeredCourses,
    isOwnAccount: uid === staff.uid,
    isChangeable: !protectedUids.has(uid),
  }
}

function getProviderName<Provider extends string | null>(provider: Provider) {
  return getSignInMethodName(accountService.providers, provider)
}

/** Lists the social accounts and single sign-on, which staff can remove. */
function listRemovableProviders(signInMethods: readonly { provider: string }[]) {
  return signInMethods
    .filter(({ provider }) => !['credential', 'passkey'].includes(provider))
    .map(({ provider }) => ({ id: provider, name: formatSignInMethod(getProviderName(provider)) }))
}

async function listOfferedCourses(db: Database) {
  const { rows } = await db.execute<{ id: string; title: string }>(sql`
    select id, title
    from courses
    where published
    order by title
    limit ${maxOfferedCourses}`)

  return rows
}

type AnnouncementEmail = {
  id: string
  subject: string
  status: AnnouncementEmailStatus
  at: string
}

/** Lists the learner's latest emails of announcements, newest first. */
async function listAnnouncementEmails(db: Database, uid: string): Promise<AnnouncementEmail[]> {
  const { rows } = await db.execute<AnnouncementEmail>(sql`
    select a.id, a.subject, m.state as status, m.at::text as at
    from announcement_mails m
      join announcements a on a.id = m.announcement_id
    where m.uid = ${uid}
    order by m.at desc, a.id desc
    limit ${maxAnnouncementEmails}`)

  return rows
}
