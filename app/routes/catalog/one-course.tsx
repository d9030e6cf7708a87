import { type ComponentProps, Suspense } from 'react'
import { data, PrefetchPageLinks, redirect, type ShouldRevalidateFunctionArgs } from 'react-router'
import { courseNotFound } from '~/features/catalog/course-page/course-messages'
import { CoursePage, LessonsPlaceholder } from '~/features/catalog/course-page/course-page'
import { findCourseDetail } from '~/features/catalog/course-page/course-queries.server'
import { RelatedCourses } from '~/features/catalog/course-shelf'
import { catalogUrl, everything } from '~/features/catalog/search/catalog-query'
import { sampleCourseId } from '~/features/catalog/search/facets'
import {
  structuredBreadcrumbs,
  structuredCourse,
} from '~/features/catalog/sharing/structured-course'
import { listRelatedCourses } from '~/features/catalog/shelf-queries.server'
import { findCurrentIds } from '~/features/courses/content/content-renames.server'
import { isEnrolled, isLearnersCourse } from '~/features/enrollment/browser-enrollments'
import { hasToBeBought } from '~/features/enrollment/course-access.server'
import {
  BuyButton,
  CreateAccountLink,
  EnrollButton,
  EnrollmentMark,
  EnrollNote,
} from '~/features/enrollment/course-page-enrollment'
import { CoursePrice, HideOwnPrices } from '~/features/enrollment/course-price'
import { useOwnCourses } from '~/features/enrollment/own-courses'
import { WishButton } from '~/features/enrollment/wish-button'
import {
  CourseRunningExam,
  renderRunningExam,
  useRunningExam,
} from '~/features/exams/attempt/running-exams'
import { LearnNotice } from '~/features/learning/lessons/learn-notice'
import { parseReviewChoice, reviewListUrl } from '~/features/reviews/review-list'
import { reviewsPath } from '~/features/reviews/review-messages'
import { publicPage } from '~/server/cache/cache-public-pages.server'
import { readPublic } from '~/server/database/read-replica.server'
import { lazyPart } from '~/ui/lazy-part'
import { createNotFoundBoundary } from '~/ui/not-found-page'
import { findOrigin, pageMeta } from '~/ui/page-meta'
import { useViewer, type ViewerQuestion } from '~/viewer'
import type { Route } from './+types/one-course'

export function meta({ loaderData, matches }: Route.MetaArgs) {
  if (!loaderData) {
    return pageMeta({
      title: courseNotFound.heading,
      description: courseNotFound.sentence,
      path: null,
      matches,
    })
  }

  const { course } = loaderData
  const path = course.id === sampleCourseId ? '/OneCourse' : `/OneCourse/${course.id}`
  const cover = `/media/courses/${course.id}/cover-1280.webp`
  const image = `/OneCourse/${course.id}/picture.jpg`
  const origin = findOrigin(matches)
  const url = `${origin}${path}`

  return [
    ...pageMeta({ title: course.title, description: course.summary, path, image, matches }),
    { 'script:ld+json': structuredCourse(course, { address: url, image: `${origin}${cover}` }) },
    {
      'script:ld+json': structuredBreadcrumbs([
        { name: 'All courses', address: `${origin}/AllCourses` },
        {
          name: course.categoryName,
          address: `${origin}${catalogUrl({ ...everything, category: course.category })}`,
        },
        { name: course.title, address: url },
      ]),
    },
  ]
}

export function headers({ errorHeaders }: Route.HeadersArgs) {
  return errorHeaders ?? publicPage()
}

export async function loader({ params, url }: Route.LoaderArgs) {
  const reviewChoice = parseReviewChoice(url.searchParams)
  const id = params.slug ?? sampleCourseId
  const { course, related, currentIds } = await readPublic(async (db) => {
    const [course, related] = await Promise.all([
      findCourseDetail(db, id, reviewChoice),
      listRelatedCourses(db, id),
    ])
    const currentIds = course ? null : await findCurrentIds(db, id)
    return { course, related, currentIds }
  })

  if (currentIds) {
    throw redirect(`/OneCourse/${currentIds.courseId}${url.search}`, 301)
  }

  if (!course) {
    throw data(courseNotFound.sentence, { status: 404, headers: { 'Cache-Control': 'no-store' } })
  }

  return { course, related, reviewChoice, isSold: hasToBeBought(course.priceCents) }
}

