import { sql } from 'drizzle-orm'
import { describeAccount, getAccount } from '~/features/accounts/account-administration.server'
import { findUser, type UserRow } from '~/features/accounts/account-queries.server'
import { accountService } from '~/features/accounts/account-service.server'
import { describeDevice } from '~/features/accounts/security/device-name.server'
import { namedWay } from '~/features/accounts/social/social-providers.server'
import {
  findCertificateHolder,
  reissueCertificate,
  revokeCertificate,
} from '~/features/certificates/certificate-operations.server'
import { listPurchases } from '~/features/orders/purchases/purchase-queries.server'
import { listLearnerCourses } from '~/features/profile/progress-report.server'
import { listAuditEntries } from '~/features/staff/audit-queries.server'
import { recordOpened } from '~/features/staff/record-opened.server'
import {
  listUntouchable,
  onlyOwners,
  type StaffMember,
} from '~/features/staff/staff-queries.server'
import type { Database } from '~/server/database/client.server'
import { env, StartError } from '~/server/env.server'
import { fileStore } from '~/server/files/files.server'
import { reportError } from '~/server/operations/log.server'
import { withAccountChanges } from '../account-state.server'
import { listAnnounced } from '../announcements/announced-mails.server'
import { shownEntry } from '../audit/audit-page.server'
import {
  type ActionOutcome,
  type DeskAction,
  type DeskActionRequest,
  textOf,
} from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'
import {
  disableAccount,
  enableAccount,
  enrollInCourses,
  forgetAttempts,
  giveAttemptsBack,
  giveNewAddress,
  longestReason,
  removeAccount,
  removeFromCourse,
  sendAgain,
  signOutEverywhere,
  turnOffTwoStep,
} from '../learner-acts.server'

type Change = (user: UserRow, call: DeskActionRequest) => Promise<string>

/**
 * An act on the learner of the page's address.
 *
 * @param fields of the form that the audit gets, too.
 */
function personAct(name: string, change: Change, fields: readonly string[] = []): DeskAction {
  return {
    name,
    permission: 'change people',
    isSensitive: true,
    async run(call) {
      const user = await getPerson(call)
      const given = Object.fromEntries(fields.map((each) => [each, textOf(call, each)]))
      const act = async () => ({ arguments: given, outcome: await change(user, call) })

      return withAccountChanges(
        call.transaction,
        user.id,
        act,
        accountService.attempts.on(call.transaction),
      )
    },
  }
}

/** With the account of another member of staff, a manager would get its role, too. */
async function mayChange(
  db: Pick<Database, 'execute'>,
  staff: StaffMember,
  uid: string,
): Promise<boolean> {
  return !(await listUntouchable(db, staff, [uid])).has(uid)
}

/** The learner of the page's address. @throws {StartError} */
async function getPerson({ transaction, params, staff }: DeskActionRequest): Promise<UserRow> {
  const user = await getAccount(transaction, params.uid ?? '')
  if (!(await mayChange(transaction, staff, user.id))) {
    throw new StartError(onlyOwners)
  }

  return user
}

export const personActions = {
  'change-email': personAct('learner change-email', (user, call) =>
    giveNewAddress(call.transaction, user, textOf(call, 'email')),
  ),
  unlock: personAct('learner unlock', (user, call) =>
    forgetAttempts(user, accountService.attempts.on(call.transaction)),
  ),
  resend: personAct(
    'learner resend',
    async (user, call) => sendAgain(call.transaction, user, textOf(call, 'email')),
    ['email'],
  ),
  'end-sessions': personAct('learner end-sessions', (user, call) =>
    signOutEverywhere(call.transaction, user),
  ),
  'turn-off-two-step': personAct(
    'learner turn-off-two-step',
    (user, call) =>
      turnOffTwoStep(call.transaction, notOneself(user, call), textOf(call, 'reason')),
    ['reason'],
  ),
  disable: personAct('learner disable', (user, call) =>
    disableAccount(call.transaction, notOneself(user, call)),
  ),
  enable: personAct('learner enable', (user, call) => enableAccount(call.transaction, user)),
  delete: { ...personAct('learner delete', async () => ''), run: deletePerson },
  enroll: personAct(
    'learner enroll',
    (user, call) => enrollInCourses(call.transaction, user, [textOf(call, 'course')], call.now),
    ['course'],
  ),
  remove: personAct(
    'learner remove',
    (user, call) => removeFromCourse(call.transaction, user, textOf(call, 'course')),
    ['course'],
  ),
  'reset-attempts': personAct(
    'learner reset-attempts',
    (user, call) => giveAttemptsBack(call.transaction, user, textOf(call, 'course'), call.now),
    ['course'],
  ),
  revoke: personAct('certificate revoke', revoke, ['certificate', 'reason']),
  reissue: personAct('certificate reissue', reissue, ['certificate']),
} satisfies Record<string, DeskAction>

