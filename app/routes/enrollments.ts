import { redirect } from 'react-router'
import { isCourseId } from '~/features/learning/enrollment/browser-enrollments'
import { enrollLearner, listEnrolledCourseIds } from '~/features/learning/enrollment/enrollment-queries.server'
import type { EnrollmentAnswer } from '~/features/learning/enrollment/enrollment-sync'
import { db } from '~/server/database/client.server'
import { readForm } from '~/server/request-body.server'
import { findLearner } from '~/server/session.server'
import type { Route } from './+types/enrollments'

const coursesOfLearner = '/Profile/current-courses'
/** More than a person chooses; a form that holds more is not one of ours. */
const maxCourses = 200

/** For scripts: the ids of the learner's courses. A person who comes here is led to the page that shows them. */
export async function loader({ request }: Route.LoaderArgs) {
  if (!wantsJson(request)) return redirect(coursesOfLearner)
  const learner = await findLearner(request)
  return learner ? answer(await listEnrolledCourseIds(db, learner.uid)) : refusal('You are not signed in.', 401)
}

/** Enrolls the learner in the courses of the form; again is harmless. Visitors without a script sign in first. */
export async function action({ request }: Route.ActionArgs) {
  const courseIds = await chosenCourses(request)
  if (!courseIds) return refusal('No course was chosen.', 400)
  const learner = await findLearner(request)
  if (!learner) {
    if (wantsJson(request)) return refusal('You are not signed in.', 401)
    return redirect(`/Login?${new URLSearchParams({ from: `/OneCourse/${courseIds[0]}` })}`)
  }
  const enrolled = await enrollLearner(db, learner.uid, courseIds)
  if (wantsJson(request)) return answer(await listEnrolledCourseIds(db, learner.uid))
  return redirect(enrolled.length > 0 ? coursesOfLearner : `/OneCourse/${courseIds[0]}`, 303)
}

/** Null when the body is no form, or names something that cannot be a course. */
async function chosenCourses(request: Request): Promise<string[] | null> {
  const values = (await readForm(request)).getAll('courseIds')
  const ids = values.filter(isCourseId)
  return ids.length > 0 && ids.length === values.length && ids.length <= maxCourses ? ids : null
}

function wantsJson(request: Request): boolean {
  return request.headers.get('accept')?.includes('application/json') ?? false
}

const headers = { 'Cache-Control': 'no-store' }

function answer(courseIds: string[]): Response {
  return Response.json({ courseIds } satisfies EnrollmentAnswer, { headers })
}

function refusal(sentence: string, status: number): Response {
  return new Response(sentence, { status, headers })
}
