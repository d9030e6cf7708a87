import { sql } from 'drizzle-orm'
import type { AttemptCounter } from '~/features/accounts/attempt-limits.server'
import type { Transaction } from '~/server/database/client.server'

type AccountState = {
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
 * Returns the values of an account that staff can change, for the audit log. Email address and
 * names are left out, because the audit log outlives the account.
 *
 * @param attempts counts the attempts to sign in, for actions that reset them
 */
export async function describeAccountState(
  tx: Transaction,
  uid: string,
  attempts?: AttemptCounter,
): Promise<Record<string, unknown>> {
  const { rows } = await tx.execute<AccountState>(sql`
    select u.banned as disabled,
      u.email_verified as "addressConfirmed",
      (select count(*)::int from sessions where user_id = u.id) as sessions,
      exists (
        select from two_factor where uid = u.id and enabled_at is not null) as "twoStep",
      (select count(*)::int from passkeys where user_id = u.id) as passkeys,
      (
        select string_agg(provider_id, ', ' order by provider_id)
        from identities where user_id = u.id) as "waysToSignIn",
      (
        select count(*)::int from exam_attempts
        where uid = u.id and excused_at is null) as "attemptsThatCount",
      array(select course_id from enrollments where uid = u.id) as courses,
      (
        select coalesce(
          json_agg(json_build_object('id', k.id, 'revoked', r.revoked_at is not null)), '[]')
        from certificates k
          join certificate_register r on r.id = k.id
        where k.uid = u.id) as certificates
    from users u where u.id = ${uid}`)

  const [state] = rows
  if (!state) {
    return { account: 'deleted' }
  }

  const { courses, certificates, ...values } = state
  const enrollments = courses.map((id) => [`enrolled in ${id}`, true])
  const certificateStates = certificates.map(({ id, revoked }) => [
    `certificate ${id}`,
    revoked ? 'revoked' : 'good',
  ])

  return {
    account: 'there',
    ...values,
    ...(attempts && { countedAttempts: await countAttempts(attempts, uid) }),
    ...Object.fromEntries(enrollments),
    ...Object.fromEntries(certificateStates),
  }
}

async function countAttempts(attempts: AttemptCounter, uid: string): Promise<number> {
  const counts = await attempts.list(uid)
  return counts.reduce((sum, { count }) => sum + count, 0)
}
