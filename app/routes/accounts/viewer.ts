import { accountService } from '~/features/accounts/account-service.server'
import { createRequestContext } from '~/features/accounts/session/request-context.server'
import { refreshSignedInUser } from '~/features/accounts/session/session.server'
import type { SessionUser } from '~/features/accounts/session/session-user.server'
import { shouldSetUpTwoFactor } from '~/features/accounts/two-factor/required-two-factor.server'
import { findHolderView } from '~/features/certificates/certificate-queries.server'
import { isCourseId } from '~/features/enrollment/browser-enrollments'
import { listEnrolledCourses } from '~/features/enrollment/enrollment-queries.server'
import { listWishedCourseIds } from '~/features/enrollment/wish-queries.server'
import { listRunningExams } from '~/features/exams/attempt/running-exam-queries.server'
import { findProgressSummary } from '~/features/learning/lessons/progress-summary-queries.server'
import { hasPracticeCards } from '~/features/learning/practice/practice-queries.server'
import { hasPurchasesPage } from '~/features/orders/purchases/purchase-queries.server'
import { getOwnReviews } from '~/features/reviews/review-queries.server'
import { isStaff } from '~/features/staff/staff-queries.server'
import { db } from '~/server/database/client.server'
import { isParam } from '~/server/http/route-params.server'
import type { Route } from './+types/viewer'

/** What a learner gets who first has to set up two-step sign-in. */
const emptyViewerData = {
  enrolled: [],
  courses: [],
  wished: [],
  exams: [],
  practice: false,
  reviews: null,
  progress: null,
  certificate: null,
}

/** The data of the signed-in learner; null for a visitor. */
export type ViewerData = Awaited<ReturnType<typeof readViewerData>> | null

/** Responds with everything personal on a page in one response, which `app/viewer.ts` requests. */
export async function loader({ request, url }: Route.LoaderArgs) {
  const requestContext = createRequestContext(request)
  const { user } = await refreshSignedInUser(accountService, requestContext)
  const viewerData: ViewerData = user && (await readViewerData(user, url.searchParams))
  // The cookies extend a session that is in use.
  const headers = requestContext.responseCookies
  headers.set('Cache-Control', 'no-store')

  return Response.json(viewerData, { headers })
}

/** @param query names the course or the certificate that the page displays */
async function readViewerData(user: SessionUser, query: URLSearchParams) {
  // The account menu needs the user, so that the learner can sign out.
  if (await shouldSetUpTwoFactor(db, user.uid)) {
    return { user, ...emptyViewerData }
  }

  const courseId = query.get('course')
  const certificateId = query.get('certificate')
  const isCourse = isCourseId(courseId)
  const [
    courses,
    wishedCourseIds,
    runningExams,
    canPractice,
    hasPurchases,
    isStaffMember,
    reviews,
    progress,
    holderView,
  ] = await Promise.all([
    listEnrolledCourses(db, user.uid),
    listWishedCourseIds(db, user.uid),
    listRunningExams(db, user.uid),
    hasPracticeCards(db, user.uid),
    hasPurchasesPage(db, user.uid),
    isStaff(db, user.uid),
    isCourse ? getOwnReviews(db, user.uid, courseId) : null,
    isCourse ? findProgressSummary(db, user.uid, courseId) : null,
    isParam(certificateId) ? findHolderView(db, user.uid, certificateId) : null,
  ])

  return {
    user: { ...user, hasPurchases, isStaff: isStaffMember },
    enrolled: courses.map(({ id }) => id),
    courses,
    wished: wishedCourseIds,
    exams: runningExams,
    practice: canPractice,
    reviews: reviews && { ...reviews, courseId },
    progress,
    certificate: holderView && { ...holderView, id: certificateId },
  }
}
