import { data } from 'react-router'
import {
  redirectToLogin,
  requireLearner,
  signedInLearner,
  signedOutResponse,
} from '~/features/accounts/session/require-learner.server'
import { learningContext } from '~/features/certificates/rewards.server'
import {
  postponePracticeAnswer,
  withdrawPracticeAnswer,
} from '~/features/learning/practice/postponed-answers'
import { practiceMessages } from '~/features/learning/practice/practice-messages'
import { PracticePage, type PracticeReply } from '~/features/learning/practice/practice-page'
import { findPractice } from '~/features/learning/practice/practice-queries.server'
import {
  readPracticeForm,
  recordPracticeAnswer,
} from '~/features/learning/practice/record-practice-answer.server'
import { localDay } from '~/features/learning/progress/study-time'
import { db } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import {
  errorResponse,
  isSubmittedWithoutScript,
  successResponse,
} from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { serverMessages } from '~/server/http/server-messages.server'
import { renderFormulaTexts } from '~/server/markdown/formula.server'
import { describeFailedRequest } from '~/ui/connection'
import { failedResult } from '~/ui/form/form-result'
import { useResultUntilNavigation } from '~/ui/form/use-result-until-navigation'
import { Formulas } from '~/ui/formula-text'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/practice'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    title: 'Practice',
    description: 'Review the questions you missed.',
    path: '/Practice',
    matches,
  })
}

/**
 * Redirects visitors to the sign-in page. If a learner has signed out in another tab, the form gets
 * an error message instead, so that the chosen answers stay on the page.
 */
export const middleware = [
  requireLearner((visit) => {
    const isScriptForm = visit.request.method === 'POST' && !isSubmittedWithoutScript()
    return isScriptForm ? signedOutResponse() : redirectToLogin(visit)
  }),
]

export async function loader({ context }: Route.LoaderArgs) {
  const { uid, displayTimezone: timeZone } = context.get(signedInLearner)
  const today = localDay(await databaseTime(db), timeZone)
  const practice = await findPractice(db, uid, today)

  return { uid, day: today, ...practice, formulas: renderFormulaTexts(practice.next?.question) }
}

export async function action({ request, context }: Route.ActionArgs) {
  const { uid, displayTimezone: timeZone } = context.get(signedInLearner)
  const form = await readForm(request)
  if (form.get('uid') !== uid) {
    return errorResponse(practiceMessages.problems.otherLearner)
  }

  const submission = readPracticeForm(form)
  if (!submission) {
    throw data(serverMessages.unreadableRequest, { status: 400 })
  }

  const { newOrder, ...answer } = submission
  if (newOrder) {
    return successResponse<PracticeReply>({ newOrder })
  }

  const now = await databaseTime(db)
  const outcome = await recordPracticeAnswer(learningContext(db), { uid, timeZone, ...answer }, now)
  if (!outcome.feedback) {
    return errorResponse(practiceMessages.problems[outcome.problem])
  }

  const { feedback } = outcome
  return successResponse<PracticeReply>({
    feedback,
    formulas: renderFormulaTexts([feedback.question, feedback.explanation]),
  })
}

/**
 * Postpones the answer if no response arrives: the outbox of this browser sends it later. The page
 * keeps the question and says that the answer is saved.
 */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData()
  try {
    const result = await serverAction()
    // After an error, such as that another learner has signed in, a postponed answer still counts.
    if (result.done) {
      await withdrawPracticeAnswer(form)
    }

    return result
  } catch (error) {
    const problem = describeFailedRequest(error)
    const isStored = await postponePracticeAnswer(form)
    const message = isStored ? `${problem} ${practiceMessages.answerPostponed}` : problem

    return data(failedResult(message), { status: 503 })
  }
}

export default function PracticeRoute({ loaderData, actionData }: Route.ComponentProps) {
  const { formulas, ...practice } = loaderData
  const result = useResultUntilNavigation(actionData)
  const feedbackFormulas = result?.done ? result.formulas : undefined

  return (
    <Formulas html={{ ...formulas, ...feedbackFormulas }}>
      <PracticePage {...practice} result={result} />
    </Formulas>
  )
}
