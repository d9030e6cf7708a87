import { useEffect } from 'react'
import { findDemoRefusal } from '~/features/accounts/demo-account.server'
import { useAuth } from '~/features/accounts/session/auth-provider'
import {
  requireLearner,
  signedInLearner,
  signedOutResponse,
} from '~/features/accounts/session/require-learner.server'
import { Celebrations } from '~/features/achievements/celebrations'
import { learningContext } from '~/features/certificates/rewards.server'
import { findCurrentIds } from '~/features/courses/content/content-renames.server'
import { RunningExamButton } from '~/features/exams/attempt/running-exams'
import { lessonMessages } from '~/features/learning/lessons/lesson-messages'
import { LessonScreen } from '~/features/learning/lessons/lesson-page'
import {
  lessonUnavailableResponse,
  loadLessonPage,
} from '~/features/learning/lessons/load-lesson-page.server'
import { submitLessonForm } from '~/features/learning/lessons/submit-lesson-form.server'
import { db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { errorResponse, isSubmittedWithoutScript } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { createClientAction } from '~/ui/form/client-action'
import { createNotFoundBoundary } from '~/ui/not-found-page'
import { pageMeta } from '~/ui/page-meta'
import proseStyle from '~/ui/prose-text.css?url'
import { siteName } from '~/ui/site-name'
import type { Route } from './+types/learn'

export const links = () => [{ rel: 'stylesheet', href: proseStyle }]

export function meta({ loaderData, matches }: Route.MetaArgs) {
  const description = `A ${siteName()} lesson.`
  if (!loaderData) {
    const title = lessonMessages.lessonNotFound.heading
    return pageMeta({ title, description, path: null, matches })
  }

  const { course, lesson } = loaderData.page
  const title = `${lesson.title} · ${course.title}`
  return pageMeta({ title, description, path: `/Learn/${course.id}/${lesson.id}`, matches })
}

/**
 * Redirects visitors to the course page, which says why. If a learner has signed out in another
 * tab, a form gets an error message instead, so that its text stays on the page.
 */
export const middleware = [
  requireLearner(({ request, params }) => {
    const isSubmittedByScript = request.method === 'POST' && !isSubmittedWithoutScript()
    return isSubmittedByScript
      ? signedOutResponse()
      : lessonUnavailableResponse(db, null, params.course ?? '')
  }),
]

export async function loader({ url, params, context }: Route.LoaderArgs) {
  const { uid } = context.get(signedInLearner)
  const requestedLesson = { uid, courseId: params.course, lessonId: params.lesson }
  const now = await databaseTime(db)
  return loadLessonPage(db, requestedLesson, url.searchParams, now)
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const { uid } = context.get(signedInLearner)
  const form = await readForm(request)
  const refusal = form.get('intent') === 'note' ? findDemoRefusal(uid, 'note') : null
  if (refusal) {
    return errorResponse(refusal, { status: 403 })
  }

  // The lesson may have been renamed since the page was opened.
  const openedLesson = { courseId: params.course, lessonId: params.lesson ?? '' }
  const renamedLesson = await findCurrentIds(db, openedLesson.courseId, openedLesson.lessonId)
  const lesson = renamedLesson ?? openedLesson

  const now = await databaseTime(db)
  return submitLessonForm(learningContext(db), { uid, ...lesson }, form, now)
}

export const clientAction = createClientAction<typeof action>()

export default function LearnRoute({ loaderData }: Route.ComponentProps) {
  const { user, refresh } = useAuth()
  const hasOtherLearner = user !== null && user.uid !== loaderData.visit.uid
  useEffect(() => {
    // Another learner has signed in, in another tab. The header has to display their account, too.
    if (hasOtherLearner) {
      void refresh()
    }
  }, [hasOtherLearner, refresh])

  return (
    <>
      <LessonScreen
        {...loaderData}
        runningExam={<RunningExamButton courseId={loaderData.page.course.id} />}
      />
      <Celebrations uid={loaderData.visit.uid} placement="top" />
    </>
  )
}

export const ErrorBoundary = createNotFoundBoundary({
  heading: lessonMessages.lessonNotFound.heading,
  title: lessonMessages.lessonNotFound.title,
  text: lessonMessages.lessonNotFound.text,
  link: { to: '/Profile/current-courses', label: 'Your courses' },
})
