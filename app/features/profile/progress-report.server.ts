/**
 * Explains to staff and operators why the lessons of a course count as done or not for a learner.
 */
import { sql } from 'drizzle-orm'
import { isRealName } from '~/features/accounts/full-name'
import { hasMaterial, type LessonKind } from '~/features/courses/lessons/lesson-kinds'
import { type ProgressFigures, summarizeProgress } from '~/features/enrollment/course-progress'
import type { ExamOverview } from '~/features/exams/exam-page-data'
import { findExamOverview } from '~/features/exams/exam-page-queries.server'
import type { FinishableLesson } from '~/features/learning/lessons/kinds/lesson-kind-rules'
import { isLessonEarned, lessonRules } from '~/features/learning/lessons/kinds/lesson-rules'
import { emptyProgress, type LessonProgress } from '~/features/learning/progress/lesson-progress'
import { progressMessages } from '~/features/learning/progress/progress-messages'
import { questionId } from '~/features/learning/progress/question-id.server'
import {
  type ProgressRow,
  progressColumns,
  toLessonProgress,
} from '~/features/learning/progress/stored-progress.server'
import type { Database } from '~/server/database/client.server'

type ProgressReport = {
  figures: ProgressFigures
  /**
   * The lessons in course order. Retired lessons are listed last, and only if the learner has
   * progress in them.
   */
  lessons: ({
    id: string
    title: string
    kind: LessonKind
    durationSeconds: number
    done: boolean
  } & LessonReason)[]
  /** Null if the course has no exam. */
  exam: ExamOverview | null
  /** Sentences, each about a condition for the certificate that the learner does not meet yet. */
  missing: string[]
}

type LessonRow = {
  id: string
  title: string
  kind: LessonKind
  durationSeconds: number
  retired: boolean
  done: boolean
  questionTexts: string[]
  earnedAt: string | null
  /** Null if the learner has not opened the lesson. */
  storedProgress: ProgressRow | null
}

/** Returns the learner's progress in a course, or null if the learner is not enrolled in it. */
export async function findProgressReport(
  db: Database,
  uid: string,
  courseId: string,
  now: Date,
): Promise<ProgressReport | null> {
  const {
    rows: [enrollment],
  } = await db.execute<{ learnerName: string }>(sql`
    select u.name as "learnerName"
    from enrollments e
    join users u on u.id = e.uid
    where e.uid = ${uid} and e.course_id = ${courseId}`)
  if (!enrollment) {
    return null
  }

  const rows = await listLessonRows(db, uid, courseId)
  const lessons = rows.map((row) => {
    const { id, title, kind, durationSeconds, done } = row
    return { id, title, kind, durationSeconds, done, ...explainLessonRow(row) }
  })
  const exam = await findExamOverview(db, uid, courseId, now)
  const figures = summarizeProgress(lessons.filter(({ counts }) => counts))

  return {
    figures,
    lessons,
    exam,
    missing: listMissingConditions(enrollment.learnerName, figures, exam),
  }
}

function explainLessonRow({
  questionTexts,
  storedProgress,
  earnedAt,
  ...lesson
}: LessonRow): LessonReason {
  const material = { ...lesson, questionIds: questionTexts.map(questionId) }
  const progress = storedProgress ? toLessonProgress(storedProgress) : emptyProgress
  const earnedTime = earnedAt === null ? null : new Date(earnedAt)

  return explainLesson(material, progress, earnedTime)
}

async function listLessonRows(db: Database, uid: string, courseId: string): Promise<LessonRow[]> {
  const { rows } = await db.execute<LessonRow>(sql`
    select l.id,
      l.title,
      l.kind,
      l.duration_seconds as "durationSeconds",
      l.retired,
      (
        select coalesce(json_agg(question ->> 'question'), '[]')
        from jsonb_array_elements(l.questions) question) as "questionTexts",
      coalesce(p.done, false) as done,
      p.earned_at as "earnedAt",
      case
        when p.uid is not null
        then (select to_json(w) from (select ${progressColumns}) w)
      end as "storedProgress"
    from course_lessons l
      left join lesson_progress p
        on p.uid = ${uid} and p.course_id = l.course_id and p.lesson_id = l.id
    where l.course_id = ${courseId}
      and (not l.retired or p.uid is not null)
    order by l.retired, l.position, l.id`)

  return rows
}

/**
 * Lists what is missing for the certificate, in the order in which a learner meets the conditions.
 */
function listMissingConditions(
  learnerName: string,
  { doneLessons, totalLessons }: ProgressFigures,
  exam: ExamOverview | null,
): string[] {
  if (!exam) {
    return [progressMessages.missing.noExam]
  }

  if (exam.certificate) {
    return exam.certificate.revoked ? [progressMessages.missing.revoked] : []
  }

  const remainingLessons = totalLessons - doneLessons
  const missing = [
    !exam.completed && progressMessages.missing.lessons(remainingLessons),
    !exam.passed && progressMessages.missing.exam(exam.exam.passPercent),
    !exam.isEmailConfirmed && progressMessages.missing.email,
    !isRealName(learnerName) && progressMessages.missing.name,
  ].filter((sentence) => sentence !== false)

  return missing.length > 0 ? missing : [progressMessages.missing.nothing]
}

type LessonReason = {
  /** Whether the lesson counts toward the progress in the course. */
  counts: boolean
  /** Explains why the lesson is done or not. */
  reason: string
}

type StoredLesson = FinishableLesson & { retired: boolean }

/**
 * Explains to staff why a lesson is done or not.
 *
 * @param earnedAt when the learner first finished the lesson by watching or answering, or null
 */
export function explainLesson(
  lesson: StoredLesson,
  progress: LessonProgress,
  earnedAt: Date | null,
): LessonReason {
  if (!hasMaterial(lesson) && !lesson.retired) {
    return { counts: false, reason: 'announced: it has no material yet' }
  }

  const reasons = [
    describeMark(progress),
    lessonRules[lesson.kind].describeProgress(lesson, progress),
    describeCompletion(lesson, progress, earnedAt),
  ].filter((reason) => reason !== null)

  if (reasons.length === 0) {
    reasons.push('not started')
  }

  if (lesson.retired) {
    reasons.push('no longer in the course')
  }

  return { counts: !lesson.retired, reason: reasons.join('; ') }
}

function describeMark({ mark }: LessonProgress): string | null {
  if (!mark) {
    return null
  }

  const day = formatDay(new Date(mark.at))
  return mark.value === 'done'
    ? `marked as done by the learner on ${day}`
    : `the learner took the mark back on ${day}`
}

function describeCompletion(
  lesson: FinishableLesson,
  progress: LessonProgress,
  earnedAt: Date | null,
): string | null {
  if (earnedAt) {
    return `finished on ${formatDay(earnedAt)}`
  }

  // The progress may be enough for a lesson that became shorter, although no report of progress
  // came since.
  const isEarnedSinceChange = !progress.mark && isLessonEarned(lesson, progress)
  return isEarnedSinceChange
    ? 'that’s enough since the lesson changed: done at the next visit'
    : null
}

/** Returns a day like 2026-11-22. */
function formatDay(date: Date): string {
  return date.toISOString().slice(0, 10)
}
