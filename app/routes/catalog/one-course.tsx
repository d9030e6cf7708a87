/**
 * /OneCourse/ID: the page that sells a course. /OneCourse without an ID shows the sample course.
 *
 * The loader's data and the HTML are the same for everyone, so that they can be cached. What a
 * learner sees instead, such as their progress, comes from the viewer's data in the browser.
 */
import { type ComponentProps, Suspense } from 'react'
import { data, redirect, type ShouldRevalidateFunctionArgs } from 'react-router'
import { courseNotFound } from '~/features/catalog/course-page/course-messages'
import { CoursePage, LessonsPlaceholder } from '~/features/catalog/course-page/course-page'
import { findCourseDetail } from '~/features/catalog/course-page/course-queries.server'
import { RelatedCourses } from '~/features/catalog/course-shelf'
import { catalogUrl, emptyCatalogQuery } from '~/features/catalog/search/catalog-query'
import { sampleCourseId } from '~/features/catalog/search/facets'
import {
  createBreadcrumbsJsonLd,
  createCourseJsonLd,
} from '~/features/catalog/sharing/structured-course'
import { listRelatedCourses } from '~/features/catalog/shelf-queries.server'
import { findCurrentIds } from '~/features/courses/content/content-renames.server'
import { isEnrolled, isEnrolledInAccount } from '~/features/enrollment/browser-enrollments'
import { hasToBeBought } from '~/features/enrollment/course-access.server'
import {
  BuyButton,
  CreateAccountLink,
  EnrollButton,
  EnrollmentMark,
  EnrollNote,
} from '~/features/enrollment/course-page-enrollment'
import { CoursePrice, HidePricesOfOwnCourses } from '~/features/enrollment/course-price'
import { useOwnCourses } from '~/features/enrollment/own-courses'
import { WishButton } from '~/features/enrollment/wish-button'
import {
  RunningExamButton,
  renderRunningExam,
  useRunningExam,
} from '~/features/exams/attempt/running-exams'
import { LearnNotice } from '~/features/learning/lessons/learn-notice'
import { parseReviewChoice, reviewListUrl } from '~/features/reviews/review-list'
import { publicPageHeaders } from '~/server/cache/page-cache.server'
import { readPublic } from '~/server/database/read-replica.server'
import { areSalesPaused } from '~/server/site/site.server'
import { lazyPart } from '~/ui/lazy-part'
import { createNotFoundBoundary } from '~/ui/not-found-page'
import { findOrigin, pageMeta } from '~/ui/page-meta'
import { useViewer, type ViewerHandle } from '~/viewer'
import type { Route } from './+types/one-course'

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
  const path = course.id === sampleCourseId ? '/OneCourse' : `/OneCourse/${course.id}`
  const categoryPath = catalogUrl({ ...emptyCatalogQuery, category: course.category })
  const origin = findOrigin(matches)
  const pageUrl = origin + path

  return [
    ...pageMeta({
      title: course.title,
      description: course.summary,
      path,
      // Not every site that shows a preview of a link can read WebP.
      image: `/OneCourse/${course.id}/picture.jpg`,
      matches,
    }),
    {
      'script:ld+json': createCourseJsonLd(course, {
        pageUrl,
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

/** A page that could not be rendered is not cached either, because of its status (`forbidCachingByDefault`). */
export function headers({ errorHeaders }: Route.HeadersArgs) {
  return errorHeaders ?? publicPageHeaders()
}

export async function loader({ params, url }: Route.LoaderArgs) {
  // The slug of a course is its ID.
  const courseId = params.slug ?? sampleCourseId
  const reviewChoice = parseReviewChoice(url.searchParams)

  const { course, relatedCourses, renamedTo } = await readPublic(async (db) => {
    const [course, relatedCourses] = await Promise.all([
      findCourseDetail(db, courseId, reviewChoice),
      listRelatedCourses(db, courseId),
    ])
    const renamedTo = course ? null : await findCurrentIds(db, courseId)
    return { course, relatedCourses, renamedTo }
  })

  if (renamedTo) {
    throw redirect(`/OneCourse/${renamedTo.courseId}${url.search}`, 301)
  }

  if (!course) {
    throw data(courseNotFound.problem, { status: 404, headers: { 'Cache-Control': 'no-store' } })
  }

  const isForSale = hasToBeBought(course.priceCents)
  return {
    course,
    relatedCourses,
    reviewChoice,
    isForSale,
    isSalePaused: isForSale && areSalesPaused(),
  }
}

/**
 * The data is loaded again only for another course or another choice of reviews. Forms on this page change
 * the viewer's own data, which the loader doesn't return.
 */
export function shouldRevalidate(navigation: ShouldRevalidateFunctionArgs) {
  const { currentParams, nextParams, currentUrl, nextUrl, formMethod } = navigation
  const isFormSubmission = formMethod !== undefined && formMethod !== 'GET'
  if (isFormSubmission) {
    return false
  }

  const isOtherCourse = currentParams.slug !== nextParams.slug
  const hasOtherReviews = getReviewListKey(currentUrl) !== getReviewListKey(nextUrl)

  return isOtherCourse || hasOtherReviews
}

/** Returns a text that is the same for two URLs of the page that show the same reviews. */
function getReviewListKey(pageUrl: URL): string {
  return reviewListUrl(parseReviewChoice(pageUrl.searchParams))
}

export const handle: ViewerHandle<Awaited<ReturnType<typeof loader>>> = {
  getViewerQuery: ({ course }) => ({ course: course.id }),
}

// These components are loaded on demand, so that only learners of the course download them.
const importLearnerComponents = () => import('~/features/learning/lessons/learner-course-progress')
const ContinueButton = lazyPart(() =>
  importLearnerComponents().then((module) => module.ContinueButton),
)
const CourseProgressLine = lazyPart(() =>
  importLearnerComponents().then((module) => module.CourseProgressLine),
)
const LearnerCurriculum = lazyPart(() =>
  importLearnerComponents().then((module) => module.LearnerCurriculum),
)

export default function OneCourseRoute({ loaderData }: Route.ComponentProps) {
  const { course, relatedCourses, reviewChoice, isForSale, isSalePaused } = loaderData
  const courseId = course.id
  const viewer = useViewer()
  const { uid, isLearnerOfCourse, enrolledAs } = useCourseEnrollment(courseId, { isForSale })

  const ownReviews = viewer.reviews?.courseId === courseId ? viewer.reviews : null
  const hasProgress = isLearnerOfCourse && viewer.progress?.courseId === courseId
  const progress = hasProgress ? viewer.progress : null

  return (
    // The mark shows an enrolled viewer the right parts of the page before React starts. The key creates a
    // new mark for another course.
    <EnrollmentMark key={courseId} courseId={courseId}>
      <LearnNotice courseId={courseId} enrolledAs={enrolledAs} />
      <CoursePage
        course={course}
        reviews={{ choice: reviewChoice, uid, ownReviews }}
        lessons={
          isLearnerOfCourse && <LearnerLessons sections={course.curriculum} progress={progress} />
        }
        enrollment={{
          button: isForSale ? (
            <BuyButton courseId={courseId} isSalePaused={isSalePaused} />
          ) : (
            <EnrollButton courseId={courseId} />
          ),
          wishButton: <WishButton courseId={courseId} title={course.title} hasLabel />,
          note: (
            <EnrollNote courseId={courseId} completed={progress?.completed} isForSale={isForSale} />
          ),
          nextStep: isLearnerOfCourse ? (
            <LearnerNextStep courseId={courseId} progress={progress} />
          ) : (
            enrolledAs === 'visitor' && <CreateAccountLink courseId={courseId} />
          ),
          progress: isLearnerOfCourse && (
            <Suspense fallback={null}>
              {progress && <CourseProgressLine progress={progress} />}
            </Suspense>
          ),
        }}
      />
      <RelatedCourses
        courses={relatedCourses}
        slots={{
          notice: renderRunningExam,
          price: (relatedCourse) => <CoursePrice course={relatedCourse} />,
        }}
      />
      <HidePricesOfOwnCourses />
    </EnrollmentMark>
  )
}

/**
 * Returns who the viewer is, and how they are enrolled. A visitor can enroll in this browser, without an
 * account, but only in a free course.
 */
function useCourseEnrollment(courseId: string, { isForSale }: { isForSale: boolean }) {
  // The enrollments are null until the page is hydrated.
  const { uid, enrollments } = useOwnCourses()

  const isLearnerOfCourse = isEnrolledInAccount({ courseId, uid, enrollments })
  // This includes the courses that wait in this browser for an account.
  const isEnrolledAnywhere = enrollments !== null && isEnrolled(enrollments, courseId)
  const isViewerEnrolled = isForSale ? isLearnerOfCourse : isEnrolledAnywhere

  const viewerKind: 'visitor' | 'learner' = uid === null ? 'visitor' : 'learner'
  return { uid, isLearnerOfCourse, enrolledAs: isViewerEnrolled ? viewerKind : null }
}

type LearnerCurriculumProps = ComponentProps<typeof LearnerCurriculum>
type LearnerProgress = LearnerCurriculumProps['progress'] | null

type LearnerLessonsProps = {
  sections: LearnerCurriculumProps['sections']
  /** The progress is null until the viewer's data has arrived. */
  progress: LearnerProgress
}

function LearnerLessons({ sections, progress }: LearnerLessonsProps) {
  return (
    <Suspense fallback={<LessonsPlaceholder />}>
      {progress ? (
        <LearnerCurriculum sections={sections} progress={progress} />
      ) : (
        <LessonsPlaceholder />
      )}
    </Suspense>
  )
}

type LearnerNextStepProps = { courseId: string; progress: LearnerProgress }

/** Leads a learner to the exam that they are taking or else to their next lesson. */
function LearnerNextStep({ courseId, progress }: LearnerNextStepProps) {
  const runningExam = useRunningExam(courseId)

  return (
    <Suspense fallback={null}>
      {runningExam ? (
        <RunningExamButton courseId={courseId} wide />
      ) : (
        progress && <ContinueButton progress={progress} />
      )}
    </Suspense>
  )
}

export const ErrorBoundary = createNotFoundBoundary({
  ...courseNotFound,
  link: { to: '/AllCourses', label: 'See all courses' },
})
