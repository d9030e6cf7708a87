import type { LessonKind } from '~/features/courses/lessons/lesson-kinds'
import type { LearnerAnswer } from '~/features/courses/questions/question-kind'
import type { AskedQuestion } from '~/features/courses/questions/question-kinds'
import type { AttemptRules } from './attempt/attempt-rules'
import type { SectionScore } from './result/result-queries.server'

/**
 * Date-times are ISO strings; nothing here tells a right answer before its attempt is handed in.
 */
export type ExamOverview = {
  /** The learner's time zone; null means UTC. */
  timezone: string
  course: { id: string; title: string; published: boolean }
  exam: {
    title: string
    questions: number
    timeLimitMinutes: number
    passPercent: number
  } & AttemptRules
  /** How many may still be started, now or after the pause. */
  attemptsLeft: number
  /** When the next one may begin; null if that is now, or never. */
  nextAttemptAt: string | null
  /** The same counted by the server's clock when it answered. */
  secondsToNextAttempt: number | null
  /** In some attempt. */
  passed: boolean
  /** Right answers and explanations may be seen (`answersAreShown`). */
  answersShown: boolean
  /** With material. */
  totalLessons: number
  /** Of those, the ones that are not done yet. */
  lessonsLeft: number
  /** Done, but only marked: a certificate would not count them today. */
  notCounted: { id: string; title: string; kind: LessonKind }[]
  completed: boolean
  certificate: { id: string; revoked: boolean } | null
  /** Certificates go to confirmed addresses only. */
  addressConfirmed: boolean
  /** Handed in, newest first, at most `attemptsListed`. */
  attempts: AttemptSummary[]
  /** All that were handed in. */
  attemptsTaken: number
  /** Under way, in this browser or another. */
  openAttemptId: string | null
}

/** Earned but not issued yet. */
export function isCertificateWaiting({ passed, completed, certificate }: ExamOverview): boolean {
  return passed && completed && !certificate
}

export type AttemptSummary = {
  id: string
  submittedAt: string
  score: number
  maxScore: number
  passed: boolean
  timedOut: boolean
}

/** An attempt under way. */
export type OpenAttempt = {
  attemptId: string
  questions: AskedQuestion[]
  /** One a question, in the same order; revision 0: never answered. */
  answers: { value: LearnerAnswer; revision: number }[]
  deadlineAt: string
  /** By the server's clock when it answered. */
  secondsLeft: number
  /** The time that maintenance has given back so far. */
  pausedSeconds: number
  /** The number of the question answered last; 1 at the start. */
  resumeAt: number
}

/** The maximum on a page. */
export const attemptsListed = 20

/** One judged question. */
export type JudgedQuestion = {
  prompt: string
  verdict: 'right' | 'wrong' | 'unanswered'
  solution: Solution
  /** The lesson to look at after a mistake, if the content names one. */
  explainedIn: { title: string; to: string } | null
}

/** Answers are texts as the learner saw them, several for `multiple` and `ordering`. */
export type Solution = {
  /** Null: not answered. */
  given: string[] | null
  /** `given` is the learner's own text, not the content's. */
  typed: boolean
  expected: string[]
  ordered: boolean
  explanation: string
}

/**
 * Questions are null until answers are shown (`answersAreShown`); the score by section is shown
 * before.
 */
export type ResultData = AttemptSummary & {
  passPercent: number
  secondsUsed: number
  /** Null for attempts without a time limit, which came with the demo learner. */
  secondsAllowed: number | null
  /** Empty while another attempt is under way, and where the content doesn't name sections. */
  sections: SectionScore[]
  questions: JudgedQuestion[] | null
}
