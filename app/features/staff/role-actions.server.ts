/**
 * Gives and takes roles at the desk, and makes accounts owners by a link.
 *
 * A role needs an enabled account with a confirmed email address, and a school always keeps an
 * owner. The audit log has the role before and after each change.
 */
import { eq, sql } from 'drizzle-orm'
import {
  demoAccountProblem,
  findAccount,
  isDemoAccount,
} from '~/features/accounts/account-administration.server'
import type { UserRow } from '~/features/accounts/account-queries.server'
import type { Transaction } from '~/server/database/client.server'
import { staff, staffCourses } from '~/server/database/schema'
import { failure, type Result, success } from '~/server/result'
import { findChanges, type NewAuditEntry } from './audit.server'
import { becomeOwner, createOwnerLink } from './owner-link.server'
import { roleDefinitions, type StaffRole } from './permissions'
import { performStaffAction, type StaffActionContext } from './staff-action.server'
import { findStaff, isOnlyOwner, onlyOwnerProblem, type StaffMember } from './staff-queries.server'

type RoleInput = {
  /** The email address or uid of the account. */
  account: string
  role: StaffRole
  /** The IDs of a teacher's courses. Other roles see all courses. */
  courseIds: readonly string[]
  /** Whether a teacher sees learners' email addresses. Owners and managers always see them. */
  seesLearnerEmails: boolean
}

type RoleChange = NewAuditEntry & { uid: string }

/** Gives an account a role, which replaces the account's previous role. */
export function giveRole(
  context: StaffActionContext,
  input: RoleInput,
): Promise<Result<RoleChange>> {
  const definition = { name: 'staff give', permission: 'manage staff' } as const

  return performStaffAction(context, definition, async (tx) => {
    const account = await findAccount(tx, input.account)
    if (!account.ok) {
      return account
    }

    const user = account.value
    const problem = await findRoleProblem(tx, user, input)
    if (problem !== null) {
      return failure(problem)
    }

    const memberBefore = await findStaff(tx, user.id)
    await storeRole(tx, user.id, input)
    const memberAfter = await findStaff(tx, user.id)

    return success({
      uid: user.id,
      subject: user.id,
      arguments: { before: memberBefore?.role ?? null, ...getAuditedInput(input) },
      changes: findChanges(getAuditedRole(memberBefore), getAuditedRole(memberAfter)),
      outcome: `The account has the role of ${input.role}.`,
    })
  })
}

/** Returns why the account can't have any role, or null. */
function findAccountProblem(user: UserRow): string | null {
  if (isDemoAccount(user)) {
    return demoAccountProblem
  }

  if (user.banned) {
    return 'The account is disabled.'
  }

  // A person who reads the mailbox can reset the password. Until the email address is confirmed,
  // the mailbox may belong to somebody else.
  if (!user.emailVerified) {
    return 'The email address of this account is not confirmed yet.'
  }

  return null
}

/** Returns why the account can't have the role, or null. */
async function findRoleProblem(
  tx: Transaction,
  user: UserRow,
  { role, courseIds }: RoleInput,
): Promise<string | null> {
  const accountProblem = findAccountProblem(user)
  if (accountProblem !== null) {
    return accountProblem
  }

  if (roleDefinitions[role].isLimitedToAssignedCourses && courseIds.length === 0) {
    return 'A teacher needs at least one course.'
  }

  const unknownIds = await listUnknownCourseIds(tx, courseIds)
  if (unknownIds.length > 0) {
    return describeUnknownCourses(unknownIds)
  }

  if (role !== 'owner' && (await isOnlyOwner(tx, user.id))) {
    return onlyOwnerProblem
  }

  return null
}

async function storeRole(tx: Transaction, uid: string, input: RoleInput): Promise<void> {
  const { isLimitedToAssignedCourses } = roleDefinitions[input.role]
  const staffRow = {
    uid,
    role: input.role,
    seesAddresses: isLimitedToAssignedCourses && input.seesLearnerEmails,
  }
  await tx.insert(staff).values(staffRow).onConflictDoUpdate({ target: staff.uid, set: staffRow })

  await tx.delete(staffCourses).where(eq(staffCourses.uid, uid))
  if (isLimitedToAssignedCourses) {
    const uniqueIds = [...new Set(input.courseIds)]
    const courseRows = uniqueIds.map((courseId) => ({ uid, courseId }))
    await tx.insert(staffCourses).values(courseRows)
  }
}

