import { getAccount } from '~/features/accounts/account-administration.server'
import {
  enrollInCourses,
  giveAttemptsBack,
  notEnrolled,
  removeFromCourse,
} from '~/features/desk/learner-acts.server'
import { attemptRule } from '~/features/exams/exam-messages'
import type { ExamOverview } from '~/features/exams/exam-page-data'
import type { ProgressFigures } from '~/features/learning/progress/course-progress'
import { findProgressReport } from '~/features/profile/progress-report.server'
import { byCount } from '~/ui/format-count'
import { formatClock } from '~/ui/format-duration'
import {
  type AdminCommand,
  type Answer,
  type CommandCall,
  formatFacts,
  formatInstant,
  formatTable,
} from './command-definition.server'
import { changeAccount } from './learner-access-commands.server'

export const learnerCourseCommands: AdminCommand[] = [
  {
    name: 'learner why',
    takes: ['LEARNER', 'COURSE'],
    says: 'explain the progress, and what is missing for the certificate',
    effect: 'reads',
    run: explainProgress,
  },
  {
    name: 'learner enroll',
    takes: ['LEARNER', 'COURSE...'],
    says: 'enroll in one or more courses',
    effect: 'changes',
    run: enroll,
  },
  {
    name: 'learner remove',
    takes: ['LEARNER', 'COURSE'],
    says: 'remove from a course; the learner’s work is kept',
    effect: 'changes',
    run: remove,
  },
  {
    name: 'learner reset-attempts',
    takes: ['LEARNER', 'COURSE'],
    says: 'let the learner take the exam again right away; results are kept',
    effect: 'changes',
    run: resetAttempts,
  },
]

function enroll(call: CommandCall): Promise<Answer> {
  const courses = [...new Set(call.given.slice(1))]
  return changeAccount(
    call,
    (transaction, user) => enrollInCourses(transaction, user, courses, call.now),
    { courses },
  )
}

function remove(call: CommandCall): Promise<Answer> {
  const course = call.given[1] ?? ''
  return changeAccount(call, (transaction, user) => removeFromCourse(transaction, user, course), {
    course,
  })
}

function resetAttempts(call: CommandCall): Promise<Answer> {
  const course = call.given[1] ?? ''
  return changeAccount(
    call,
    (transaction, user) => giveAttemptsBack(transaction, user, course, call.now),
    { course },
  )
}

async function explainProgress({
  db,
  now,
  given: [name = '', course = ''],
}: CommandCall): Promise<Answer> {
  const user = await getAccount(db, name)
  const report = await findProgressReport(db, user.id, course, now)
  if (!report) {
    throw await notEnrolled(db, course)
  }

  const { figures, lessons, exam, missing } = report
  const rows = lessons.map(({ id, kind, durationSeconds, counts, done, reason }) => ({
    LESSON: id,
    KIND: kind,
    LENGTH: formatClock(durationSeconds),
    COUNTS: counts ? 'yes' : 'no',
    DONE: done ? 'yes' : 'no',
    WHY: reason,
  }))
  const progress = progressText(figures)
  const certificate =
    exam?.certificate && !exam.certificate.revoked ? `issued: ${exam.certificate.id}` : 'not issued'
  const text = [
    formatFacts({
      learner: `${user.name} <${user.email}>`,
      course,
      progress,
      certificate,
      missing: missing.join(' '),
    }),
    formatTable(rows, 'The course has no lessons.'),
    exam ? examText(exam) : 'The course has no exam.',
  ].join('\n\n')

  return { data: { uid: user.id, courseId: course, ...report }, text }
}

function examText(overview: ExamOverview): string {
  const { exam, attempts, attemptsTaken, attemptsLeft, nextAttemptAt, openAttemptId } = overview
  const next = nextAttemptAt
    ? `on ${formatInstant(new Date(nextAttemptAt))}`
    : attemptsLeft > 0
      ? 'now'
      : 'never: all attempts are used up'
  const facts = formatFacts({
    exam: `${exam.passPercent}% to pass. ${attemptRule(exam)}`,
    attempts: `${attemptsTaken} taken, ${attemptsLeft} left`,
    next: openAttemptId ? 'one is in progress' : next,
  })
  const rows = attempts.map(({ submittedAt, score, maxScore, passed, timedOut }) => ({
    SUBMITTED: formatInstant(new Date(submittedAt)),
    SCORE: `${score} of ${maxScore}`,
    RESULT: resultText(passed, timedOut),
  }))

  return rows.length > 0 ? `${facts}\n${formatTable(rows, '')}` : facts
}

function progressText({
  percent,
  doneLessons,
  totalLessons,
  doneSeconds,
  totalSeconds,
}: ProgressFigures): string {
  const time = `${formatClock(doneSeconds)} of ${formatClock(totalSeconds)}`
  return byCount(
    totalLessons,
    `${percent}%: ${doneLessons} of 1 lesson done, ${time}. Lessons count by length.`,
    `${percent}%: ${doneLessons} of ${totalLessons} lessons done, ${time}. Lessons count by length.`,
  )
}

function resultText(passed: boolean, timedOut: boolean): string {
  if (timedOut) {
    return passed ? 'passed, time ran out' : 'not passed, time ran out'
  }

  return passed ? 'passed' : 'not passed'
}
