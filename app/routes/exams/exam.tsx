import { data, redirect, type ShouldRevalidateFunctionArgs } from 'react-router'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { Celebrations } from '~/features/achievements/celebrations'
import { WaitingCertificateNotice } from '~/features/certificates/certificate-list'
import { learningContext } from '~/features/certificates/rewards.server'
import { findCurrentIds } from '~/features/courses/content/content-renames.server'
import { applyMoveCommand } from '~/features/courses/questions/kinds/positions'
import { findQuestionKind, invalidAnswerMessage } from '~/features/courses/questions/question-kinds'
import { recordAnswer } from '~/features/exams/attempt/answer-queries.server'
import { startAttempt, submitAttempt } from '~/features/exams/attempt/attempt-queries.server'
import { ExamAttemptPage } from '~/features/exams/attempt/exam-attempt-page'
import { ExamIntro } from '~/features/exams/exam-intro'
import { examMessages } from '~/features/exams/exam-messages'
import {
  findExamOverview,
  findOpenAttempt,
  renderExamFormulas,
} from '~/features/exams/exam-page-queries.server'
import { ExamResultView } from '~/features/exams/result/exam-result'
import { findExamResult } from '~/features/exams/result/result-queries.server'
import { db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { readForm } from '~/server/http/request-body.server'
import { serverMessages } from '~/server/http/server-messages.server'
import { createClientAction } from '~/ui/form/client-action'
import { Formulas } from '~/ui/formula-text'
import { createNotFoundBoundary } from '~/ui/not-found-page'
import { pageMeta } from '~/ui/page-meta'
import { siteName } from '~/ui/site-name'
import type { ViewerHandle } from '~/viewer'
import type { Route } from './+types/exam'

export function meta({ loaderData, matches }: Route.MetaArgs) {
  const examTitle = loaderData?.overview.exam.title
  const title = getPageTitle(examTitle, loaderData?.result != null)
  const path = loaderData ? `/Exam/${loaderData.overview.course.id}` : null

  return pageMeta({
    title,
    description: `The final exam of a ${siteName()} course.`,
    path,
    matches,
  })
}

function getPageTitle(examTitle: string | undefined, isResult: boolean): string {
  if (examTitle === undefined) {
    return examMessages.examNotFound
  }

  return isResult ? formatResultTitle(examTitle) : examTitle
}

export const handle: ViewerHandle<Awaited<ReturnType<typeof loader>>> = {
  getViewerParameters: ({ overview }) => ({ exam: overview.course.id }),
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { uid } = context.get(signedInLearner)
  const { course: courseId, attempt: attemptId } = params
  const now = await databaseTime(db)

  const overview = await findExamOverview(db, uid, courseId, now)
  if (!overview) {
    const renamed = await findCurrentIds(db, courseId)
    if (renamed) {
      throw redirect(['/Exam', renamed.courseId, attemptId].filter(Boolean).join('/'), 301)
    }

    throw redirect(`/OneCourse/${courseId}?why=enroll`)
  }

  const { openAttemptId } = overview
  if (!attemptId) {
    const openAttempt = openAttemptId ? await findOpenAttempt(db, uid, openAttemptId, now) : null
    const formulas = renderExamFormulas(openAttempt, null)
    return { uid, overview, openAttempt, result: null, formulas }
  }

  if (attemptId === openAttemptId) {
    throw redirect(`/Exam/${courseId}`)
  }

  const result = await findExamResult(db, { uid, courseId, attemptId }, overview, now)
  if (!result) {
    throw data(examMessages.attemptNotFound.sentence, { status: 404 })
  }

  return { uid, overview, openAttempt: null, result, formulas: renderExamFormulas(null, result) }
}

/**
 * The forms of the exam page: start, answer a question and go on, submit. They also work without
 * JavaScript. Each form may be sent twice.
 */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { uid } = context.get(signedInLearner)
  const exam = { uid, courseId: params.course }
  const form = await readForm(request)
  const now = await databaseTime(db)

  switch (getText(form, 'intent')) {
    case 'start':
      return startExam(exam, now)
    case 'answer':
      return answerQuestion(exam, form, now)
    case 'hand-in':
      return submitExam(exam, form, now)
    default:
      throw data(serverMessages.unreadableRequest, { status: 400 })
  }
}