/**
 * Takes the role of an account away.
 *
 * @param account the email address or uid of the account
 */
export function takeRole(
  context: StaffActionContext,
  account: string,
): Promise<Result<RoleChange>> {
  const definition = { name: 'staff take', permission: 'manage staff' } as const

  return performStaffAction(context, definition, async (tx) => {
    const accountResult = await findAccount(tx, account)
    if (!accountResult.ok) {
      return accountResult
    }

    const uid = accountResult.value.id
    if (await isOnlyOwner(tx, uid)) {
      return failure(onlyOwnerProblem)
    }

    const memberBefore = await findStaff(tx, uid)
    if (memberBefore === null) {
      return failure('The account has no role at the desk.')
    }

    await tx.delete(staff).where(eq(staff.uid, uid))
    await tx.delete(staffCourses).where(eq(staffCourses.uid, uid))

    return success({
      uid,
      subject: uid,
      arguments: { before: memberBefore.role },
      changes: findChanges(getAuditedRole(memberBefore), getAuditedRole(null)),
      outcome: 'The account has no role at the desk any more.',
    })
  })
}

/** Creates a link that makes an account an owner. The audit log does not contain the link. */
export async function issueOwnerLink(context: StaffActionContext): Promise<Result<string>> {
  const definition = { name: 'staff link', permission: 'manage staff' } as const

  const result = await performStaffAction(context, definition, async (tx) => {
    const link = await createOwnerLink(tx)
    return success({ subject: null, outcome: 'A link that makes an owner was made.', link })
  })

  return result.ok ? success(result.value.link) : result
}

/** Makes the account an owner by a link. Anyone who has the link may use it. */
export function joinAsOwner(
  context: Pick<StaffActionContext, 'db' | 'now'>,
  user: UserRow,
  token: string,
): Promise<Result<NewAuditEntry>> {
  // The account has no permission yet. The link is the permission, so no member of staff is
  // checked.
  const linkContext = { ...context, staff: null, actor: user.id }
  const definition = { name: 'staff join', permission: 'manage staff' } as const

  return performStaffAction(linkContext, definition, async (tx) => {
    const accountProblem = findAccountProblem(user)
    if (accountProblem !== null) {
      return failure(accountProblem)
    }

    const memberBefore = await findStaff(tx, user.id)
    const isLinkValid = await becomeOwner(tx, user.id, token, context.now)
    if (!isLinkValid) {
      return failure('This link was used already, or it is too old.')
    }

    const memberAfter = await findStaff(tx, user.id)

    return success({
      subject: user.id,
      arguments: { before: memberBefore?.role ?? null, role: 'owner' },
      changes: findChanges(getAuditedRole(memberBefore), getAuditedRole(memberAfter)),
      outcome: 'The account is an owner, by a link.',
    })
  })
}

/** Returns the submitted values that the audit log keeps. */
function getAuditedInput({
  role,
  courseIds,
  seesLearnerEmails,
}: RoleInput): Record<string, unknown> {
  if (!roleDefinitions[role].isLimitedToAssignedCourses) {
    return { role }
  }

  return { role, courses: courseIds, seesAddresses: seesLearnerEmails }
}

/** Returns the values of a role that the audit log compares. */
function getAuditedRole(member: StaffMember | null): Record<string, unknown> {
  if (member === null) {
    return {}
  }

  const { role, courseIds, seesLearnerEmails } = member

  return { role, courses: courseIds, seesAddresses: seesLearnerEmails }
}

async function listUnknownCourseIds(
  tx: Transaction,
  courseIds: readonly string[],
): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select id from courses where id = any(${sql.param(courseIds)}::text[])`)
  const existingIds = new Set(rows.map(({ id }) => id))

  return courseIds.filter((id) => !existingIds.has(id))
}

/**
 * Returns a sentence such as "No course has the ID 'chess' or 'knots'."
 *
 * @param prefix the start of the sentence
 */
export function describeUnknownCourses(courseIds: readonly string[], prefix = 'No course'): string {
  const idList = new Intl.ListFormat('en-US', { type: 'disjunction' }).format(
    courseIds.map((id) => `'${id}'`),
  )

  return `${prefix} has the ID ${idList}.`
}
