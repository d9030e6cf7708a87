import { data, isRouteErrorResponse, redirect, type ShouldRevalidateFunctionArgs, useRouteError } from 'react-router'
import { WaitingCertificate } from '~/features/learning/certificate/waiting-certificate'
import { changeExam } from '~/features/learning/exam/exam-action.server'
import { handInOverdueAttempts } from '~/features/learning/exam/exam-attempt-queries.server'
import { ExamIntro } from '~/features/learning/exam/exam-intro'
import { ExamNotFound } from '~/features/learning/exam/exam-not-found'
import { findExamOverview, findResult, findSitting } from '~/features/learning/exam/exam-page-queries.server'
import { ExamResultView } from '~/features/learning/exam/exam-result'
import { ExamSitting } from '~/features/learning/exam/exam-sitting'
import {
  completeCourseWithoutReport,
  courseWork,
  issueWaitingCertificates,
} from '~/features/learning/finished-work.server'
import { findMoved } from '~/server/content/content-addresses.server'
import { db } from '~/server/database/client.server'
import { readForm } from '~/server/request-body.server'
import { requireLearner } from '~/server/session.server'
import { answerOr } from '~/ui/connection'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/exam'

export function meta({ loaderData, matches }: Route.MetaArgs) {
  const title = loaderData
    ? `${loaderData.result ? 'Result: ' : ''}${loaderData.overview.exam.title}`
    : 'Exam not found'
  const path = loaderData ? `/Exam/${loaderData.overview.course.id}` : null
  return pageMeta({ title, description: 'The exam of a Learnify course.', path, matches })
}

export function headers() {
  return { 'Cache-Control': 'no-store' }
}

export async function loader({ request, params }: Route.LoaderArgs) {
  const { uid } = await requireLearner(request)
  const { course: courseId, attempt: attemptId } = params
  const now = new Date()
  await handInOverdueAttempts(courseWork(db), now, uid)
  await issueWaitingCertificates(db, now, uid)
  let overview = await findExamOverview(db, uid, courseId, now)
  if (overview && overview.lessonsLeft === 0 && !overview.completed) {
    // The last open lesson left the course.
    await completeCourseWithoutReport(db, uid, courseId, now)
    overview = await findExamOverview(db, uid, courseId, now)
  }
  const moved = overview ? null : await findMoved(db, courseId)
  if (moved) throw redirect(['/Exam', moved.courseId, attemptId].filter(Boolean).join('/'), 301)
  if (!overview) throw redirect(`/OneCourse/${courseId}?why=enroll`)
  const sitting = attemptId ? null : await findSitting(db, uid, courseId, now)
  const result = attemptId
    ? await findResult(
        db,
        { uid, courseId, attemptId },
        { underWay: overview.openAttemptId !== null, answersShown: overview.answersShown },
      )
    : null
  if (attemptId && attemptId === overview.openAttemptId) throw redirect(`/Exam/${courseId}`)
  if (attemptId && !result) throw data('No attempt has this address.', { status: 404 })
  return { overview, sitting, result }
}

export async function action({ request, params }: Route.ActionArgs) {
  const { uid } = await requireLearner(request)
  const form = await readForm(request)
  return changeExam(courseWork(db), { uid, courseId: params.course }, form, new Date())
}

/** Without a connection the page stays as it is, with what is not saved yet. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return answerOr(serverAction, (unreachable) => ({ unreachable }))
}

/** Going from question to question asks the server nothing. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  if (args.actionResult?.unreachable) return false
  const samePage = args.currentUrl.pathname === args.nextUrl.pathname
  return samePage && !args.formMethod && args.currentUrl.search !== args.nextUrl.search
    ? false
    : args.defaultShouldRevalidate
}

export default function ExamRoute({ loaderData, actionData }: Route.ComponentProps) {
  const { overview, sitting, result } = loaderData
  if (result) return <ExamResultView overview={overview} result={result} waitingCertificate={<WaitingCertificate />} />
  const unreachable = actionData && 'unreachable' in actionData ? actionData.unreachable : null
  if (sitting) {
    return (
      <ExamSitting key={sitting.attemptId} overview={overview} sitting={sitting} unreachable={unreachable !== null} />
    )
  }
  return <ExamIntro overview={overview} problem={unreachable} waitingCertificate={<WaitingCertificate />} />
}

export function ErrorBoundary() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <ExamNotFound />
  throw error
}
