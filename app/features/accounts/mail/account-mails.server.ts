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
import { siteName } from '~/server/site/site.server'
import { formatNumber } from '~/ui/format-count'
import { findUser, type UserRow } from '../account-queries.server'
import { createOneTimeToken } from '../one-time-tokens.server'
import {
  createRecoveryLink,
  previousEmailRecoveryLinkDays,
  recoveryLinkDays,
} from '../security/account-recovery.server'
import { createMailedCode, writeConfirmCodeEmail } from '../step-up/mailed-code.server'
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
 * Returns a function that composes the emails about accounts. An email is composed right before it is
 * sent, so that its link is new. The function returns null if the email is no longer needed.
 *
 * Emails contain no name. Otherwise someone could register another person's email address with a
 * message as the name, and the school would send that message.
 */
export function accountMailComposer(db: Database, publicUrl: string) {
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

  if (user.emailVerified && emailConfirmingKinds.has(row.kind)) {
    return null
  }

  const content = await writeAccountEmail(db, publicUrl, row, user)

  return { to: row.formerAddress ?? user.email, ...composeEmail(content) }
}

/** Emails of these kinds only ask the user to confirm their email address. */
const emailConfirmingKinds: ReadonlySet<MailKind> = new Set([
  'welcome',
  'invitation',
  'confirmation',
])

function isAboutExistingAccount(row: AccountMail): row is ExistingAccountMail {
  return row.kind !== 'account-deleted'
}

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
      return writeNewDeviceEmail(row.about ?? '', await describeChange(db, publicUrl, row, user))
    case 'security-changed':
      return writeSecurityChangedEmail(
        row.about ?? '',
        await describeChange(db, publicUrl, row, user),
      )
    case 'address-changed':
      return writeAddressChangedEmail(await describeChange(db, publicUrl, row, user))
    case 'confirm-code':
      return writeConfirmCodeEmail(await createMailedCode(db, uid), `${publicUrl}/Confirm`)
    case 'reset':
      return writeResetEmail(
        `${publicUrl}/ResetPassword?token=${await createOneTimeToken(db, 'reset-password', uid)}`,
      )
    case 'invitation': {
      const token = await createOneTimeToken(
        db,
        'reset-password',
        uid,
        Date.now(),
        invitationDays * dayMs,
      )

      return writeInvitationEmail(`${publicUrl}/ResetPassword?token=${token}`, {
        courseTitles: await listCourseTitles(db, uid),
      })
    }
    default: {
      const token = await createOneTimeToken(db, 'verify-email', uid)
      const confirmUrl = `${publicUrl}/ConfirmEmail?token=${token}`
      return row.kind === 'welcome'
        ? writeWelcomeEmail(confirmUrl)
        : writeConfirmationEmail(confirmUrl)
    }
  }
}

/** The change was saved in the same transaction as the email, shortly before it. */
const maxTimeBeforeMailMs = 60_000

/** Describes when a change happened, with a link that reverts it. */
async function describeChange(db: Database, publicUrl: string, row: AccountMail, user: UserRow) {
  const days = row.formerAddress ? previousEmailRecoveryLinkDays : recoveryLinkDays
  const since = new Date(row.createdAt.getTime() - maxTimeBeforeMailMs)
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

const writeResetEmail = (href: string): EmailContent => ({
  subject: `Reset your ${siteName()} password`,
  beforeLink: [
    `We received a request to reset your ${siteName()} password. Choose a new one here:`,
  ],
  link: { label: 'Choose a new password', href },
  afterLink: [
    'This link works once and expires in one hour. Setting a new password signs you out everywhere else.',
    'Didn’t request this? You can ignore this email. Your password won’t change.',
  ],
})

/** An invitation works longer than other links, because people don't expect it. */
const invitationDays = 7
const dayMs = 24 * 60 * 60_000

/** An invitation names at most this many courses. */
const maxTitlesInInvitation = 10

const writeInvitationEmail = (
  href: string,
  { courseTitles }: { courseTitles: readonly string[] },
): EmailContent => ({
  subject: `Your ${siteName()} account is ready`,
  beforeLink: [
    `An account for this email address has been created on ${siteName()}.`,
    ...describeCourses(courseTitles),
    'Choose a password to start learning:',
  ],
  link: { label: 'Choose a password', href },
  afterLink: [
    `This link works once and expires in ${invitationDays} days. After that, choose “Forgot password?” on the sign-in page.`,
    'Weren’t expecting this? You can ignore this email. No one can sign in until a password is chosen.',
  ],
})

function describeCourses(titles: readonly string[]): string[] {
  if (titles.length === 0) {
    return []
  }

  const namedTitles = titles.slice(0, maxTitlesInInvitation).map((title) => `“${title}”`)
  const furtherCount = titles.length - namedTitles.length
  const furtherCourses = furtherCount > 0 ? [`${formatNumber(furtherCount)} more`] : []
  const list = new Intl.ListFormat('en-US').format([...namedTitles, ...furtherCourses])

  return [`You’re enrolled in ${list}.`]
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

const writeWelcomeEmail = (href: string): EmailContent => ({
  subject: `Welcome to ${siteName()}`,
  beforeLink: [`Your ${siteName()} account is ready. Please confirm your email address:`],
  link: { label: 'Confirm my email address', href },
  afterLink: [
    'This link expires in 24 hours. You can start learning right away, but we can only issue certificates once your address is confirmed.',
    'Didn’t create this account? The same page lets you lock it.',
  ],
})

const writeConfirmationEmail = (href: string): EmailContent => ({
  subject: `Confirm your email address for ${siteName()}`,
  beforeLink: ['Here’s the new link you requested to confirm your email address:'],
  link: { label: 'Confirm my email address', href },
  afterLink: [
    'This link expires in 24 hours.',
    'Didn’t create an account? The same page lets you lock it.',
  ],
})

const writePasswordRemovedEmail = (href: string): EmailContent => ({
  subject: `Your ${siteName()} password was removed`,
  beforeLink: [
    'You signed in with an account of another service. Your account here also had a password that was set before this email address was confirmed. To keep you safe, we removed that password and signed out all other browsers.',
    'Was that password yours? Set a new one here:',
  ],
  link: { label: 'Set a new password', href },
  afterLink: ['If it wasn’t yours, please check your profile: someone else may have filled it in.'],
})
