/**
 * Staff actions that change a learner's account.
 *
 * Each action checks the permission, changes the account and writes an audit entry with the values
 * before and after, in one transaction. The desk and the operator's commands call the same
 * functions.
 */
import { sql } from 'drizzle-orm'
import {
  changeEmail,
  demoAccountProblem,
  findAccount,
  isDemoAccount,
  removeIdentity,
  resendEmail,
  turnOffTwoFactorByOperator,
} from '~/features/accounts/account-administration.server'
import {
  disableAccountByEmail,
  enableAccountByEmail,
  endSessions,
  type UserRow,
} from '~/features/accounts/account-queries.server'
import type { AttemptCounter } from '~/features/accounts/attempt-counter.server'
import { getStoredForms } from '~/features/accounts/email-address/email-address.server'
import {
  deleteAccount,
  type UpdateRatings,
} from '~/features/accounts/own-data/account-deletion.server'
import type { Transaction } from '~/server/database/client.server'
import { failure, type Result, success } from '~/server/result'
import { byCount } from '~/ui/format-count'
import { findChanges } from './audit.server'
import { maxReasonLength } from './reason'
import { performStaffAction, type StaffActionContext } from './staff-action.server'
import {
  findProtectedAccounts,
  isOnlyOwner,
  isStaff,
  onlyOwnerProblem,
  protectedAccountProblem,
} from './staff-queries.server'

/** The sentence that says what an action did. */
export type AccountOutcome = { outcome: string }

type AccountAction = {
  /** The action's name in the audit log, such as 'learner disable'. */
  name: string
  /** The account's email address or uid. */
  account: string
  /** The submitted values that the audit log keeps. */
  arguments?: Record<string, unknown>
  /**
   * Whether the action is refused for one's own account, so that nobody locks themselves out by a
   * click.
   */
  isForOthersOnly?: boolean
  /** Counts the attempts to sign in. Only actions that reset the attempts need it. */
  attempts?: AttemptCounter
}

/**
 * Performs an action on one account.
 *
 * @param change changes the account, and returns a sentence that says what has changed
 */
export function changeAccount(
  context: StaffActionContext,
  action: AccountAction,
  change: (tx: Transaction, user: UserRow) => Promise<Result<string>>,
): Promise<Result<AccountOutcome>> {
  const definition = { name: action.name, permission: 'change people' } as const

  return performStaffAction(context, definition, async (tx) => {
    const account = await findChangeableAccount(tx, context, action)
    if (!account.ok) {
      return account
    }

    const user = account.value
    const attempts = action.attempts?.inTransaction(tx)
    const valuesBefore = await getAuditedAccount(tx, user.id, attempts)
    const result = await change(tx, user)
    if (!result.ok) {
      return result
    }

    const valuesAfter = await getAuditedAccount(tx, user.id, attempts)
    // The entry of a deletion does not list all values that the account had.
    const isDeleted = valuesAfter.account === 'deleted'
    const recordedBefore = isDeleted ? { account: valuesBefore.account } : valuesBefore

    return success({
      subject: user.id,
      arguments: action.arguments,
      changes: findChanges(recordedBefore, valuesAfter),
      outcome: result.value,
    })
  })
}

async function findChangeableAccount(
  tx: Transaction,
  { staff }: StaffActionContext,
  action: AccountAction,
): Promise<Result<UserRow>> {
  const account = await findAccount(tx, action.account)
  if (!account.ok) {
    return account
  }

  // A manager who could change an owner's email address could take over the owner's role.
  const user = account.value
  const protectedAccounts = await findProtectedAccounts(tx, staff, [user.id])
  if (protectedAccounts.has(user.id)) {
    return failure(protectedAccountProblem)
  }

  if (action.isForOthersOnly && user.id === staff?.uid) {
    return failure('This is your own account.')
  }

  return success(user)
}

