import { sql } from 'drizzle-orm'
import { lockContentForRequest } from '~/features/courses/content/content-lock.server'
import { findChanges } from '~/features/staff/audit.server'
import { describeUnknownCourses } from '~/features/staff/role-actions.server'
import { performStaffAction, type StaffActionContext } from '~/features/staff/staff-action.server'
import type { Transaction } from '~/server/database/client.server'
import { homeCourses } from '~/server/database/schema'
import { failure, success } from '~/server/result'
import { coursesPerShelf } from './shelf-queries.server'

type HomeCoursesInput = {
  /** Empty for the most popular courses. */
  courseIds: readonly string[]
  /** The courses that the form's page displayed, in their order. */
  displayedIds: readonly string[]
}

/** Sets the courses that Home shows first, in this order. */
export function setHomeCourses(
  context: StaffActionContext,
  { courseIds, displayedIds }: HomeCoursesInput,
) {
  const definition = { name: 'course home', permission: 'change courses' } as const

  return performStaffAction(context, definition, async (tx) => {
    // Two members of staff who save at the same time wait for each other.
    const lockResult = await lockContentForRequest(tx)
    if (!lockResult.ok) {
      return lockResult
    }

    const uniqueIds = [...new Set(courseIds)]
    if (uniqueIds.length > coursesPerShelf) {
      return failure(`Home shows ${coursesPerShelf} courses.`)
    }

    const unlistedIds = await listCoursesOutsideCatalog(tx, uniqueIds)
    if (unlistedIds.length > 0) {
      return failure(describeUnknownCourses(unlistedIds, 'No course of the catalog'))
    }

    const idsBefore = await replaceHomeCourses(tx, uniqueIds)
    // The same choice may be saved already by another member of staff, which is no conflict.
    const expectedChoices = [displayedIds, uniqueIds].map(String)
    if (!expectedChoices.includes(String(idsBefore))) {
      return failure('Somebody has changed the courses on Home in the meantime. Check them again.')
    }

    const outcome =
      uniqueIds.length === 0
        ? 'Home shows the most popular courses.'
        : `Home shows ${uniqueIds.join(', ')} first.`

    return success({
      subject: null,
      changes: findChanges({ courses: idsBefore }, { courses: uniqueIds }),
      outcome,
    })
  })
}

async function listCoursesOutsideCatalog(
  tx: Transaction,
  courseIds: readonly string[],
): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select id
    from courses
    where id = any(${sql.param(courseIds)}::text[])
      and published
      and in_catalogue`)
  const catalogIds = new Set(rows.map(({ id }) => id))

  return courseIds.filter((id) => !catalogIds.has(id))
}

/** @returns the courses that Home showed before, in their order */
async function replaceHomeCourses(
  tx: Transaction,
  courseIds: readonly string[],
): Promise<string[]> {
  const rowsBefore = await tx.delete(homeCourses).returning()
  if (courseIds.length > 0) {
    const rows = courseIds.map((courseId, index) => ({ place: index + 1, courseId }))
    await tx.insert(homeCourses).values(rows)
  }

  return rowsBefore
    .toSorted((first, second) => first.place - second.place)
    .map(({ courseId }) => courseId)
}