/**
 * Avoids a request when a tab is switched. What a learner changes arrives with the viewer's data.
 */
export function shouldRevalidate(change: ShouldRevalidateFunctionArgs) {
  const { currentParams, nextParams, currentUrl, nextUrl, formMethod } = change
  if (formMethod && formMethod !== 'GET') {
    return false
  }

  const isOtherCourse = currentParams.slug !== nextParams.slug
  return isOtherCourse || getReviewListUrl(currentUrl) !== getReviewListUrl(nextUrl)
}

function getReviewListUrl(pageUrl: URL): string {
  return reviewListUrl(parseReviewChoice(pageUrl.searchParams))
}

export const handle: ViewerQuestion<Awaited<ReturnType<typeof loader>>> = {
  asksViewer: ({ course }) => ({ course: course.id }),
}

/** These parts are loaded on demand, so that only learners of the course download them. */
const importLearnerParts = () => import('~/features/learning/lessons/learner-course-progress')
const ContinueButton = lazyPart(() => importLearnerParts().then((parts) => parts.ContinueButton))
const CourseProgressLine = lazyPart(() =>
  importLearnerParts().then((parts) => parts.CourseProgressLine),
)
const LearnerCurriculum = lazyPart(() =>
  importLearnerParts().then((parts) => parts.LearnerCurriculum),
)

export default function OneCourseRoute({ loaderData }: Route.ComponentProps) {
  const { course, related, reviewChoice, isSold } = loaderData
  const { id, title, curriculum } = course
  const viewer = useViewer()
  const { uid, enrollments } = useOwnCourses()
  const isLearner = isLearnersCourse({ courseId: id, uid, enrollments })
  const isChosen = isSold ? isLearner : enrollments !== null && isEnrolled(enrollments, id)
  const viewerKind = uid === null ? 'visitor' : 'learner'
  const ownReviews = viewer.reviews?.courseId === id ? viewer.reviews : null
  const progress = isLearner && viewer.progress?.courseId === id ? viewer.progress : null
  const accountLink = isChosen && uid === null && <CreateAccountLink courseId={id} />

  return (
    <EnrollmentMark key={id} courseId={id}>
      {/* Without this prefetch, a vote without a connection would reload the page to get its script. */}
      {uid && <PrefetchPageLinks page={reviewsPath} />}
      <LearnNotice courseId={id} enrolled={isChosen ? viewerKind : null} />
      <CoursePage
        course={course}
        reviews={{ choice: reviewChoice, uid, own: ownReviews }}
        lessons={isLearner && <LearnerLessons sections={curriculum} progress={progress} />}
        enrollment={{
          button: isSold ? <BuyButton courseId={id} /> : <EnrollButton courseId={id} />,
          wish: <WishButton courseId={id} title={title} hasLabel />,
          note: <EnrollNote courseId={id} completed={progress?.completed} isSold={isSold} />,
          next: isLearner ? <LearnerNextStep courseId={id} progress={progress} /> : accountLink,
          progress: isLearner && (
            <Suspense fallback={null}>
              {progress && <CourseProgressLine progress={progress} />}
            </Suspense>
          ),
        }}
      />
      <RelatedCourses
        courses={related}
        slots={{
          news: renderRunningExam,
          price: (relatedCourse) => <CoursePrice course={relatedCourse} />,
        }}
      />
      <HideOwnPrices />
    </EnrollmentMark>
  )
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
        <CourseRunningExam courseId={courseId} wide />
      ) : (
        progress && <ContinueButton progress={progress} />
      )}
    </Suspense>
  )
}

export const ErrorBoundary = createNotFoundBoundary({
  heading: courseNotFound.heading,
  title: courseNotFound.title,
  text: courseNotFound.text,
  link: { to: '/AllCourses', label: 'See all courses' },
})
