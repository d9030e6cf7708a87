import { Link } from 'react-router'
import { Notice } from '~/ui/notice'
import type { AnswerStatus } from './exam-answer-saver'

type ExamNoticesProps = {
  status: AnswerStatus
  online: boolean
  /** Numbers of the questions whose last answers came too late. */
  tooLate: readonly number[]
  problem: string | null
  /** The exam's address. */
  page: string
  attemptId: string
}

/** What keeps answers from being saved, and what to do about it; read out when it changes. */
export function ExamNotices({ status, online, tooLate, problem, page, attemptId }: ExamNoticesProps) {
  const sentence = problem ?? sentenceOf(status, online)
  return (
    <div role="status">
      {status === 'closed' && (
        <Notice look="info" className="mb-6">
          This exam has been submitted. {tooLate.length > 0 && tooLateText(tooLate)}{' '}
          <Link to={`${page}/${attemptId}`} className="font-semibold underline underline-offset-2">
            See your result
          </Link>
        </Notice>
      )}
      {status === 'signed-out' && (
        <Notice look="warn" className="mb-6">
          You’ve been signed out.{' '}
          <Link
            to={`/Login?${new URLSearchParams({ from: page })}`}
            className="font-semibold underline underline-offset-2"
          >
            Sign in again
          </Link>{' '}
          to save your answers. The clock is still running.
        </Notice>
      )}
      {sentence && status !== 'closed' && status !== 'signed-out' && (
        <Notice look="warn" className="mb-6">
          {sentence}
        </Notice>
      )}
    </div>
  )
}

function sentenceOf(status: AnswerStatus, online: boolean): string | null {
  if (status === 'refused') return 'We couldn’t save this answer. Please enter it again.'
  if (!online)
    return 'You’re offline. Your answers are kept on this device and will be sent when you’re back online. The clock is still running.'
  if (status === 'offline')
    return 'We can’t reach Learnify. Your answers are kept on this device and will be sent when it’s back. The clock is still running.'
  return null
}

function tooLateText(questions: readonly number[]): string {
  const [last, ...others] = questions.toSorted((a, b) => b - a)
  const numbers = others.length > 0 ? `${others.toReversed().join(', ')} and ${last}` : `${last}`
  return others.length > 0
    ? `Your last answers to questions ${numbers} were too late to count.`
    : `Your last answer to question ${numbers} was too late to count.`
}
