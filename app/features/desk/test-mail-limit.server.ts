import { accountService } from '~/features/accounts/account-service.server'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import { failure, type Result, success } from '~/server/result'
import { formatDateTime } from '~/ui/format-date'
import type { DeskChangeRequest } from './desk-form.server'

/** Counts a test email to the member of staff's own address. Fails after too many. */
export async function consumeTestEmail({
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
  const testEmails = countedAttempts.find((attempt) => attempt.limit.name === limit.name)
  const periodEnd = testEmails
    ? formatDateTime(testEmails.endsAt.toISOString(), timeZone)
    : 'an hour from now'

  return failure(`You’ve sent many test mails. You can send the next one after ${periodEnd}.`)
}
