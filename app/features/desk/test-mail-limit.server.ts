import { accountService } from '~/features/accounts/account-service.server'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import { StartError } from '~/server/env.server'
import { formatDateTime } from '~/ui/format-date'
import type { DeskActionRequest } from './desk-form.server'

/** Counts test mails to the member of staff's own address. @throws {StartError} after too many. */
export async function countTestMail({
  transaction,
  staff,
  timeZone,
}: DeskActionRequest): Promise<void> {
  const limit = attemptLimits.testMailByAccount
  const attempts = accountService.attempts.on(transaction)
  if (await attempts.take(limit, staff.uid)) {
    return
  }

  const counted = (await attempts.list(staff.uid)).find(
    ({ limit: { name } }) => name === limit.name,
  )
  const until = counted
    ? formatDateTime(counted.endsAt.toISOString(), timeZone)
    : 'an hour from now'
  throw new StartError(`You’ve sent many test mails. You can send the next one after ${until}.`)
}
