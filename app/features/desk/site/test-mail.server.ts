import { eq } from 'drizzle-orm'
import { accountService } from '~/features/accounts/account-service.server'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import { performStaffAction } from '~/features/staff/staff-action.server'
import type { Transaction } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { users } from '~/server/database/schema'
import { env, isLoopback } from '~/server/env.server'
import { composeEmail } from '~/server/mail/email-layout.server'
import { lacksMailServer, sendMail } from '~/server/mail/mail.server'
import { failure, type Result, success } from '~/server/result'
import { mailSender, siteName } from '~/server/site/site.server'
import { formatDateTime } from '~/ui/format-date'
import type {
  DeskAction,
  DeskActionResult,
  DeskChangeRequest,
  DeskFormRequest,
} from '../desk-form.server'

const testEmailDefinition = {
  name: 'site test mail',
  permission: 'manage site',
  needsRecentSignIn: false,
} as const

/**
 * Sends a test email to the member of staff who asks for it. It bypasses the outbox, so that the
 * page can show the mail server's response.
 */
export const testEmailAction: DeskAction = { ...testEmailDefinition, perform: sendTestEmail }

async function sendTestEmail(request: DeskFormRequest): Promise<Result<DeskActionResult>> {
  const { form, staff, actionContext } = request
  // The form always sends this hidden field. A request without fields must not send an email.
  const isWholeForm = form.get('sure') === 'on'
  if (!isWholeForm) {
    return failure('Send the whole form.')
  }

  if (lacksMailServer) {
    return failure('There is no mail server. Have the operator set SMTP_URL.')
  }

  // The audit entry is committed before the email leaves, so that every test email has an entry.
  // The email of the recipient is no part of the entry, and is not stored.
  const auditResult = await performStaffAction(
    actionContext,
    testEmailDefinition,
    async (transaction) => {
      const attempt = await consumeTestEmailAttempt({ ...request, transaction })
      if (!attempt.ok) {
        return attempt
      }

      return success({
        subject: 'sender',
        arguments: { sender: mailSender().address },
        // The audit log outlives the account, so its sentence doesn't name the recipient.
        outcome: `The test is on its way to your own address${describeLocalMailbox()}.`,
        recipientEmail: await getEmail(transaction, staff.uid),
      })
    },
  )
  if (!auditResult.ok) {
    return auditResult
  }

  const { recipientEmail, ...auditEntry } = auditResult.value
  const delivery = await deliverTestEmail(recipientEmail)
  return delivery.ok ? success(auditEntry) : delivery
}

/**
 * Says that the email is shown at /mail. This is so if no mail server is set up and only the
 * machine itself can reach the product.
 */
function describeLocalMailbox(): string {
  const hasLocalMailbox = !env.SMTP_URL && isLoopback
  return hasLocalMailbox ? ', and shown at /mail on this machine' : ''
}

async function getEmail(transaction: Transaction, uid: string): Promise<string> {
  const [user] = await transaction
    .select({ email: users.email })
    .from(users)
    .where(eq(users.id, uid))
  if (!user) {
    throw new Error('The account of a signed-in member of staff does not exist.')
  }

  return user.email
}

const sendTimeoutMs = 30_000
const maxReasonLength = 300

/** Sends the email and waits for the mail server. Fails with the reason that the server gives. */
async function deliverTestEmail(to: string): Promise<Result> {
  const email = composeEmail({
    subject: `A test from ${siteName()}`,
    beforeLink: ['Mail from this school reaches you, and looks like this.'],
    link: { label: 'Open the desk', href: `${env.PUBLIC_URL}/Desk/Site` },
    afterLink: [],
  })

  try {
    await sendMail({ ...email, id: randomId(), to }, AbortSignal.timeout(sendTimeoutMs))
    return success()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return failure(`The mail server didn’t take it: ${reason.slice(0, maxReasonLength)}`)
  }
}

/** Counts a test email of a member of staff. Fails if they have sent too many lately. */
export async function consumeTestEmailAttempt({
  transaction,
  staff,
  timeZone,
}: DeskChangeRequest): Promise<Result> {
  const limit = attemptLimits.testMailByAccount
  const attempts = accountService.attempts.inTransaction(transaction)
  if (await attempts.consume(limit, staff.uid)) {
    return success()
  }

  const countedAttempts = await attempts.list(staff.uid)
  const testEmailCount = countedAttempts.find((attempt) => attempt.limit.name === limit.name)
  const nextTime = testEmailCount
    ? formatDateTime(testEmailCount.endsAt.toISOString(), timeZone)
    : 'an hour from now'

  return failure(`You’ve sent many test mails. You can send the next one after ${nextTime}.`)
}
