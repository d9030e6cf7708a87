import { eq, sql } from 'drizzle-orm'
import { getAccount, requireOwnAccount } from '~/features/accounts/account-administration.server'
import { unknownCourse } from '~/features/desk/learner-acts.server'
import { listEnrollable } from '~/features/enrollment/enrollment-queries.server'
import type { Database, Transaction } from '~/server/database/client.server'
import type { Changes } from '~/server/database/schema'
import { staff, staffCourses } from '~/server/database/schema'
import { StartError } from '~/server/env.server'
import { changesBetween } from './audit.server'
import { requireOtherOwner } from './owners.server'
import { hasPermission, type StaffRole } from './permissions'

/** Somebody who works at the desk. */
export type StaffMember = {
  uid: string
  role: StaffRole
  /** A teacher's courses; null for those who see all. */
  courseIds: string[] | null
  seesAddresses: boolean
}

/** @returns null for everybody who is no staff. */
export async function findStaff(
  db: Pick<Database, 'execute'>,
  uid: string,
): Promise<StaffMember | null> {
  const { rows } = await db.execute<Omit<StaffMember, 'courseIds'> & { courseIds: string[] }>(sql`
    select s.uid, s.role, s.sees_addresses or s.role <> 'teacher' as "seesAddresses",
      array(select course_id from staff_courses c where c.uid = s.uid) as "courseIds"
    from staff s where s.uid = ${uid}`)
  const [row] = rows
  return row ? { ...row, courseIds: row.role === 'teacher' ? row.courseIds : null } : null
}

/** Whether the account menu leads to the desk. */
export async function isStaff(db: Pick<Database, 'execute'>, uid: string): Promise<boolean> {
  const { rows } = await db.execute(sql`select from staff where uid = ${uid}`)
  return rows.length > 0
}

export const onlyOwners = 'Only an owner can do this to somebody who has a role at the desk.'

/**
 * Lists accounts that a member of staff may not change.
 *
 * @param staff null for an operator, who may change all.
 */
export async function listUntouchable(
  db: Pick<Database, 'execute'>,
  staff: StaffMember | null,
  uids: readonly string[],
): Promise<Set<string>> {
  if (staff === null || hasPermission(staff, 'run the staff')) {
    return new Set()
  }

  const { rows } = await db.execute<{ uid: string }>(sql`
    select uid from staff where uid = any(${sql.param(uids)}::text[]) and uid <> ${staff.uid}`)
  return new Set(rows.map(({ uid }) => uid))
}

export type StaffRow = {
  uid: string
  name: string
  email: string
  role: StaffRole
  seesAddresses: boolean
  since: string
  courses: { id: string; title: string }[]
}

/** Owners first. A school has few of them, so there are no pages. */
export async function listStaff(db: Pick<Database, 'execute'>): Promise<StaffRow[]> {
  const { rows } = await db.execute<StaffRow>(sql`
    select s.uid, u.name, u.email, s.role, s.sees_addresses as "seesAddresses", s.since::text as since,
      coalesce((select json_agg(json_build_object('id', c.id, 'title', c.title) order by c.title)
        from staff_courses t join courses c on c.id = t.course_id where t.uid = s.uid), '[]') as courses
    from staff s join users u on u.id = s.uid
    order by array_position(array['owner', 'manager', 'teacher'], s.role), u.name, s.uid limit 500`)

  return rows
}

/** Whose role it is, and which one it was; null for none. */
type ChangedRole = { uid: string; before: StaffRole | null; changes: Changes | null }

export type GivenRole = {
  role: StaffRole
  /** Of a teacher. */
  courses: readonly string[]
  seesAddresses: boolean
}

/**
 * Gives an account a role, instead of the one that it has.
 *
 * @throws {StartError} if it may not have one.
 */
export async function giveRole(
  transaction: Transaction,
  name: string,
  given: GivenRole,
): Promise<ChangedRole> {
  const user = await getAccount(transaction, name)
  requireOwnAccount(user)
  if (user.banned) {
    throw new StartError('The account is disabled.')
  }

  // Somebody else might have made the account with this address.
  if (!user.emailVerified) {
    throw new StartError('The email address of this account is not confirmed yet.')
  }

  const isTeacher = given.role === 'teacher'
  if (isTeacher && given.courses.length === 0) {
    throw new StartError('A teacher needs at least one course.')
  }

  const known = await listEnrollable(transaction, given.courses)
  const unknown = given.courses.filter((id) => !known.has(id))
  if (unknown.length > 0) {
    throw unknownCourse(unknown)
  }

  if (given.role !== 'owner') {
    await requireOtherOwner(transaction, user.id)
  }

  const former = await findStaff(transaction, user.id)
  const row = { uid: user.id, role: given.role, seesAddresses: isTeacher && given.seesAddresses }
  await transaction.insert(staff).values(row).onConflictDoUpdate({ target: staff.uid, set: row })
  await transaction.delete(staffCourses).where(eq(staffCourses.uid, user.id))
  if (isTeacher) {
    await transaction
      .insert(staffCourses)
      .values([...known.keys()].map((courseId) => ({ uid: user.id, courseId })))
  }

  const changes = changesBetween(roleOf(former), roleOf(await findStaff(transaction, user.id)))

  return { uid: user.id, before: former?.role ?? null, changes }
}

/** @throws {StartError} if the account has no role, or is the only owner. */
export async function takeRole(transaction: Transaction, name: string): Promise<ChangedRole> {
  const user = await getAccount(transaction, name)
  await requireOtherOwner(transaction, user.id)
  const former = await findStaff(transaction, user.id)
  await transaction.delete(staff).where(eq(staff.uid, user.id))
  if (!former) {
    throw new StartError('The account has no role at the desk.')
  }

  await transaction.delete(staffCourses).where(eq(staffCourses.uid, user.id))

  return {
    uid: user.id,
    before: former.role,
    changes: changesBetween(roleOf(former), roleOf(null)),
  }
}

/** The role's values for the audit. */
function roleOf(staff: StaffMember | null): Record<string, unknown> {
  return staff
    ? { role: staff.role, courses: staff.courseIds, seesAddresses: staff.seesAddresses }
    : {}
}
