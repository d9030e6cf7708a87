import type { SessionUser } from '~/features/accounts/account-queries.server'
import { accountService } from '~/features/accounts/account-service.server'
import { createRequestContext, readSession } from '~/features/accounts/session/session.server'
import { shouldSetUpTwoFactor } from '~/features/accounts/two-factor/required-two-factor.server'
import { findHolderView } from '~/features/certificates/certificate-queries.server'
import { isCourseId } from '~/features/enrollment/browser-enrollments'
import {
  listEnrolledCourses,
  listWishedCourseIds,
} from '~/features/enrollment/enrollment-queries.server'
import { listRunningExams } from '~/features/exams/attempt/running-exam-queries.server'
import { findProgressSummary } from '~/features/learning/lessons/lesson-queries.server'
import { hasPractice } from '~/features/learning/practice/practice-queries.server'
import { hasPurchasesPage } from '~/features/orders/purchases/purchase-queries.server'
import { getOwnReviews } from '~/features/reviews/review-queries.server'
import { isStaff } from '~/features/staff/staff-queries.server'
import { db } from '~/server/database/client.server'
import { isParam } from '~/server/http/route-params.server'
import type { Route } from './+types/viewer'

const nothingPersonal = {
  enrolled: [],
  courses: [],
  wished: [],
  exams: [],
  practice: false,
  reviews: null,
  progress: null,
  certificate: null,
}

/** Null for a visitor. */
export type ViewerAnswer = Awaited<ReturnType<typeof readAnswer>> | null

/** Everything personal on a page, in one answer; requested by `app/viewer.ts`. */
export async function loader({ request, url }: Route.LoaderArgs) {
  const requestContext = createRequestContext(request)
  const { user } = await readSession(accountService, requestContext)
  const answer: ViewerAnswer = user && (await readAnswer(user, url.searchParams))
  // The cookies extend a session that is in use.
  requestContext.responseCookies.set('Cache-Control', 'no-store')

  return Response.json(answer, { headers: requestContext.responseCookies })
}

/** @param about names the course or the certificate that the page shows. */
async function readAnswer(user: SessionUser, about: URLSearchParams) {
  // Just enough for the account menu, where the learner can sign out.
  if (await shouldSetUpTwoFactor(db, user.uid)) {
    return { user, ...nothingPersonal }
  }

  const courseId = about.get('course')
  const id = about.get('certificate')
  const isCourse = isCourseId(courseId)
  const [courses, wished, exams, practice, purchases, desk, reviews, progress, held] =
    await Promise.all([
      listEnrolledCourses(db, user.uid),
      listWishedCourseIds(db, user.uid),
      listRunningExams(db, user.uid),
      hasPractice(db, user.uid),
      hasPurchasesPage(db, user.uid),
      isStaff(db, user.uid),
      isCourse ? getOwnReviews(db, user.uid, courseId) : null,
      isCourse ? findProgressSummary(db, user.uid, courseId) : null,
      isParam(id) ? findHolderView(db, user.uid, id) : null,
    ])

  return {
    user: { ...user, purchases, desk },
    enrolled: courses.map(({ id }) => id),
    courses,
    wished,
    exams,
    practice,
    reviews: reviews && { ...reviews, courseId },
    progress,
    certificate: held && { ...held, id },
  }
}
