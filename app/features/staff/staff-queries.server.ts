/** Queries about members of staff. */
import { sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { hasPermission, roleDefinitions, type StaffRole, staffRoles } from './permissions'

export type StaffMember = {
  uid: string
  role: StaffRole
  /** The courses that the member of staff is limited to, or null if they see all courses. */
  courseIds: string[] | null
  /** Whether the member of staff sees the email addresses of learners. */
  seesLearnerEmails: boolean
}

type StaffMemberRow = StaffMember & { courseIds: string[] }

/** Returns the member of staff with this uid, or null for a learner without a role. */
export async function findStaff(
  db: Pick<Database, 'execute'>,
  uid: string,
): Promise<StaffMember | null> {
  const { rows } = await db.execute<StaffMemberRow>(sql`
    select s.uid,
      s.role,
      s.sees_addresses as "seesLearnerEmails",
      array(select c.course_id from staff_courses c where c.uid = s.uid) as "courseIds"
    from staff s
    where s.uid = ${uid}`)

  const [row] = rows
  if (!row) {
    return null
  }

  const { isLimitedToAssignedCourses } = roleDefinitions[row.role]
  return {
    uid: row.uid,
    role: row.role,
    courseIds: isLimitedToAssignedCourses ? row.courseIds : null,
    seesLearnerEmails: !isLimitedToAssignedCourses || row.seesLearnerEmails,
  }
}

/** Returns whether the account has a role. If so, the menu of the site links to the desk. */
export async function isStaff(db: Pick<Database, 'execute'>, uid: string): Promise<boolean> {
  const { rows } = await db.execute(sql`select from staff where uid = ${uid}`)
  return rows.length > 0
}

export const protectedAccountProblem =
  'Only an owner can do this to somebody who has a role at the desk.'

/**
 * Returns which of the accounts the member of staff may not change. Only owners may change the
 * accounts of other members of staff.
 *
 * @param staff null for an operator, who may change every account
 */
export async function findProtectedAccounts(
  db: Pick<Database, 'execute'>,
  staff: StaffMember | null,
  uids: readonly string[],
): Promise<Set<string>> {
  if (staff === null || hasPermission(staff, 'manage staff')) {
    return new Set()
  }

  const { rows } = await db.execute<{ uid: string }>(sql`
    select uid from staff
    where uid = any(${sql.param(uids)}::text[])
      and uid <> ${staff.uid}`)

  return new Set(rows.map(({ uid }) => uid))
}

type StaffListRow = {
  uid: string
  name: string
  email: string
  role: StaffRole
  seesLearnerEmails: boolean
  since: string
  courses: { id: string; title: string }[]
}

/** Lists the staff, owners first. A school has few members of staff, so the list has no pages. */
export async function listStaff(db: Pick<Database, 'execute'>): Promise<StaffListRow[]> {
  const { rows } = await db.execute<StaffListRow>(sql`
    select s.uid,
      u.name,
      u.email,
      s.role,
      s.sees_addresses as "seesLearnerEmails",
      s.since::text as since,
      (
        select coalesce(
          json_agg(json_build_object('id', c.id, 'title', c.title) order by c.title), '[]')
        from staff_courses t
          join courses c on c.id = t.course_id
        where t.uid = s.uid) as courses
    from staff s
      join users u on u.id = s.uid
    order by array_position(${sql.param(staffRoles)}::text[], s.role), u.name, s.uid
    limit 500`)

  return rows
}

/**
 * Selects up to two owners whose accounts are enabled. A school always keeps an owner, because only
 * owners can give roles.
 */
const selectEnabledOwners = sql`
  select s.uid
  from staff s
    join users u on u.id = s.uid
  where s.role = 'owner' and not u.banned
  limit 2`

export async function hasOwner(db: Pick<Database, 'execute'>): Promise<boolean> {
  const { rows } = await db.execute(selectEnabledOwners)
  return rows.length > 0
}

/**
 * Returns whether the school would have no owner without this account.
 *
 * The owners stay locked until the transaction ends, so that two owners who remove each other at
 * the same time wait for each other. Call this function before the accounts are locked.
 */
export async function isOnlyOwner(tx: Pick<Statements, 'execute'>, uid: string): Promise<boolean> {
  const { rows: ownerRoles } = await tx.execute(sql`
    select from staff
    where uid = ${uid} and role = 'owner'`)
  if (ownerRoles.length === 0) {
    return false
  }

  // The lock and the query of the owners are two statements. The second one starts after the lock
  // was granted, so that it sees the changes of the transaction that held the lock before.
  await tx.execute(sql`select from staff where role = 'owner' order by uid for update`)
  const { rows: owners } = await tx.execute<{ uid: string }>(selectEnabledOwners)

  return owners.length === 1 && owners[0]?.uid === uid
}

export const onlyOwnerProblem = 'This is the only owner. Make somebody else owner first.'
