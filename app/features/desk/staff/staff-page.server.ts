import { sql } from 'drizzle-orm'
import { type StaffRole, staffRoles } from '~/features/staff/permissions'
import { giveRole, listStaff, takeRole } from '~/features/staff/staff-queries.server'
import { StartError } from '~/server/env.server'
import { mostCoursesToTick } from '../courses-field'
import type { DeskAction, DeskActionRequest } from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'

export const staffActions = {
  give: {
    name: 'staff give',
    permission: 'run the staff',
    isSensitive: true,
    async run(call) {
      const role = requireRole(String(call.form.get('role')))
      const courses = call.form
        .getAll('courses')
        .join(' ')
        .split(/[\s,]+/)
        .filter(Boolean)
      const seesAddresses = call.form.get('addresses') === 'on'
      const { uid, before, changes } = await giveRole(call.transaction, nameIn(call), {
        role,
        courses,
        seesAddresses,
      })
      const given = role === 'teacher' ? { role, courses, seesAddresses } : { role }
      const onward = role !== 'owner' && uid === call.staff.uid ? '/Desk' : undefined
      const outcome = `The account has the role of ${role}.`

      return { subject: uid, arguments: { before, ...given }, changes, outcome, onward }
    },
  },
  take: {
    name: 'staff take',
    permission: 'run the staff',
    isSensitive: true,
    async run(call) {
      const { uid, before, changes } = await takeRole(call.transaction, nameIn(call))
      const onward = uid === call.staff.uid ? '/' : undefined
      const outcome = 'The account has no role at the desk any more.'

      return { subject: uid, arguments: { before }, changes, outcome, onward }
    },
  },
} satisfies Record<string, DeskAction>

const nameIn = ({ form }: DeskActionRequest) => String(form.get('account') ?? '')

function requireRole(text: string): StaffRole {
  const role = staffRoles.find((one) => one === text)
  if (!role) {
    throw new StartError('Choose a role.')
  }

  return role
}

export async function loadStaffPage({ db, staff }: DeskRequest) {
  // A teacher can prepare a course before it is published.
  const { rows: courses } = await db.execute<{ id: string; title: string }>(
    sql`select id, title from courses order by title, id limit ${mostCoursesToTick}`,
  )
  return {
    staff: await listStaff(db),
    courses,
    hasMoreCourses: courses.length === mostCoursesToTick,
    ownUid: staff.uid,
  }
}

export type StaffPageData = NonNullable<Awaited<ReturnType<typeof loadStaffPage>>>
