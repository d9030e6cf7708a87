import { Link } from 'react-router'
import { formatSeconds } from '~/ui/format-duration'
import { Notice } from '~/ui/notice'
import { examSubmitted, pausedForMaintenance, savingProblems, signedOut } from '../exam-messages'
import type { AnswerStatus } from './use-exam-answers'

type ExamNoticesProps = {
  status: AnswerStatus
  online: boolean
  /** Numbers of the questions whose last answers came too late. */
  tooLate: readonly number[]
  problem: string | null
  /** By how much maintenance moved the end. */
  pausedSeconds: number
  /** The exam's address. */
  page: string
  attemptId: string
}

/** Why answers can't be saved, and the remedy; read out when it changes. */
export function ExamNotices({
  status,
  online,
  tooLate,
  problem,
  pausedSeconds,
  page,
  attemptId,
}: ExamNoticesProps) {
  const sentence = problem ?? sentenceOf(status, online)
  return (
    <div role="status">
      {status === 'closed' && (
        <Notice variant="info" className="mb-6">
          {examSubmitted(tooLate, (words) => (
            <Link
              to={`${page}/${attemptId}`}
              className="font-semibold underline underline-offset-2"
            >
              {words}
            </Link>
          ))}
        </Notice>
      )}
      {status === 'signed-out' && (
        <Notice variant="warn" className="mb-6">
          {signedOut((words) => (
            <Link
              to={`/Login?${new URLSearchParams({ from: page })}`}
              className="font-semibold underline underline-offset-2"
            >
              {words}
            </Link>
          ))}
        </Notice>
      )}
      {pausedSeconds > 0 && status !== 'closed' && (
        <Notice variant="info" className="mb-6">
          {pausedForMaintenance(formatSeconds(pausedSeconds))}
        </Notice>
      )}
      {sentence && status !== 'closed' && status !== 'signed-out' && (
        <Notice variant="warn" className="mb-6">
          {sentence}
        </Notice>
      )}
    </div>
  )
}

function sentenceOf(status: AnswerStatus, online: boolean): string | null {
  if (status === 'refused') {
    return savingProblems.refused
  }

  if (!online) {
    return savingProblems.offline
  }

  return status === 'offline' ? savingProblems.unreachable : null
}
