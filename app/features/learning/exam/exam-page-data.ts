import type { AttemptRules } from './exam-attempts'
import type { ExamAnswer, ShownQuestion } from './exam-question'

/** Date-times are ISO strings; nothing here tells a right answer before its attempt is handed in. */
export type ExamOverview = {
  /** The learner's, by which moments are told; null means UTC. */
  timezone: string
  course: { id: string; title: string; published: boolean }
  exam: { title: string; questions: number; timeLimitMinutes: number; passPercent: number } & AttemptRules
  /** How many may still be started. */
  attemptsLeft: number
  /** When none is left: the moment of the next one; null if there is none. */
  nextAttemptAt: string | null
  /** Lessons with material that are not done yet. */
  lessonsLeft: number
  completed: boolean
  certificate: { id: string; revoked: boolean } | null
  /** Handed in, newest first. */
  attempts: AttemptSummary[]
  /** Under way, in this browser or another. */
  openAttemptId: string | null
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
export type SittingData = {
  attemptId: string
  questions: ShownQuestion[]
  /** One a question, in the same order; revision 0: never answered. */
  answers: { value: ExamAnswer; revision: number }[]
  deadlineAt: string
  /** By the server's clock when it answered. */
  secondsLeft: number
}

/** One judged question: options and answers are texts as the learner saw them. */
export type JudgedQuestion = {
  prompt: string
  right: boolean
  /** Null: not answered. Several for `multiple` and `ordering`. */
  given: string[] | null
  expected: string[]
  ordered: boolean
  explanation: string
}

/** Questions are null while another attempt is under way. */
export type ResultData = AttemptSummary & { passPercent: number; questions: JudgedQuestion[] | null }