type LearnerExam = { uid: string; courseId: string }

async function startExam(exam: LearnerExam, now: Date): Promise<Response> {
  const path = `/Exam/${exam.courseId}`
  const result = await startAttempt(learningContext(db), exam, now)

  return redirect(result.refusal === null ? path : `${path}?why=${result.refusal}`)
}

async function submitExam({ uid, courseId }: LearnerExam, form: FormData, now: Date) {
  const path = `/Exam/${courseId}`
  const attemptId = getText(form, 'attempt')
  const onlyIfTimeIsUp = getText(form, 'because') === 'time-over'

  const submission = { uid, attemptId, onlyIfTimeIsUp }
  const outcome = await submitAttempt(learningContext(db), submission, now)
  if (outcome === 'unknown') {
    throw data(examMessages.attemptNotFound.sentence, { status: 404 })
  }

  return redirect(outcome === 'too-early' ? path : `${path}/${attemptId}`)
}

/** Handles the buttons of a question's form, which reach the server only without JavaScript. */
async function answerQuestion({ uid, courseId }: LearnerExam, form: FormData, now: Date) {
  const path = `/Exam/${courseId}`
  const attemptId = getText(form, 'attempt')
  const question = getText(form, 'question')

  const value = readAnswerValue(form)
  if (value !== undefined) {
    const answer = { uid, attemptId, question: Number(question), value }
    const { outcome } = await recordAnswer(db, answer, now)
    if (outcome === 'closed') {
      return redirect(`${path}/${attemptId}`)
    }

    if (outcome === 'unknown') {
      throw data(examMessages.questionNotFound, { status: 404 })
    }

    if (outcome === 'unreadable') {
      throw data(invalidAnswerMessage, { status: 422 })
    }
  }

  // The buttons that move an item name no next step, so the page stays at its question.
  const nextStep = getText(form, 'go') || question
  if (nextStep === 'leave') {
    return redirect(`${path}?${new URLSearchParams({ question: nextStep, from: question })}`)
  }

  const isKnownStep = /^(\d{1,3}|review)$/.test(nextStep)
  return redirect(isKnownStep ? `${path}?question=${nextStep}` : path)
}

/** @returns undefined if the form does not change the answer: an ordering without a moved item */
function readAnswerValue(form: FormData): unknown {
  const kind = findQuestionKind(getText(form, 'type'))
  if (!kind) {
    throw data(serverMessages.unreadableRequest, { status: 400 })
  }

  const fields = form.getAll('answer').map(String)
  if (!kind.isAnsweredByOrder) {
    return kind.readFormFields(fields)
  }

  const moveCommand = getText(form, 'move')
  return moveCommand ? applyMoveCommand(fields.map(Number), moveCommand) : undefined
}

function getText(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

export const clientAction = createClientAction<typeof action>()

/** Moving between questions changes only the query string and needs no request. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  const isSamePage = args.currentUrl.pathname === args.nextUrl.pathname
  const isOtherQuestion = args.currentUrl.search !== args.nextUrl.search
  if (isSamePage && isOtherQuestion && !args.formMethod) {
    return false
  }

  return args.defaultShouldRevalidate
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
    <WaitingCertificateNotice isEmailConfirmed={overview.isEmailConfirmed} />
  )
  const problem = actionData && 'errors' in actionData ? actionData.errors.form : undefined

  if (!openAttempt) {
    return (
      <>
        {result ? (
          <ExamResultView
            overview={overview}
            result={result}
            waitingCertificate={waitingCertificate}
          />
        ) : (
          <ExamIntro
            overview={overview}
            problem={problem}
            waitingCertificate={waitingCertificate}
          />
        )}
        <Celebrations uid={uid} />
      </>
    )
  }

  return (
    <ExamAttemptPage
      key={openAttempt.attemptId}
      uid={uid}
      overview={overview}
      openAttempt={openAttempt}
      isUnreachable={problem !== undefined}
    />
  )
}

export const ErrorBoundary = createNotFoundBoundary({
  heading: examMessages.attemptNotFound.heading,
  title: examMessages.attemptNotFound.title,
  text: examMessages.attemptNotFound.text,
  link: { to: '/Profile/exam-scores', label: 'Your exam scores' },
})

function formatResultTitle(examTitle: string): string {
  return `Result: ${examTitle}`
}
