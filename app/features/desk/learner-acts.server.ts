import {
  changeEmail,
  removeIdentity,
  requireOwnAccount,
  resendMail,
} from '~/features/accounts/account-administration.server'
import { endSessions, setDisabled, type UserRow } from '~/features/accounts/account-queries.server'
import type { AttemptCounter } from '~/features/accounts/attempt-limits.server'
import { deleteAccount } from '~/features/accounts/own-data/account-deletion.server'
import { turnOffByOperator } from '~/features/accounts/two-factor/turn-off-by-operator.server'
import { writeCourseSearch } from '~/features/catalog/search/search-index.server'
import { enrollAndFollowUp } from '~/features/certificates/finished-work.server'
import {
  leaveCourse,
  listEnrollable,
  listEnrolledCourseIds,
} from '~/features/enrollment/enrollment-queries.server'
import { learnerLimits } from '~/features/enrollment/learner-limits'
import { excuseAttempts } from '~/features/exams/attempt/attempt-queries.server'
import { requireOtherOwner } from '~/features/staff/owners.server'
import type { Statements, Transaction } from '~/server/database/client.server'
import { StartError } from '~/server/env.server'
import { commandText } from '~/server/operations/operator-command.server'
import { byCount } from '~/ui/format-count'

/**
 * What `npm run admin` and the desk do to one account. Each changes it in the transaction of its
 * audit entry, returns the outcome as a sentence, and refuses by a `StartError` with one.
 */

export const longestReason = 500

export async function giveNewAddress(
  transaction: Transaction,
  user: UserRow,
  address: string,
): Promise<string> {
  await changeEmail(transaction, user, address)
  return 'The email address is changed. A link to confirm it is on its way.'
}

export async function forgetAttempts(
  { id }: Pick<UserRow, 'id'>,
  attempts: Pick<AttemptCounter, 'list' | 'clearAll'>,
): Promise<string> {
  const counted = await attempts.list(id)
  await attempts.clearAll(id)
  if (counted.length === 0) {
    return 'Nothing was counted against the account.'
  }

  return 'What was counted against the account is forgotten.'
}

export async function sendAgain(
  transaction: Transaction,
  user: UserRow,
  kind: string,
): Promise<string> {
  await resendMail(transaction, user, kind)
  return 'The email is on its way.'
}

export async function signOutEverywhere(
  transaction: Transaction,
  { id }: UserRow,
): Promise<string> {
  const ended = await endSessions(transaction, id)
  if (ended === 0) {
    return 'The account wasn’t signed in anywhere.'
  }

  return byCount(ended, 'Signed out of 1 browser.', `Signed out of ${ended} browsers.`)
}

/** For a learner who lost the phone and the recovery codes. @param reason for the audit. */
export async function turnOffTwoStep(
  transaction: Transaction,
  { id }: UserRow,
  reason: string,
): Promise<string> {
  if (!reason || reason.length > longestReason) {
    throw new StartError(
      'This needs a reason: how you know that it’s the learner, in at most 500 characters.',
    )
  }

  if (!(await turnOffByOperator(transaction, id))) {
    throw new StartError('The account has no two-step sign-in.')
  }

  return 'Two-step sign-in is off, and the account is signed out everywhere. The learner gets an email about it.'
}

/**
 * For a person who gets a new identity at a provider.
 *
 * @param way the provider's ID, as on the account's page.
 */
export async function removeProvider(
  transaction: Transaction,
  { id }: UserRow,
  way: string,
): Promise<string> {
  if (!(await removeIdentity(transaction, id, way))) {
    throw new StartError(
      `The account isn’t signed in to by '${way}'. Its ways are listed by \`learner show\`.`,
    )
  }

  return 'That way to sign in is removed, and the account is signed out everywhere. The learner gets an email about it.'
}

export async function disableAccount(
  transaction: Transaction,
  { id, email }: UserRow,
): Promise<string> {
  await requireOtherOwner(transaction, id)
  await setDisabled(transaction, email, true)
  return 'The account is disabled and signed out everywhere.'
}

export async function enableAccount(transaction: Transaction, { email }: UserRow): Promise<string> {
  await setDisabled(transaction, email, false)
  return 'The account is enabled.'
}

/**
 * @param removePhoto gets the name of the photo, to be removed once the transaction is committed.
 */
export async function removeAccount(
  transaction: Transaction,
  user: UserRow,
  removePhoto: (name: string) => void,
): Promise<string> {
  requireOwnAccount(user)
  await requireOtherOwner(transaction, user.id)
  const photo = (await deleteAccount(transaction, writeCourseSearch, user.id))?.photo
  if (photo) {
    removePhoto(photo)
  }

  return 'The account is deleted.'
}

export async function enrollInCourses(
  transaction: Transaction,
  { id }: UserRow,
  courses: readonly string[],
  now: Date,
): Promise<string> {
  const enrolled = await enrollAndFollowUp(transaction, id, [...courses], now, { granted: true })
  const missing = courses.filter((course) => !enrolled.includes(course))
  const full = (await listEnrolledCourseIds(transaction, id)).length >= learnerLimits.enrollments
  if (missing.length > 0) {
    throw full
      ? new StartError(`A learner can be enrolled in at most ${learnerLimits.enrollments} courses.`)
      : unknownCourse(missing, 'Nothing was changed: no published course')
  }

  return `Enrolled in ${courses.join(', ')}.`
}

export async function removeFromCourse(
  transaction: Transaction,
  { id }: UserRow,
  course: string,
): Promise<string> {
  if (!(await listEnrolledCourseIds(transaction, id)).includes(course)) {
    throw await notEnrolled(transaction, course)
  }

  if ((await leaveCourse(transaction, id, course)) === 'kept') {
    throw new StartError(
      'A learner can’t be removed from a course that is completed or whose exam is in progress.',
    )
  }

  return 'The learner is no longer enrolled.'
}

export async function giveAttemptsBack(
  transaction: Transaction,
  { id }: UserRow,
  course: string,
  now: Date,
): Promise<string> {
  const excused = await excuseAttempts(transaction, id, course, now)
  if (excused === 0) {
    await requireCourse(transaction, course)
    throw new StartError(`The learner has no attempt to give back in '${course}'.`)
  }

  return byCount(
    excused,
    '1 attempt no longer counts toward the limit.',
    `${excused} attempts no longer count toward the limit.`,
  )
}

/** A mistyped course and one that the learner left are different mistakes. */
export async function notEnrolled(
  db: Pick<Statements, 'execute'>,
  course: string,
): Promise<StartError> {
  await requireCourse(db, course)
  return new StartError(`The learner isn’t enrolled in '${course}'.`)
}

/** @throws {StartError} if the course does not exist. */
async function requireCourse(db: Pick<Statements, 'execute'>, course: string): Promise<void> {
  if (!(await listEnrollable(db, [course])).has(course)) {
    throw unknownCourse([course])
  }
}

/** @param what the start of the message, like 'No course'. */
export function unknownCourse(ids: readonly string[], what = 'No course'): StartError {
  const names = new Intl.ListFormat('en-US', { type: 'disjunction' }).format(
    ids.map((id) => `'${id}'`),
  )
  return new StartError(`${what} has the ID ${names}. See: ${commandText('admin', 'course list')}`)
}
