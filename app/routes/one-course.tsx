import { data, isRouteErrorResponse, redirect, type ShouldRevalidateFunctionArgs, useRouteError } from 'react-router'
import { useAuth } from '~/features/accounts/auth-provider'
import { CourseNotFound } from '~/features/catalogue/course-not-found'
import { CoursePage } from '~/features/catalogue/course-page'
import { findCourseDetail } from '~/features/catalogue/course-queries.server'
import { reviewsAddress } from '~/features/catalogue/own-reviews'
import { addressOfReviews, parseReviewChoice } from '~/features/catalogue/review-list'
import { structuredCourse } from '~/features/catalogue/structured-course'
import { EnrollButton, EnrollNote } from '~/features/learning/enrollment/enroll-button'
import { WishButton } from '~/features/learning/enrollment/wish-button'
import { LearnNotice } from '~/features/learning/lesson/learn-notice'
import { findMoved } from '~/server/content/content-addresses.server'
import { db } from '~/server/database/client.server'
import { publicPage } from '~/server/page-cache.server'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/one-course'

/** The fixed sample of `/OneCourse` without a parameter. */
const sampleCourse = 'complete-web-development'

export function meta({ loaderData, matches }: Route.MetaArgs) {
  if (!loaderData) {
    return pageMeta({ title: 'Course not found', description: 'No course has this address.', path: null, matches })
  }
  const { course } = loaderData
  const path = course.id === sampleCourse ? '/OneCourse' : `/OneCourse/${course.id}`
  const image = `/media/courses/${course.id}/cover-1280.webp`
  return [
    ...pageMeta({ title: course.title, description: course.summary, path, image, matches }),
    { 'script:ld+json': structuredCourse(course) },
  ]
}

export function headers({ errorHeaders }: Route.HeadersArgs) {
  return errorHeaders ?? publicPage()
}

export async function loader({ params, request }: Route.LoaderArgs) {
  const reviewChoice = parseReviewChoice(new URL(request.url).searchParams)
  const course = await findCourseDetail(db, params.slug ?? sampleCourse, reviewChoice)
  const moved = course ? null : await findMoved(db, params.slug ?? sampleCourse)
  if (moved) throw redirect(`/OneCourse/${moved.courseId}${new URL(request.url).search}`, 301)
  if (!course) throw data('No course has this address.', { status: 404, headers: { 'Cache-Control': 'no-store' } })
  return { course, reviewChoice }
}

/** Another tab of the same course shows at once; of what a learner does only reviews and votes change a course. */
export function shouldRevalidate(change: ShouldRevalidateFunctionArgs) {
  const { currentParams, nextParams, currentUrl, nextUrl, formAction, formMethod, actionResult } = change
  if (formMethod && formMethod !== 'GET') return formAction === reviewsAddress && actionResult?.done !== false
  const choiceOf = (url: URL) => addressOfReviews(parseReviewChoice(url.searchParams))
  return currentParams.slug !== nextParams.slug || choiceOf(currentUrl) !== choiceOf(nextUrl)
}

export default function OneCourseRoute({ loaderData: { course, reviewChoice } }: Route.ComponentProps) {
  const { user, loading } = useAuth()
  const uid = loading ? undefined : (user?.uid ?? null)
  const enrollment = { courseId: course.id, uid }
  return (
    <>
      <LearnNotice courseId={course.id} />
      <CoursePage
        key={course.id}
        course={course}
        reviews={{ choice: reviewChoice, uid }}
        enrollment={{
          button: <EnrollButton {...enrollment} />,
          wish: <WishButton {...enrollment} title={course.title} words />,
          note: <EnrollNote {...enrollment} />,
        }}
      />
    </>
  )
}

export function ErrorBoundary() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <CourseNotFound />
  throw error
}
