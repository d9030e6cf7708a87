import { eq } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import {
  courses,
  enrollments,
  type MailKind,
  type OrderMailKind,
  orderMailKinds,
} from '~/server/database/schema/index'
import { composeEmail, type EmailContent } from '~/server/mail/email-layout.server'
import type { OutboxRow } from '~/server/mail/mail-sender.server'
import { findUser, type UserRow } from '../account-queries.server'
import { createOneTimeToken } from '../one-time-tokens.server'
import {
  createRecoveryLink,
  previousEmailRecoveryLinkDays,
  recoveryLinkDays,
} from '../security/account-recovery.server'
import { createMailedCode, writeConfirmCodeEmail } from '../step-up/mailed-code.server'
import {
  writeConfirmationEmail,
  writeInvitationEmail,
  writePasswordRemovedEmail,
  writeResetEmail,
  writeWelcomeEmail,
} from './account-email-texts.server'
import {
  writeAccountDeletedEmail,
  writeAddressChangedEmail,
  writeNewDeviceEmail,
  writePasswordChangedEmail,
  writeSecurityChangedEmail,
} from './security-emails.server'

const featureMailKinds = ['study-reminder', 'announcement-test', 'review-answer'] as const

/** The emails that other features compose. */
export type FeatureMailKind = (typeof featureMailKinds)[number] | OrderMailKind
type AccountMailKind = Exclude<MailKind, FeatureMailKind>
type AccountMail = OutboxRow & { kind: AccountMailKind }
/** An email about an account that still exists. */
type ExistingAccountMail = AccountMail & { kind: Exclude<AccountMailKind, 'account-deleted'> }

export function isAccountMail(row: OutboxRow): row is AccountMail {
  return featureMailKinds.every((kind) => kind !== row.kind) && !isOrderMail(row.kind)
}

function isOrderMail(kind: MailKind): kind is OrderMailKind {
  return orderMailKinds.some((orderKind) => orderKind === kind)
}

/**
 * Returns a function that composes the emails about accounts. An email is composed right before it
 * is sent, so that its link is new. The function returns null if the email is no longer needed.
 *
 * Emails contain no name. Otherwise someone could register another person's email address with a
 * message as the name, and the school would send that message.
 */
export function createAccountMailComposer(db: Database, publicUrl: string) {
  return async (row: OutboxRow) => {
    if (!isAccountMail(row)) {
      return null
    }

    return isAboutExistingAccount(row)
      ? composeExistingAccountMail(db, publicUrl, row)
      : composeAccountDeletedMail(publicUrl, row)
  }
}

function composeAccountDeletedMail(publicUrl: string, row: AccountMail) {
  const to = row.formerAddress
  if (!to) {
    return null
  }

  return { to, ...composeEmail(writeAccountDeletedEmail(`${publicUrl}/`)) }
}

async function composeExistingAccountMail(
  db: Database,
  publicUrl: string,
  row: ExistingAccountMail,
) {
  const user = row.uid ? await findUser(db, row.uid) : null
  if (!user || user.banned) {
    return null
  }

  const isConfirmedMeanwhile = user.emailVerified && kindsThatAskToConfirm.has(row.kind)
  if (isConfirmedMeanwhile) {
    return null
  }

  const content = await writeAccountEmail(db, publicUrl, row, user)

  return { to: row.formerAddress ?? user.email, ...composeEmail(content) }
}

/** Emails of these kinds only ask the learner to confirm their email address. */
const kindsThatAskToConfirm: ReadonlySet<MailKind> = new Set([
  'welcome',
  'invitation',
  'confirmation',
])

function isAboutExistingAccount(row: AccountMail): row is ExistingAccountMail {
  return row.kind !== 'account-deleted'
}

/**
 * The link of an invitation works longer than other links, because people don't expect the email.
 */
const invitationLinkDays = 7
const dayMs = 24 * 60 * 60_000

async function writeAccountEmail(
  db: Database,
  publicUrl: string,
  row: ExistingAccountMail,
  user: UserRow,
): Promise<EmailContent> {
  const uid = user.id
  switch (row.kind) {
    case 'password-removed':
      return writePasswordRemovedEmail(`${publicUrl}/ResetPassword`)
    case 'password-changed':
      return writePasswordChangedEmail(await describeChange(db, publicUrl, row, user))
    case 'new-device':
      return writeNewDeviceEmail(row.topic ?? '', await describeChange(db, publicUrl, row, user))
    case 'security-changed':
      return writeSecurityChangedEmail(
        row.topic ?? '',
        await describeChange(db, publicUrl, row, user),
      )
    case 'address-changed':
      return writeAddressChangedEmail(await describeChange(db, publicUrl, row, user))
    case 'confirm-code':
      return writeConfirmCodeEmail(await createMailedCode(db, uid), `${publicUrl}/Confirm`)
    case 'reset': {
      const token = await createOneTimeToken(db, 'reset-password', uid)
      return writeResetEmail(`${publicUrl}/ResetPassword?token=${token}`)
    }
    case 'invitation': {
      const token = await createOneTimeToken(db, 'reset-password', uid, {
        lifetimeMs: invitationLinkDays * dayMs,
      })
      const courseTitles = await listCourseTitles(db, uid)

      return writeInvitationEmail(`${publicUrl}/ResetPassword?token=${token}`, {
        courseTitles,
        linkDays: invitationLinkDays,
      })
    }
    case 'welcome':
      return writeWelcomeEmail(await createConfirmUrl(db, publicUrl, uid))
    case 'confirmation':
      return writeConfirmationEmail(await createConfirmUrl(db, publicUrl, uid))
  }
}

/** Returns the URL of the page that confirms the account's email, with a new token. */
async function createConfirmUrl(db: Database, publicUrl: string, uid: string): Promise<string> {
  const token = await createOneTimeToken(db, 'verify-email', uid)
  return `${publicUrl}/ConfirmEmail?token=${token}`
}

/** Lists the titles of the courses that the learner is enrolled in, in the order of enrollment. */
async function listCourseTitles(db: Database, uid: string): Promise<string[]> {
  const rows = await db
    .select({ title: courses.title })
    .from(enrollments)
    .innerJoin(courses, eq(courses.id, enrollments.courseId))
    .where(eq(enrollments.uid, uid))
    .orderBy(enrollments.enrolledAt, courses.title)

  return rows.map(({ title }) => title)
}

/**
 * An email is queued in the transaction that saves its change, shortly after the change. This is
 * the longest time between the two.
 */
const maxQueueDelayMs = 60_000

/**
 * Returns when the change happened that the email is about, with a link that reverts the change.
 */
async function describeChange(db: Database, publicUrl: string, row: AccountMail, user: UserRow) {
  const days = row.formerAddress ? previousEmailRecoveryLinkDays : recoveryLinkDays
  const since = new Date(row.createdAt.getTime() - maxQueueDelayMs)
  const token = await createRecoveryLink(db, {
    uid: user.id,
    since,
    email: row.formerAddress ?? user.email,
    days,
  })

  return {
    at: row.createdAt.toISOString(),
    timeZone: user.displayTimezone,
    recoveryUrl: `${publicUrl}/NotMe?key=${token}`,
    recoveryDays: days,
  }
}