/** @throws {StartError} so that a click locks no one out of their own account. */
function notOneself(user: UserRow, { staff }: DeskActionRequest): UserRow {
  if (user.id === staff.uid) {
    throw new StartError('This is your own account.')
  }

  return user
}

async function deletePerson(call: DeskActionRequest): Promise<ActionOutcome> {
  const user = notOneself(await getPerson(call), call)
  if (textOf(call, 'confirmation').toLowerCase() !== user.email) {
    throw new StartError('Type the account’s email address to confirm that it’s the right one.')
  }

  const photos: string[] = []
  const done = await withAccountChanges(call.transaction, user.id, async () => ({
    outcome: await removeAccount(call.transaction, user, (photo) => photos.push(photo)),
  }))
  const after = async () => {
    for (const photo of photos) {
      await fileStore.remove(photo).catch((error) => reportError(error))
    }
  }

  return { ...done, after, onward: '/Desk/People' }
}

async function revoke(user: UserRow, call: DeskActionRequest): Promise<string> {
  const reason = textOf(call, 'reason')
  if (!reason || reason.length > longestReason) {
    throw new StartError('Give a reason of at most 500 characters.')
  }

  await revokeCertificate(call.transaction, await requireCertificate(user, call), reason, call.now)

  return 'The certificate has been revoked.'
}

async function reissue(user: UserRow, call: DeskActionRequest): Promise<string> {
  const id = await reissueCertificate(
    call.transaction,
    await requireCertificate(user, call),
    call.now,
  )

  if (!id) {
    throw new StartError('This certificate has been replaced already.')
  }

  return `The new certificate: ${env.PUBLIC_URL}/Certificate/${id}`
}

async function requireCertificate({ id }: UserRow, call: DeskActionRequest): Promise<string> {
  const certificate = textOf(call, 'certificate')
  if ((await findCertificateHolder(call.transaction, certificate)) !== id) {
    throw new StartError('The learner doesn’t hold this certificate.')
  }

  return certificate
}

const auditShown = 20
const mailsShown = 20

export async function loadPersonPage({ db, params, staff }: DeskRequest) {
  const user = await findUser(db, params.uid ?? '')
  if (!user) {
    return null
  }

  await recordOpened(db, staff.uid, user.id)
  const [account, courses, orders, announced, audit, offered, isChangeable] = await Promise.all([
    describeAccount(db, accountService.attempts, user.id),
    listLearnerCourses(db, user.id),
    listPurchases(db, user.id, null),
    listAnnounced(db, user.id, mailsShown),
    listAuditEntries(db, { subject: user.id }, auditShown),
    db.execute<{ id: string; title: string }>(
      sql`select id, title from courses where published order by title limit 500`,
    ),
    mayChange(db, staff, user.id),
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
    sessions: account.sessions.map(({ browser, ...session }) => ({
      ...session,
      device: describeDevice(browser).name,
    })),
    courses,
    // A gift's code stays secret, because it opens the course.
    orders: orders.map(({ gift: _, ...order }) => order),
    announced,
    audit: audit.map(shownEntry),
    offered: offered.rows,
    isOneself: user.id === staff.uid,
    isChangeable,
  }
}

export type PersonPageData = NonNullable<Awaited<ReturnType<typeof loadPersonPage>>>
