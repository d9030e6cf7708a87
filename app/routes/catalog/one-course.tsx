/**
 * /OneCourse/ID: the page that sells a course. /OneCourse without an ID shows the sample course.
 *
 * The loader's data and the HTML are the same for everyone, so that they can be cached. A learner's
 * own parts, such as their progress, come from the viewer's data in the browser.
 */
import { data, redirect, type ShouldRevalidateFunctionArgs } from 'react-router'
import { courseNotFound } from '~/features/catalog/course-page/course-messages'
import { CoursePage } from '~/features/catalog/course-page/course-page'
import { findCourseDetail } from '~/features/catalog/course-page/course-queries.server'
import { RelatedCourses } from '~/features/catalog/course-shelf'
import {
  catalogUrl,
  defaultCourseId,
  emptyCatalogQuery,
} from '~/features/catalog/search/catalog-query'
import {
  createBreadcrumbsJsonLd,
  createCourseJsonLd,
} from '~/features/catalog/sharing/structured-course'
import { listRelatedCourses } from '~/features/catalog/shelf-queries.server'
import { findCurrentIds } from '~/features/courses/content/content-renames.server'
import { isForSaleAtPrice } from '~/features/enrollment/course-access.server'
import {
  BuyButton,
  CreateAccountLink,
  EnrollButton,
  EnrollmentAttributes,
  EnrollmentNote,
} from '~/features/enrollment/course-page-enrollment'
import { CoursePrice, HidePricesOfEnrolledCourses } from '~/features/enrollment/course-price'
import { useOwnCourses } from '~/features/enrollment/own-courses'
import { useCourseEnrollment } from '~/features/enrollment/use-course-enrollment'
import { WishButton } from '~/features/enrollment/wish-button'
import {
  RunningExamButton,
  renderRunningExam,
  useRunningExam,
} from '~/features/exams/attempt/running-exams'
import {
  LearnerContinueButton,
  LearnerLessons,
  type LearnerProgress,
  LearnerProgressLine,
} from '~/features/learning/lessons/learner-course-parts'
import { LessonRefusalNotice } from '~/features/learning/lessons/lesson-refusal-notice'
import { parseReviewChoice, type ReviewChoice, reviewListUrl } from '~/features/reviews/review-list'
import { publicPageHeaders } from '~/server/cache/page-cache.server'
import type { Database } from '~/server/database/client.server'
import { readPublic } from '~/server/database/read-replica.server'
import { areSalesPaused } from '~/server/site/site.server'
import { createNotFoundBoundary } from '~/ui/not-found-page'
import { findOrigin, pageMeta } from '~/ui/page-meta'
import { useViewer, type ViewerHandle } from '~/viewer'
import type { Route } from './+types/one-course'

export async function loader({ params, url }: Route.LoaderArgs) {
  // The slug in the URL is the ID of the course.
  const courseId = params.slug ?? defaultCourseId
  const reviewChoice = parseReviewChoice(url.searchParams)

  const { course, relatedCourses, renamedCourseId } = await readPublic((db) =>
    readCourse(db, courseId, reviewChoice),
  )

  if (renamedCourseId !== null) {
    throw redirect(`/OneCourse/${renamedCourseId}${url.search}`, 301)
  }

  if (!course) {
    throw data(courseNotFound.problem, { status: 404, headers: { 'Cache-Control': 'no-store' } })
  }

  const isForSale = isForSaleAtPrice(course.priceMinor)
  return {
    course,
    relatedCourses,
    reviewChoice,
    isForSale,
    isSalePaused: isForSale && areSalesPaused(),
  }
}

/**
 * Reads a course and the courses that are related to it.
 *
 * @returns `course` is null if there is no such course. `renamedCourseId` is the new ID if the
 *   course was renamed, and null otherwise.
 */
async function readCourse(db: Database, courseId: string, reviewChoice: ReviewChoice) {
  const [course, relatedCourses] = await Promise.all([
    findCourseDetail(db, courseId, reviewChoice),
    listRelatedCourses(db, courseId),
  ])
  if (course) {
    return { course, relatedCourses, renamedCourseId: null }
  }

  const currentIds = await findCurrentIds(db, courseId)
  return { course: null, relatedCourses, renamedCourseId: currentIds?.courseId ?? null }
}

/**
 * Allows caching of the page. An error without headers of its own, such as a failure of the
 * database, gets these headers, too, but `response-headers.server.ts` replaces them for each status
 * from 500.
 */
export function headers({ errorHeaders }: Route.HeadersArgs) {
  return errorHeaders ?? publicPageHeaders()
}

/**
 * Loads the data again only for another course or another choice of reviews. Forms on this page
 * change the viewer's own data, which the loader doesn't return.
 */
