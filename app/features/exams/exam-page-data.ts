/**
 * The data of the exam pages, as sent to the browser. Date-times are ISO strings. No type reveals a
 * correct answer before its attempt is submitted.
 */
import type { LessonKind } from '~/features/courses/lessons/lesson-kinds'
import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import type { QuestionWithType } from '~/features/courses/questions/question-kinds'
import type { AttemptRules } from './attempt/attempt-rules'

/** The data of the page before and between attempts. */
export type ExamOverview = {
  timezone: string
  course: { id: string; title: string; published: boolean }
  exam: {
    title: string
    questions: number
    timeLimitMinutes: number
    passPercent: number
  } & AttemptRules
  /** How many attempts may still be started, now or after the pause. */
  remainingAttempts: number
  /** When the next attempt may start. It is null if the next attempt may start now or never. */
  nextAttemptAt: string | null
  /** The seconds until `nextAttemptAt` by the server's clock at the time of the response. */
  secondsToNextAttempt: number | null
  /** Whether the learner has passed any attempt. */
  passed: boolean
  canSeeAnswers: boolean
  /** The number of lessons with material. */
  totalLessons: number
  /** How many of `totalLessons` are not done yet. */
  remainingLessons: number
  /** Lessons that the learner marked as done, but that a certificate would not count today. */
  notCounted: { id: string; title: string; kind: LessonKind }[]
  completed: boolean
  certificate: { id: string; revoked: boolean } | null
  /** Certificates are only issued to confirmed email addresses. */
  isEmailConfirmed: boolean
  /** The latest submitted attempts, newest first, at most `maxListedAttempts`. */
  attempts: AttemptSummary[]
  /** The number of all submitted attempts. */
  submittedAttemptCount: number
  /** The attempt in progress, in this browser or another. */
  openAttemptId: string | null
}

/** Returns whether the learner has earned a certificate that has not been issued yet. */
export function isCertificateWaiting({ passed, completed, certificate }: ExamOverview): boolean {
  return passed && completed && !certificate
}

/** The maximum number of attempts on the overview page. */
export const maxListedAttempts = 20

/** A submitted attempt in the list of attempts. */
export type AttemptSummary = {
  id: string
  submittedAt: string
  score: number
  maxScore: number
  passed: boolean
  timedOut: boolean
}

/** The attempt in progress. */
export type OpenAttempt = {
  attemptId: string
  questions: QuestionWithType[]
  /** One answer per question, in the same order. Revision 0 means that it was never answered. */
  answers: { value: LearnerAnswer; revision: number }[]
  deadlineAt: string
  /** The seconds until the deadline by the server's clock at the time of the response. */
  secondsLeft: number
  /** The seconds by which maintenance has extended the attempt so far. */
  pausedSeconds: number
  /** The number of the question that was answered last, from 1. It is 1 at the start. */
  resumeAt: number
}

/**
 * Whether the server has the learner's answers. `saved` means that it has all of them, `refused`
 * that it will never accept one, and `closed` that the attempt is submitted.
 */
export type AnswerStatus = 'saved' | 'saving' | 'offline' | 'signed-out' | 'refused' | 'closed'

/** The data of the page of a submitted attempt. */
export type ResultData = AttemptSummary & {
  passPercent: number
  secondsUsed: number
  /** This is null for the demo learner's attempts, which have no time limit. */
  secondsAllowed: number | null
  /** The list is empty during another attempt, and if the content does not name sections. */
  sections: SectionScore[]
  /** This is null as long as the learner can't see answers. */
  questions: GradedQuestion[] | null
}

/** How many of a section's questions were answered right. */
export type SectionScore = { title: string; right: number; total: number }

export type GradedQuestion = {
  prompt: string
  verdict: 'right' | 'wrong' | 'unanswered'
  solution: Solution
  /** The lesson to review after a mistake, if the content names one. */
  explainedIn: { title: string; to: string } | null
}

/**
 * A learner's answer beside the correct one. Both are texts as displayed, several for questions of
 * the kinds `multiple` and `ordering`.
 */
export type Solution = {
  /** This is null if the question was not answered. */
  given: string[] | null
  /** `given` is the learner's own text and not one of the options. */
  typed: boolean
  expected: string[]
  ordered: boolean
  explanation: string
}