/** The names of these values are stored in the audit log, so they must not change. */
type AuditedAccountRow = {
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
 * Returns the values of an account that the audit log compares before and after an action. Email
 * address and names are left out, because the audit log outlives the account.
 *
 * @param attempts counts the attempts to sign in, if the action resets them
 */
async function getAuditedAccount(
  tx: Transaction,
  uid: string,
  attempts?: AttemptCounter,
): Promise<Record<string, unknown>> {
  const { rows } = await tx.execute<AuditedAccountRow>(sql`
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

  const [row] = rows
  if (!row) {
    return { account: 'deleted' }
  }

  const { courses, certificates, ...values } = row
  const enrollments = courses.map((id) => [`enrolled in ${id}`, true])
  const certificateStatuses = certificates.map(({ id, revoked }) => [
    `certificate ${id}`,
    revoked ? 'revoked' : 'good',
  ])

  return {
    account: 'there',
    ...values,
    ...(attempts && { countedAttempts: await countAttempts(attempts, uid) }),
    ...Object.fromEntries(enrollments),
    ...Object.fromEntries(certificateStatuses),
  }
}

async function countAttempts(attempts: AttemptCounter, uid: string): Promise<number> {
  const counts = await attempts.list(uid)
  return counts.reduce((sum, { count }) => sum + count, 0)
}

export function changeLearnerEmail(context: StaffActionContext, account: string, email: string) {
  return changeAccount(context, { name: 'learner change-email', account }, async (tx, user) => {
    // Whoever reads the new address can reset the password, and would have the role.
    if (await isStaff(tx, user.id)) {
      return failure(
        'This account has a role at the desk. Take the role first, and give it again after the new email address is confirmed.',
      )
    }

    const result = await changeEmail(tx, user, email)
    return result.ok
      ? success('The email address is changed. A link to confirm it is on its way.')
      : result
  })
}

/** Resets the attempts that are counted for an account, such as wrong passwords. */
export function resetSignInLimit(
  context: StaffActionContext,
  account: string,
  attempts: AttemptCounter,
) {
  const action = { name: 'learner unlock', account, attempts }

  return changeAccount(context, action, async (tx, user) => {
    const attemptsInTransaction = attempts.inTransaction(tx)
    const counts = await attemptsInTransaction.list(user.id)
    await attemptsInTransaction.clearAll(user.id)

    return success(
      counts.length === 0
        ? 'Nothing was counted against the account.'
        : 'What was counted against the account is forgotten.',
    )
  })
}

export function resendLearnerEmail(
  context: StaffActionContext,
  account: string,
  emailKind: string,
) {
  const action = { name: 'learner resend', account, arguments: { email: emailKind } }

  return changeAccount(context, action, async (tx, user) => {
    const result = await resendEmail(tx, user, emailKind)
    return result.ok ? success('The email is on its way.') : result
  })
}

export function signOutEverywhere(context: StaffActionContext, account: string) {
  return changeAccount(context, { name: 'learner end-sessions', account }, async (tx, { id }) => {
    const endedCount = await endSessions(tx, id)
    if (endedCount === 0) {
      return success('The account wasn’t signed in anywhere.')
    }

    return success(
      byCount(endedCount, 'Signed out of 1 browser.', `Signed out of ${endedCount} browsers.`),
    )
  })
}

/** Turns two-step sign-in off for a learner who has lost the phone and the recovery codes. */
export function turnOffTwoStep(
  context: StaffActionContext,
  account: string,
  submittedReason: string,
) {
  const reason = submittedReason.trim()
  const action = {
    name: 'learner turn-off-two-step',
    account,
    arguments: { reason },
    isForOthersOnly: true,
  }

  return changeAccount(context, action, async (tx, { id }) => {
    if (reason === '' || reason.length > maxReasonLength) {
      return failure(
        `This needs a reason: how you know that it’s the learner, in at most ${maxReasonLength} characters.`,
      )
    }

    const wasOn = await turnOffTwoFactorByOperator(tx, id)
    if (!wasOn) {
      return failure('The account has no two-step sign-in.')
    }

    return success(
      'Two-step sign-in is off, and the account is signed out everywhere. The learner gets an email about it.',
    )
  })
}

/**
 * Removes a social account or single sign-on, for a person who gets a new account at the provider.
 *
 * @param provider the provider's ID, such as 'google' or 'sso-acme'
 */
export function removeSignInMethod(context: StaffActionContext, account: string, provider: string) {
  const action = { name: 'learner remove-way', account, arguments: { way: provider } }

  return changeAccount(context, action, async (tx, { id }) => {
    const wasRemoved = await removeIdentity(tx, id, provider)
    if (!wasRemoved) {
      return failure('The account doesn’t use this sign-in method.')
    }

    return success(
      'That way to sign in is removed, and the account is signed out everywhere. The learner gets an email about it.',
    )
  })
}

export function disableAccount(context: StaffActionContext, account: string) {
  const action = { name: 'learner disable', account, isForOthersOnly: true }

  return changeAccount(context, action, async (tx, { id, email }) => {
    if (await isOnlyOwner(tx, id)) {
      return failure(onlyOwnerProblem)
    }

    await disableAccountByEmail(tx, email)
    return success('The account is disabled and signed out everywhere.')
  })
}

export function enableAccount(context: StaffActionContext, account: string) {
  return changeAccount(context, { name: 'learner enable', account }, async (tx, { email }) => {
    await enableAccountByEmail(tx, email)
    return success('The account is enabled.')
  })
}

type DeletionInput = {
  account: string
  /** The account's email address, typed to confirm that the account is the right one. */
  confirmation: string
  /** Updates the search entries of the courses whose rating changes with the learner's reviews. */
  updateRatings: UpdateRatings
}

/**
 * Deletes an account with its data.
 *
 * @returns the file name of the profile photo, or null if there is none. The caller removes the
 *   file.
 */
export async function deleteLearner(
  context: StaffActionContext,
  { account, confirmation, updateRatings }: DeletionInput,
): Promise<Result<AccountOutcome & { photo: string | null }>> {
  let photo: string | null = null
  const action = { name: 'learner delete', account, isForOthersOnly: true }

  const result = await changeAccount(context, action, async (tx, user) => {
    if (!getStoredForms(confirmation).includes(user.email)) {
      return failure('Type the account’s email address to confirm that it’s the right one.')
    }

    if (isDemoAccount(user)) {
      return failure(demoAccountProblem)
    }

    if (await isOnlyOwner(tx, user.id)) {
      return failure(onlyOwnerProblem)
    }

    const deleted = await deleteAccount(tx, updateRatings, user.id)
    photo = deleted?.photoName ?? null
    return success('The account is deleted.')
  })

  return result.ok ? success({ ...result.value, photo }) : result
}
