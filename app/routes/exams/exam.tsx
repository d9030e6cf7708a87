import { data, redirect, type ShouldRevalidateFunctionArgs } from 'react-router'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { Celebrations } from '~/features/achievements/celebrations'
import { WaitingCertificateNotice } from '~/features/certificates/certificate-list'
import { learningContext } from '~/features/certificates/finished-work.server'
import { findCurrentIds } from '~/features/courses/content/content-renames.server'
import { ExamAttemptPage } from '~/features/exams/attempt/exam-attempt-page'
import { changeExam } from '~/features/exams/exam-action.server'
import { ExamIntro } from '~/features/exams/exam-intro'
import { attemptNotFound, examNotFound, resultTitle } from '~/features/exams/exam-messages'
import {
  examFormulas,
  findExamOverview,
  findOpenAttempt,
} from '~/features/exams/exam-page-queries.server'
import { ExamResultView } from '~/features/exams/result/exam-result'
import { findResult } from '~/features/exams/result/result-queries.server'
import { db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { readForm } from '~/server/http/request-body.server'
import { createClientAction } from '~/ui/form/client-action'
import { Formulas } from '~/ui/formula-text'
import { createNotFoundBoundary } from '~/ui/not-found-page'
import { pageMeta } from '~/ui/page-meta'
import { siteName } from '~/ui/site-name'
import type { ViewerQuestion } from '~/viewer'
import type { Route } from './+types/exam'

export function meta({ loaderData, matches }: Route.MetaArgs) {
  const exam = loaderData?.overview.exam.title
  const title = exam === undefined ? examNotFound : getPageTitle(exam, loaderData?.result != null)
  const path = loaderData ? `/Exam/${loaderData.overview.course.id}` : null

  return pageMeta({
    title,
    description: `The final exam of a ${siteName()} course.`,
    path,
    matches,
  })
}

function getPageTitle(examTitle: string, isResult: boolean): string {
  return isResult ? resultTitle(examTitle) : examTitle
}

export const handle: ViewerQuestion<Awaited<ReturnType<typeof loader>>> = {
  asksViewer: ({ overview }) => ({ exam: overview.course.id }),
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { uid } = context.get(signedInLearner)
  const { course: courseId, attempt: attemptId } = params
  const now = await databaseTime(db)
  const overview = await findExamOverview(db, uid, courseId, now)
  const moved = overview ? null : await findCurrentIds(db, courseId)
  if (moved) {
    throw redirect(['/Exam', moved.courseId, attemptId].filter(Boolean).join('/'), 301)
  }

  if (!overview) {
    throw redirect(`/OneCourse/${courseId}?why=enroll`)
  }

  const { openAttemptId } = overview
  const openAttempt =
    attemptId || !openAttemptId ? null : await findOpenAttempt(db, uid, openAttemptId, now)
  const result = attemptId
    ? await findResult(db, { uid, courseId, attemptId }, overview, now)
    : null
  if (attemptId && attemptId === openAttemptId) {
    throw redirect(`/Exam/${courseId}`)
  }

  if (attemptId && !result) {
    throw data(attemptNotFound.sentence, { status: 404 })
  }

  return { uid, overview, openAttempt, result, formulas: examFormulas(openAttempt, result) }
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const { uid } = context.get(signedInLearner)
  const form = await readForm(request)
  return changeExam(
    learningContext(db),
    { uid, courseId: params.course },
    form,
    await databaseTime(db),
  )
}

export const clientAction = createClientAction<typeof action>()

/** Moving between questions needs no request. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  const samePage = args.currentUrl.pathname === args.nextUrl.pathname
  return samePage && !args.formMethod && args.currentUrl.search !== args.nextUrl.search
    ? false
    : args.defaultShouldRevalidate
}

export default function ExamRoute(props: Route.ComponentProps) {
  return (
    <Formulas html={props.loaderData.formulas}>
      <ExamScreen {...props} />
    </Formulas>
  )
}

function ExamScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { uid, overview, openAttempt, result } = loaderData
  const waitingCertificate = (
    <WaitingCertificateNotice isEmailConfirmed={overview.addressConfirmed} />
  )
  const problem = actionData && 'errors' in actionData ? actionData.errors.form : undefined
  if (!openAttempt) {
    return (
      <>
        {result ? (
          <ExamResultView {...{ overview, result, waitingCertificate }} />
        ) : (
          <ExamIntro {...{ overview, problem, waitingCertificate }} />
        )}
        <Celebrations uid={uid} />
      </>
    )
  }

  return (
    <ExamAttemptPage
      key={openAttempt.attemptId}
      {...{ uid, overview, openAttempt }}
      unreachable={problem !== undefined}
    />
  )
}

export const ErrorBoundary = createNotFoundBoundary({
  heading: attemptNotFound.heading,
  title: attemptNotFound.title,
  text: attemptNotFound.text,
  link: { to: '/Profile/exam-scores', label: 'Your exam scores' },
})
