import { sql } from 'drizzle-orm'
import { findRole, hasPermission } from '~/features/staff/permissions'
import { giveRole, takeRole } from '~/features/staff/staff-actions.server'
import { listStaff } from '~/features/staff/staff-queries.server'
import { failure, type Result, success } from '~/server/result'
import { mostCoursesToTick } from '../courses-field'
import type { DeskAction, PerformedAction, SubmittedForm } from '../desk-form.server'
import { readText } from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'

export const staffActions = {
  give: { permission: 'run the staff', isSensitive: true, perform: giveSubmittedRole },
  take: { permission: 'run the staff', isSensitive: true, perform: takeSubmittedRole },
} satisfies Record<string, DeskAction>

async function giveSubmittedRole(request: SubmittedForm): Promise<Result<PerformedAction>> {
  const { form, actionContext, staff } = request
  const role = findRole(readText(request, 'role'))
  if (role === null) {
    return failure('Choose a role.')
  }

  // A ticked course is one value each. Course IDs in the text field are separated by spaces.
  const courses = form
    .getAll('courses')
    .join(' ')
    .split(/[\s,]+/)
    .filter(Boolean)
  const result = await giveRole(actionContext, {
    account: readText(request, 'account'),
    role,
    courses,
    seesAddresses: form.get('addresses') === 'on',
  })
  if (!result.ok) {
    return result
  }

  // An owner who gives themselves another role may not see this page any more.
  const { outcome, uid } = result.value
  const hasLostPage = uid === staff.uid && !hasPermission({ role }, 'run the staff')
  return success({ outcome, onward: hasLostPage ? '/Desk' : undefined })
}

async function takeSubmittedRole(request: SubmittedForm): Promise<Result<PerformedAction>> {
  const result = await takeRole(request.actionContext, readText(request, 'account'))
  if (!result.ok) {
    return result
  }

  const { outcome, uid } = result.value
  const hasLostDesk = uid === request.staff.uid
  return success({ outcome, onward: hasLostDesk ? '/' : undefined })
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
