import { data, redirect } from 'react-router'
import { applyMoveCommand } from '~/features/courses/questions/kinds/positions'
import { findQuestionKind, unreadableAnswer } from '~/features/courses/questions/question-kinds'
import type { LearningContext } from '~/features/learning/progress/course-completion.server'
import { unreadableRequest } from '~/server/http/server-messages.server'
import { recordAnswer } from './attempt/answer-queries.server'
import { handInAttempt, type StartResult, startAttempt } from './attempt/attempt-queries.server'
import { attemptNotFound, questionNotFound } from './exam-messages'

type Sitter = { uid: string; courseId: string }

/**
 * The exam page's forms, which also work without a script: start, answer and go to another
 * question, hand in. Each may be sent twice.
 *
 * @returns the next address.
 * @throws a Response with a sentence for an invalid form.
 */
export async function changeExam(
  work: LearningContext,
  { uid, courseId }: Sitter,
  form: FormData,
  now: Date,
): Promise<Response> {
  const page = `/Exam/${courseId}`
  const attemptId = text(form, 'attempt')
  switch (text(form, 'intent')) {
    case 'start': {
      const started = await startAttempt(work, { uid, courseId }, now)
      return redirect(
        started.refusal === null ? page : `${page}?why=${started.refusal satisfies StartRefusal}`,
      )
    }
    case 'hand-in': {
      const onlyIfOver = text(form, 'because') === 'time-over'
      const outcome = await handInAttempt(work, { uid, attemptId, onlyIfOver }, now)
      if (outcome === 'unknown') {
        throw data(attemptNotFound.sentence, { status: 404 })
      }

      return redirect(outcome === 'too-early' ? page : `${page}/${attemptId}`)
    }
    case 'answer':
      return answerAndGo(work, { uid, courseId }, form, now)
    default:
      throw data(unreadableRequest, { status: 400 })
  }
}

type StartRefusal = NonNullable<StartResult['refusal']>

/** Sent by the buttons of a question's form when no script takes them over. */
async function answerAndGo(
  { db }: LearningContext,
  { uid, courseId }: Sitter,
  form: FormData,
  now: Date,
): Promise<Response> {
  const page = `/Exam/${courseId}`
  const [attemptId, question, move] = [
    text(form, 'attempt'),
    text(form, 'question'),
    text(form, 'move'),
  ]
  const given = form.getAll('answer').map(String)
  const value = answerIn(text(form, 'type'), given, move)
  if (value !== undefined) {
    const { outcome } = await recordAnswer(
      db,
      { uid, attemptId, question: Number(question), value },
      now,
    )

    if (outcome === 'closed') {
      return redirect(`${page}/${attemptId}`)
    }

    if (outcome === 'unknown') {
      throw data(questionNotFound, { status: 404 })
    }

    if (outcome === 'unreadable') {
      throw data(unreadableAnswer, { status: 422 })
    }
  }

  // Moving an item stays at its question.
  const go = text(form, 'go') || question
  if (go === 'leave') {
    return redirect(`${page}?${new URLSearchParams({ question: go, from: question })}`)
  }

  return redirect(/^(\d{1,3}|review)$/.test(go) ? `${page}?question=${go}` : page)
}

/**
 * @returns undefined when the form leaves the answer as it is: an ordering without a moved item.
 */
function answerIn(type: string, given: readonly string[], move: string): unknown {
  const kind = findQuestionKind(type)
  if (!kind) {
    throw data(unreadableRequest, { status: 400 })
  }

  if (kind.isAnsweredByOrder) {
    return move ? applyMoveCommand(given.map(Number), move) : undefined
  }

  return kind.readFormFields(given)
}

function text(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