export function shouldRevalidate(navigation: ShouldRevalidateFunctionArgs) {
  const { currentParams, nextParams, currentUrl, nextUrl } = navigation
  const isOtherCourse = currentParams.slug !== nextParams.slug
  const isOtherReviewChoice = getReviewListKey(currentUrl) !== getReviewListKey(nextUrl)

  return isOtherCourse || isOtherReviewChoice
}

/** Returns a key of the reviews on the page. Two URLs with the same key show the same reviews. */
function getReviewListKey(pageUrl: URL): string {
  return reviewListUrl(parseReviewChoice(pageUrl.searchParams))
}

export function meta({ loaderData, matches }: Route.MetaArgs) {
  if (!loaderData) {
    return pageMeta({
      title: courseNotFound.heading,
      description: courseNotFound.problem,
      path: null,
      matches,
    })
  }

  const { course } = loaderData
  const path = course.id === defaultCourseId ? '/OneCourse' : `/OneCourse/${course.id}`
  const categoryPath = catalogUrl({ ...emptyCatalogQuery, category: course.category })
  const origin = findOrigin(matches)
  const pageUrl = origin + path

  return [
    ...pageMeta({
      title: course.title,
      description: course.summary,
      path,
      // This picture is a JPEG, because not every site that shows a preview of a link can read
      // WebP.
      image: `/OneCourse/${course.id}/picture.jpg`,
      matches,
    }),
    {
      'script:ld+json': createCourseJsonLd(course, {
        pageUrl,
        // Search engines read this picture, and can read WebP.
        imageUrl: `${origin}/media/courses/${course.id}/cover-1280.webp`,
      }),
    },
    {
      'script:ld+json': createBreadcrumbsJsonLd([
        { name: 'All courses', url: `${origin}/AllCourses` },
        { name: course.categoryName, url: origin + categoryPath },
        { name: course.title, url: pageUrl },
      ]),
    },
  ]
}

export const handle: ViewerHandle<Awaited<ReturnType<typeof loader>>> = {
  getViewerParameters: ({ course }) => ({ course: course.id }),
}

export default function OneCourseRoute({ loaderData }: Route.ComponentProps) {
  const { course, relatedCourses, reviewChoice, isForSale, isSalePaused } = loaderData
  const courseId = course.id

  const { uid } = useOwnCourses()
  const enrollment = useCourseEnrollment(courseId, { isForSale })
  const isLearnerOfCourse = enrollment === 'in-account'

  // After a navigation, the viewer's data may still be about the previous course.
  const viewer = useViewer()
  const ownReviews = viewer.reviews?.courseId === courseId ? viewer.reviews : null
  const progress =
    isLearnerOfCourse && viewer.progress?.courseId === courseId ? viewer.progress : null

  return (
    // A script may have set the attributes of this element before React started. The key gives each
    // course its own element, so that nothing remains of the previous course after a navigation.
    <EnrollmentAttributes key={courseId} courseId={courseId}>
      <LessonRefusalNotice courseId={courseId} enrollment={enrollment} />
      <CoursePage
        course={course}
        reviews={{ choice: reviewChoice, uid, ownReviews }}
        lessons={
          isLearnerOfCourse && <LearnerLessons sections={course.curriculum} progress={progress} />
        }
        enrollment={{
          // Each button itself changes to "✓ Enrolled" once the viewer is enrolled.
          button: isForSale ? (
            <BuyButton courseId={courseId} isSalePaused={isSalePaused} />
          ) : (
            <EnrollButton courseId={courseId} />
          ),
          wishButton: <WishButton courseId={courseId} courseTitle={course.title} hasLabel />,
          note: (
            <EnrollmentNote
              courseId={courseId}
              isCompleted={progress?.completed}
              isForSale={isForSale}
            />
          ),
          nextStep: isLearnerOfCourse ? (
            <LearnerNextStep courseId={courseId} progress={progress} />
          ) : (
            enrollment === 'in-browser' && <CreateAccountLink courseId={courseId} />
          ),
          progress: isLearnerOfCourse && <LearnerProgressLine progress={progress} />,
        }}
      />
      <RelatedCourses
        courses={relatedCourses}
        slots={{
          notice: renderRunningExam,
          price: (relatedCourse) => <CoursePrice course={relatedCourse} />,
        }}
      />
      <HidePricesOfEnrolledCourses />
    </EnrollmentAttributes>
  )
}

type LearnerNextStepProps = { courseId: string; progress: LearnerProgress }

/** Leads a learner to the exam that they are taking or else to their next lesson. */
function LearnerNextStep({ courseId, progress }: LearnerNextStepProps) {
  const runningExam = useRunningExam(courseId)
  if (runningExam) {
    return <RunningExamButton courseId={courseId} isWide />
  }

  return <LearnerContinueButton progress={progress} />
}

export const ErrorBoundary = createNotFoundBoundary({
  ...courseNotFound,
  link: { to: '/AllCourses', label: 'See all courses' },
})
