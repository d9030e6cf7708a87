/** The page of the staff: the actions that give and take roles, and the list of members. */
import { sql } from 'drizzle-orm'
import { hasPermission, parseRole } from '~/features/staff/permissions'
import { giveRole, takeRole } from '~/features/staff/role-actions.server'
import { listStaff } from '~/features/staff/staff-queries.server'
import { failure, type Result, success } from '~/server/result'
import { maxCourseCheckboxes } from '../courses-field'
import {
  type DeskAction,
  type DeskActionResult,
  type DeskFormRequest,
  readCourseIds,
  readText,
} from '../desk-form.server'
import type { DeskRequest } from '../desk-request.server'

/** The actions of the staff page: give somebody a role, and take a role. */
export const staffActions = {
  give: { permission: 'manage staff', needsRecentSignIn: true, perform: giveRoleFromForm },
  take: { permission: 'manage staff', needsRecentSignIn: true, perform: takeRoleFromForm },
} satisfies Record<string, DeskAction>

async function giveRoleFromForm(request: DeskFormRequest): Promise<Result<DeskActionResult>> {
  const { form, actionContext, staff } = request
  const role = parseRole(readText(request, 'role'))
  if (role === null) {
    return failure('Choose a role.')
  }

  const result = await giveRole(actionContext, {
    account: readText(request, 'email'),
    role,
    courseIds: readCourseIds(request),
    seesLearnerEmails: form.get('seesAddresses') === 'on',
  })
  if (!result.ok) {
    return result
  }

  // An owner who gives themselves another role may not see this page any more.
  const { outcome, uid } = result.value
  const shouldLeavePage = uid === staff.uid && !hasPermission({ role }, 'manage staff')
  return success({ outcome, redirectTo: shouldLeavePage ? '/Desk' : undefined })
}

async function takeRoleFromForm(request: DeskFormRequest): Promise<Result<DeskActionResult>> {
  const memberUid = readText(request, 'uid')
  if (memberUid === '') {
    return failure('Choose a member of staff.')
  }

  const result = await takeRole(request.actionContext, memberUid)
  if (!result.ok) {
    return result
  }

  const { outcome, uid } = result.value
  const shouldLeaveDesk = uid === request.staff.uid
  return success({ outcome, redirectTo: shouldLeaveDesk ? '/' : undefined })
}

/** Loads the members of staff, and the courses that the form offers for a teacher. */
export async function loadStaffPage({ db, staff }: DeskRequest) {
  // The list includes unpublished courses, because a teacher may prepare them.
  const { rows: courses } = await db.execute<{ id: string; title: string }>(
    sql`select id, title from courses order by title, id limit ${maxCourseCheckboxes}`,
  )

  return {
    members: await listStaff(db),
    courses,
    viewerUid: staff.uid,
  }
}

export type StaffPageData = NonNullable<Awaited<ReturnType<typeof loadStaffPage>>>
