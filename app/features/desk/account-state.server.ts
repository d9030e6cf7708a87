import { sql } from 'drizzle-orm'
import type { AttemptCounter } from '~/features/accounts/attempt-limits.server'
import { type AuditRecord, changesBetween } from '~/features/staff/audit.server'
import type { Transaction } from '~/server/database/client.server'

type Counter = Pick<AttemptCounter, 'list'>

type State = {
  disabled: boolean
  addressConfirmed: boolean
  sessions: number
  twoStep: boolean
  passkeys: number
  waysToSignIn: string
  attemptsThatCount: number
  courses: string[]
  certificates: { id: string; revoked: boolean }[]
}

/**
 * The values of an account that staff can change, without its address and names. Empty for a
 * deleted account.
 */
async function describeState(transaction: Transaction, uid: string, attempts?: Counter) {
  const { rows } = await transaction.execute<State>(sql`
    select u.banned as disabled, u.email_verified as "addressConfirmed",
      (select count(*)::int from sessions where user_id = u.id) as sessions,
      exists (select from two_factor where uid = u.id and enabled_at is not null) as "twoStep",
      (select count(*)::int from passkeys where user_id = u.id) as passkeys,
      (select string_agg(provider_id, ', ' order by provider_id) from identities where user_id = u.id) as "waysToSignIn",
      (select count(*)::int from exam_attempts where uid = u.id and excused_at is null) as "attemptsThatCount",
      array(select course_id from enrollments where uid = u.id) as courses,
      (select coalesce(json_agg(json_build_object('id', k.id, 'revoked', r.revoked_at is not null)), '[]')
        from certificates k join certificate_register r on r.id = k.id where k.uid = u.id) as certificates
    from users u where u.id = ${uid}`)
  const [state] = rows
  if (!state) {
    return { account: 'deleted' }
  }

  const { courses, certificates, ...others } = state
  const wrong = attempts && (await attempts.list(uid)).reduce((sum, { count }) => sum + count, 0)

  return {
    account: 'there',
    ...others,
    ...(wrong !== undefined && { countedAttempts: wrong }),
    ...Object.fromEntries(courses.map((id) => [`enrolled in ${id}`, true])),
    ...Object.fromEntries(
      certificates.map(({ id, revoked }) => [`certificate ${id}`, revoked ? 'revoked' : 'good']),
    ),
  }
}

/**
 * Runs an act on an account, and records its changes.
 *
 * @param attempts for acts that reset counted attempts.
 */
export async function withAccountChanges<Result extends Omit<AuditRecord, 'subject'>>(
  transaction: Transaction,
  uid: string,
  act: () => Promise<Result>,
  attempts?: Counter,
) {
  const before = await describeState(transaction, uid, attempts)
  const done = await act()
  const after = await describeState(transaction, uid, attempts)
  // Listing every value of a deleted account would say no more than that it was deleted.
  const isDeleted = after.account === 'deleted'
  const changes = changesBetween<Record<string, unknown>>(
    isDeleted ? { account: before.account } : before,
    after,
  )

  return { subject: uid, ...done, changes }
}
