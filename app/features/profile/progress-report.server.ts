import { sql } from 'drizzle-orm'
import { placeholderName } from '~/features/accounts/account-rules'
import { hasMaterial, type LessonKind } from '~/features/courses/lessons/lesson-kinds'
import {
  courseProgressPercent,
  type ProgressFigures,
  summarizeProgress,
} from '~/features/enrollment/course-progress'
import { getLastOpenedAt } from '~/features/enrollment/enrollment-queries.server'
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
import { isoText } from '~/server/database/database-time.server'

/** Explains a learner's progress in a course, for staff and operators. */
type ProgressReport = {
  figures: ProgressFigures
  /** The lessons in course order. Retired lessons are listed last, and only if the learner has progress in them. */
  lessons: ({
    id: string
    title: string
    kind: LessonKind
    durationSeconds: number
    done: boolean
  } & LessonReason)[]
  /** This is null if the course has no exam. */
  exam: ExamOverview | null
  /** Each sentence names a condition for the certificate that is not met yet. */
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
  /** This is null if the learner has not opened the lesson. */
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
    return { id, title, kind, durationSeconds, done, ...explainRow(row) }
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

function explainRow({
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

/** Lists what is missing for the certificate, in the order in which a learner meets the conditions. */
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
    learnerName === placeholderName && progressMessages.missing.name,
  ].filter((sentence) => sentence !== false)

  return missing.length > 0 ? missing : [progressMessages.missing.nothing]
}

/** Summarizes a learner's progress in a course, for staff and operators. */
type LearnerCourse = {
  uid: string
  courseId: string
  title: string
  enrolledAt: Date
  /** Null if the learner has never opened the course. */
  lastOpenedAt: Date | null
  completedAt: Date | null
  percent: number
  doneLessons: number
  totalLessons: number
  /** Counts only submitted attempts. `best` is a whole percentage. */
  exam: { attempts: number; best: number | null; passed: boolean }
  certificate: { id: string; issuedAt: Date; revoked: boolean } | null
}

type LearnerCourseRow = Omit<
  LearnerCourse,
  'percent' | 'enrolledAt' | 'lastOpenedAt' | 'completedAt' | 'certificate'
> & {
  enrolledAt: string
  lastOpenedAt: string | null
  completedAt: string | null
  doneSeconds: number
  totalSeconds: number
  certificate: { id: string; issuedAt: string; revoked: boolean } | null
}

/** Returns the courses of a learner, the most recently opened course first. */
export async function listLearnerCourses(db: Database, uid: string): Promise<LearnerCourse[]> {
  const { rows } = await db.execute<LearnerCourseRow>(sql`
    ${selectLearnerCourses}
    where e.uid = ${uid}
    order by e.last_accessed_at desc, e.course_id`)

  return rows.map(toLearnerCourse)
}

/**
 * Returns one page of a course's learners, sorted by uid.
 *
 * @param previousUid the last uid of the previous page, or '' for the first page
 */
export async function listCourseLearners(
  db: Pick<Database, 'execute'>,
  courseId: string,
  previousUid: string,
  limit: number,
): Promise<LearnerCourse[]> {
  const { rows } = await db.execute<LearnerCourseRow>(sql`
    ${selectLearnerCourses}
    where e.course_id = ${courseId}
      and e.uid > ${previousUid}
    order by e.uid
    limit ${limit}`)

  return rows.map(toLearnerCourse)
}

/** The statement without its conditions, which follow it and may use the enrollments as `e`. */
const selectLearnerCourses = sql`
  select e.uid,
    e.course_id as "courseId",
    c.title,
    ${isoText(sql`e.enrolled_at`)} as "enrolledAt",
    ${isoText(getLastOpenedAt(sql`e`))} as "lastOpenedAt",
    ${isoText(sql`e.completed_at`)} as "completedAt",
    p.done_lessons as "doneLessons",
    p.total_lessons as "totalLessons",
    p.done_seconds as "doneSeconds",
    p.total_seconds as "totalSeconds",
    (
      select json_build_object(
        'attempts', count(*),
        'best', max(a.percent),
        'passed', coalesce(bool_or(a.passed), false))
      from exam_attempts a
      where a.uid = e.uid
        and a.course_id = e.course_id
        and a.submitted_at is not null) as exam,
    (
      select json_build_object(
        'id', r.id,
        'issuedAt', ${isoText(sql`r.issued_at`)},
        'revoked', r.revoked_at is not null)
      from certificates k
        join certificate_register r on r.id = k.id
      where k.uid = e.uid and k.course_id = e.course_id) as certificate
  from enrollments e
    join courses c on c.id = e.course_id
    join course_progress p on p.uid = e.uid and p.course_id = e.course_id`

function toLearnerCourse({ doneSeconds, totalSeconds, ...row }: LearnerCourseRow): LearnerCourse {
  const { certificate, completedAt } = row

  return {
    ...row,
    enrolledAt: new Date(row.enrolledAt),
    lastOpenedAt: row.lastOpenedAt === null ? null : new Date(row.lastOpenedAt),
    completedAt: completedAt === null ? null : new Date(completedAt),
    percent: courseProgressPercent({ doneSeconds, totalSeconds }),
    certificate: certificate && { ...certificate, issuedAt: new Date(certificate.issuedAt) },
  }
}

/** Why a lesson is done or not, for staff. */
type LessonReason = { counts: boolean; reason: string }

type StoredLesson = FinishableLesson & { retired: boolean }

/**
 * Explains to staff why a lesson is done or not.
 *
 * @param earnedAt when watching or answering finished the lesson for the first time, or null
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
    describeEnd(lesson, progress, earnedAt),
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

function describeEnd(
  lesson: FinishableLesson,
  progress: LessonProgress,
  earnedAt: Date | null,
): string | null {
  if (earnedAt) {
    return `finished on ${formatDay(earnedAt)}`
  }

  // A lesson that became shorter may be earned although no report has said so.
  const isEarnedSinceChange = !progress.mark && isLessonEarned(lesson, progress)
  return isEarnedSinceChange
    ? 'that’s enough since the lesson changed: done at the next visit'
    : null
}

/** Returns a day like 2026-11-22. */
function formatDay(date: Date): string {
  return date.toISOString().slice(0, 10)
}
