import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { byCount } from '~/ui/format-count'
import { formatSeconds } from '~/ui/format-duration'
import type { RenderLink } from '~/ui/more-link'
import { Notice } from '~/ui/notice'
import { examMessages } from '../exam-messages'
import type { AnswerStatus } from '../exam-page-data'

type ExamNoticesProps = {
  status: AnswerStatus
  isOnline: boolean
  /** The numbers of the questions whose last answers came too late. */
  lateQuestions: readonly number[]
  /** Why the exam could not be submitted, or null. */
  submissionProblem: string | null
  /** The seconds by which maintenance has extended the attempt. */
  pausedSeconds: number
  /** The path of the exam's page. */
  examPath: string
  attemptId: string
}

/**
 * The notices above a running exam. They say why answers can't be saved or the exam can't be
 * submitted, that maintenance has extended the attempt, or that the exam has been submitted. Screen
 * readers announce changes.
 */
export function ExamNotices({
  status,
  isOnline,
  lateQuestions,
  submissionProblem,
  pausedSeconds,
  examPath,
  attemptId,
}: ExamNoticesProps) {
  const isClosed = status === 'closed'
  const isSignedOut = status === 'signed-out'
  const problem = submissionProblem ?? getSavingProblem(status, isOnline)

  return (
    <div role="status">
      {isClosed && (
        <Notice variant="info" className="mb-6">
          {examSubmittedNotice(lateQuestions, createLink(`${examPath}/${attemptId}`))}
        </Notice>
      )}
      {isSignedOut && (
        <Notice variant="warn" className="mb-6">
          {signedOutNotice(createLink(`/Login?${new URLSearchParams({ from: examPath })}`))}
        </Notice>
      )}
      {pausedSeconds > 0 && !isClosed && (
        <Notice variant="info" className="mb-6">
          {examMessages.formatMaintenancePause(formatSeconds(pausedSeconds))}
        </Notice>
      )}
      {problem && !isClosed && !isSignedOut && (
        <Notice variant="warn" className="mb-6">
          {problem}
        </Notice>
      )}
    </div>
  )
}

function getSavingProblem(status: AnswerStatus, isOnline: boolean): string | null {
  if (status === 'refused') {
    return examMessages.savingProblems.refused
  }

  if (!isOnline) {
    return examMessages.savingProblems.offline
  }

  return status === 'offline' ? examMessages.savingProblems.unreachable : null
}

function createLink(to: string): RenderLink {
  return (linkText) => (
    <Link to={to} className="font-semibold underline underline-offset-2">
      {linkText}
    </Link>
  )
}

function signedOutNotice(renderLink: RenderLink): ReactNode {
  return (
    <>
      You’ve been signed out. {renderLink('Sign in again')} to save your answers. The clock is still
      running.
    </>
  )
}

/** @param lateQuestions the numbers of the questions whose last answers don’t count */
function examSubmittedNotice(lateQuestions: readonly number[], renderLink: RenderLink): ReactNode {
  return (
    <>
      This exam has been submitted. {lateQuestions.length > 0 && describeLateAnswers(lateQuestions)}{' '}
      {renderLink('See your result')}
    </>
  )
}

function describeLateAnswers(lateQuestions: readonly number[]): string {
  const numbers = new Intl.ListFormat('en-US').format(
    lateQuestions.toSorted((a, b) => a - b).map(String),
  )
  return byCount(
    lateQuestions.length,
    `Your last answer to question ${numbers} was too late to count.`,
    `Your last answers to questions ${numbers} were too late to count.`,
  )
}
