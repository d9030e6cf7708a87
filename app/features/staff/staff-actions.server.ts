/** Gives and takes roles at the desk, and creates the links that make an account an owner. */
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
import { type AuditRecord, changesBetween } from './audit.server'
import { becomeOwner, createOwnerLink } from './owner-link.server'
import { roleDefinitions, type StaffRole } from './permissions'
import { type ActionContext, performAction } from './staff-action.server'
import { findStaff, isOnlyOwner, onlyOwnerProblem, type StaffMember } from './staff-queries.server'

const runStaff = 'run the staff' as const

export type RoleInput = {
  /** The email address or uid of the account. */
  account: string
  role: StaffRole
  /** The IDs of a teacher's courses. */
  courses: readonly string[]
  /** Whether a teacher sees email addresses. Owners and managers always see them. */
  seesAddresses: boolean
}

type RoleChange = AuditRecord & { uid: string }

/** Gives an account a role. The role replaces the one that the account may have. */
export function giveRole(context: ActionContext, input: RoleInput): Promise<Result<RoleChange>> {
  const definition = { name: 'staff give', permission: runStaff }

  return performAction(context, definition, async (tx) => {
    const account = await findAccount(tx, input.account)
    if (!account.ok) {
      return account
    }

    const user = account.value
    const problem = await findRoleProblem(tx, user, input)
    if (problem !== null) {
      return failure(problem)
    }

    const staffBefore = await findStaff(tx, user.id)
    await storeRole(tx, user.id, input)
    const staffAfter = await findStaff(tx, user.id)

    const { role, courses, seesAddresses } = input
    const { hasOwnCourses } = roleDefinitions[role]
    const courseArguments = hasOwnCourses ? { courses, seesAddresses } : {}

    return success({
      uid: user.id,
      subject: user.id,
      arguments: { before: staffBefore?.role ?? null, role, ...courseArguments },
      changes: changesBetween(getAuditedRole(staffBefore), getAuditedRole(staffAfter)),
      outcome: `The account has the role of ${role}.`,
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

  // Whoever reads this mailbox can reset the password. It may be somebody else's until it is confirmed.
  if (!user.emailVerified) {
    return 'The email address of this account is not confirmed yet.'
  }

  return null
}

/** Returns why the account can't have the role, or null. */
async function findRoleProblem(
  tx: Transaction,
  user: UserRow,
  { role, courses }: RoleInput,
): Promise<string | null> {
  const accountProblem = findAccountProblem(user)
  if (accountProblem !== null) {
    return accountProblem
  }

  if (roleDefinitions[role].hasOwnCourses && courses.length === 0) {
    return 'A teacher needs at least one course.'
  }

  const unknownCourses = await listUnknownCourses(tx, courses)
  if (unknownCourses.length > 0) {
    return describeUnknownCourses(unknownCourses)
  }

  if (role !== 'owner' && (await isOnlyOwner(tx, user.id))) {
    return onlyOwnerProblem
  }

  return null
}

async function storeRole(tx: Transaction, uid: string, input: RoleInput): Promise<void> {
  const { hasOwnCourses } = roleDefinitions[input.role]
  const row = { uid, role: input.role, seesAddresses: hasOwnCourses && input.seesAddresses }
  await tx.insert(staff).values(row).onConflictDoUpdate({ target: staff.uid, set: row })

  await tx.delete(staffCourses).where(eq(staffCourses.uid, uid))
  if (hasOwnCourses) {
    const courseIds = [...new Set(input.courses)]
    await tx.insert(staffCourses).values(courseIds.map((courseId) => ({ uid, courseId })))
  }
}

export function takeRole(context: ActionContext, account: string): Promise<Result<RoleChange>> {
  const definition = { name: 'staff take', permission: runStaff }

  return performAction(context, definition, async (tx) => {
    const foundAccount = await findAccount(tx, account)
    if (!foundAccount.ok) {
      return foundAccount
    }

    const uid = foundAccount.value.id
    if (await isOnlyOwner(tx, uid)) {
      return failure(onlyOwnerProblem)
    }

    const staffBefore = await findStaff(tx, uid)
    if (staffBefore === null) {
      return failure('The account has no role at the desk.')
    }

    await tx.delete(staff).where(eq(staff.uid, uid))
    await tx.delete(staffCourses).where(eq(staffCourses.uid, uid))

    return success({
      uid,
      subject: uid,
      arguments: { before: staffBefore.role },
      changes: changesBetween(getAuditedRole(staffBefore), getAuditedRole(null)),
      outcome: 'The account has no role at the desk any more.',
    })
  })
}

/** Creates a link that makes an account an owner. The audit log does not contain the link. */
export async function issueOwnerLink(context: ActionContext): Promise<Result<string>> {
  let link = ''
  const definition = { name: 'staff link', permission: runStaff }

  const result = await performAction(context, definition, async (tx) => {
    link = await createOwnerLink(tx)
    return success({ subject: null, outcome: 'A link that makes an owner was made.' })
  })

  return result.ok ? success(link) : result
}

/** Makes the account an owner by a link. Whoever has the link may use it. */
export function joinAsOwner(
  context: Pick<ActionContext, 'db' | 'now'>,
  user: UserRow,
  token: string,
): Promise<Result<AuditRecord>> {
  const contextOfLink = { ...context, staff: null, actor: user.id }
  const definition = { name: 'staff join', permission: runStaff }

  return performAction(contextOfLink, definition, async (tx) => {
    const accountProblem = findAccountProblem(user)
    if (accountProblem !== null) {
      return failure(accountProblem)
    }

    if (!(await becomeOwner(tx, user.id, token, context.now))) {
      return failure('This link was used already, or it is too old.')
    }

    return success({
      subject: user.id,
      arguments: { role: 'owner' },
      outcome: 'The account is an owner, by a link.',
    })
  })
}

/** Returns the values of a role for the audit log. */
function getAuditedRole(member: StaffMember | null): Record<string, unknown> {
  if (member === null) {
    return {}
  }

  return { role: member.role, courses: member.courseIds, seesAddresses: member.seesAddresses }
}

async function listUnknownCourses(
  tx: Transaction,
  courseIds: readonly string[],
): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select id from courses where id = any(${sql.param(courseIds)}::text[])`)
  const knownIds = new Set(rows.map(({ id }) => id))

  return courseIds.filter((id) => !knownIds.has(id))
}

/** @param prefix the start of the sentence, such as 'No course' */
export function describeUnknownCourses(courseIds: readonly string[], prefix = 'No course'): string {
  const names = new Intl.ListFormat('en-US', { type: 'disjunction' }).format(
    courseIds.map((id) => `'${id}'`),
  )

  return `${prefix} has the ID ${names}.`
}
