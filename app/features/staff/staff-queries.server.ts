import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
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
