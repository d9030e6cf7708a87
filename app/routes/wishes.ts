import { redirect } from 'react-router'
import { isCourseId } from '~/features/learning/enrollment/browser-enrollments'
import type { WishAnswer } from '~/features/learning/enrollment/wish-list'
import { listWishedCourseIds, recordWish } from '~/features/learning/enrollment/wish-queries.server'
import { db } from '~/server/database/client.server'
import { readForm } from '~/server/request-body.server'
import { findLearner } from '~/server/session.server'
import type { Route } from './+types/wishes'

const headers = { 'Cache-Control': 'no-store' }

/** For scripts: the ids of the courses on the learner's wish list. */
export async function loader({ request }: Route.LoaderArgs) {
  if (!wantsJson(request)) return redirect('/Profile/current-courses')
  const learner = await findLearner(request)
  if (!learner) return new Response('You are not signed in.', { status: 401, headers })
  return answer(await listWishedCourseIds(db, learner.uid))
}

/** Puts a course on the wish list, or takes it from there; again is harmless. */
export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request)
  const [courseId, wished] = [form.get('courseId'), form.get('wished')]
  if (!isCourseId(courseId) || (wished !== 'yes' && wished !== 'no')) {
    return new Response('No course was chosen.', { status: 400, headers })
  }
  const learner = await findLearner(request)
  if (!learner) {
    if (wantsJson(request)) return new Response('You are not signed in.', { status: 401, headers })
    return redirect(`/Login?${new URLSearchParams({ from: `/OneCourse/${courseId}` })}`, 303)
  }
  await recordWish(db, learner.uid, courseId, wished === 'yes')
  if (wantsJson(request)) return answer(await listWishedCourseIds(db, learner.uid))
  return redirect('/Profile/current-courses', 303)
}

function wantsJson(request: Request): boolean {
  return request.headers.get('accept')?.includes('application/json') ?? false
}

function answer(courseIds: string[]): Response {
  return Response.json({ courseIds } satisfies WishAnswer, { headers })
}
