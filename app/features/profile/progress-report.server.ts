import { sql } from 'drizzle-orm'
import type { LessonKind } from '~/features/courses/lessons/lesson-kinds'
import {
  courseProgressPercent,
  type ProgressFigures,
  summarizeProgress,
} from '~/features/enrollment/course-progress'
import type { ExamOverview } from '~/features/exams/exam-page-data'
import { findExamOverview } from '~/features/exams/exam-page-queries.server'
import { emptyProgress } from '~/features/learning/progress/lesson-progress'
import { explainLesson, type LessonReason } from '~/features/learning/progress/lesson-reason'
import { missingTexts } from '~/features/learning/progress/progress-messages'
import { questionId } from '~/features/learning/progress/question-id.server'
import {
  type ProgressRow,
  progressColumns,
  toLessonProgress,
} from '~/features/learning/progress/stored-progress.server'
import type { Database } from '~/server/database/client.server'
import { isoText } from '~/server/database/database-time.server'

/** Explains a learner's progress in a course, for operators. */
export type ProgressReport = {
  figures: ProgressFigures
  /** In the order of the course; those that left it only with work. */
  lessons: ({
    id: string
    title: string
    kind: LessonKind
    durationSeconds: number
    done: boolean
  } & LessonReason)[]
  /** Null for a course without an exam. */
  exam: ExamOverview | null
  /** The missing conditions for the certificate, a sentence each. */
  missing: string[]
}

type LessonRow = {
  id: string
  title: string
  kind: LessonKind
  durationSeconds: number
  retired: boolean
  done: boolean
  questions: string[]
  earnedAt: string | null
  stored: ProgressRow | null
}

/** @returns null if the learner is not enrolled. */
export async function findProgressReport(
  db: Database,
  uid: string,
  courseId: string,
  now: Date,
): Promise<ProgressReport | null> {
  const { rows: enrolled } = await db.execute(
    sql`select from enrollments where uid = ${uid} and course_id = ${courseId}`,
  )
  if (enrolled.length === 0) {
    return null
  }

  const rows = await listLessonRows(db, uid, courseId)
  const lessons = rows.map(({ questions, stored, earnedAt, ...lesson }) => {
    const material = { ...lesson, questionIds: questions.map(questionId) }
    const reason = explainLesson(
      material,
      stored ? toLessonProgress(stored) : emptyProgress,
      earnedAt === null ? null : new Date(earnedAt),
    )
    const { id, title, kind, durationSeconds, done } = lesson

    return { id, title, kind, durationSeconds, done, ...reason }
  })
  const exam = await findExamOverview(db, uid, courseId, now)
  const figures = summarizeProgress(lessons.filter(({ counts }) => counts))

  return {
    figures,
    lessons,
    exam,
    missing: missingForCertificate(figures, exam),
  }
}

async function listLessonRows(db: Database, uid: string, courseId: string): Promise<LessonRow[]> {
  const { rows } = await db.execute<LessonRow>(sql`
    select l.id, l.title, l.kind, l.duration_seconds as "durationSeconds", l.retired,
      (select coalesce(json_agg(question ->> 'question'), '[]') from jsonb_array_elements(l.questions) question) as questions,
      coalesce(p.done, false) as done, p.earned_at as "earnedAt",
      case when p.uid is not null then (select to_json(w) from (select ${progressColumns}) w) end as stored
    from course_lessons l
    left join lesson_progress p on p.uid = ${uid} and p.course_id = l.course_id and p.lesson_id = l.id
    where l.course_id = ${courseId} and (not l.retired or p.uid is not null)
    order by l.retired, l.position, l.id`)

  return rows
}

/** In the order in which a learner gets there. */
function missingForCertificate(
  { doneLessons, totalLessons }: ProgressFigures,
  exam: ExamOverview | null,
): string[] {
  if (!exam) {
    return [missingTexts.noExam]
  }

  if (exam.certificate) {
    return exam.certificate.revoked ? [missingTexts.revoked] : []
  }

  const left = totalLessons - doneLessons
  const missing = [
    !exam.completed && missingTexts.lessons(left),
    !exam.passed && missingTexts.exam(exam.exam.passPercent),
    !exam.isEmailConfirmed && missingTexts.address,
  ].filter((sentence) => sentence !== false)

  return missing.length > 0 ? missing : [missingTexts.nothing]
}

/** How far a learner is in a course, for operators. */
export type LearnerCourse = {
  uid: string
  courseId: string
  title: string
  enrolledAt: Date
  lastAccessedAt: Date
  completedAt: Date | null
  percent: number
  doneLessons: number
  totalLessons: number
  /** Over all attempts that were handed in; `best` in whole percent. */
  exam: { attempts: number; best: number | null; passed: boolean }
  certificate: { id: string; issuedAt: Date; revoked: boolean } | null
}

type Row = Omit<
  LearnerCourse,
  'percent' | 'enrolledAt' | 'lastAccessedAt' | 'completedAt' | 'certificate'
> & {
  enrolledAt: string
  lastAccessedAt: string
  completedAt: string | null
  doneSeconds: number
  totalSeconds: number
  certificate: { id: string; issuedAt: string; revoked: boolean } | null
}

/** Of a learner's courses, last opened first. */
export async function listLearnerCourses(db: Database, uid: string): Promise<LearnerCourse[]> {
  const { rows } = await db.execute<Row>(
    sql`${learnerCourses} where e.uid = ${uid} order by e.last_accessed_at desc, e.course_id`,
  )
  return rows.map(courseOf)
}

/**
 * Of a course's learners by uid, a part at a time.
 *
 * @param after the last uid of the part before; '' at first.
 */
export async function listCourseLearners(
  db: Pick<Database, 'execute'>,
  courseId: string,
  after: string,
  limit: number,
): Promise<LearnerCourse[]> {
  const { rows } = await db.execute<Row>(sql`
    ${learnerCourses} where e.course_id = ${courseId} and e.uid > ${after} order by e.uid limit ${limit}`)
  return rows.map(courseOf)
}

const learnerCourses = sql`
  select e.uid, e.course_id as "courseId", c.title, ${isoText(sql`e.enrolled_at`)} as "enrolledAt",
    ${isoText(sql`e.last_accessed_at`)} as "lastAccessedAt", ${isoText(sql`e.completed_at`)} as "completedAt",
    p.done_lessons as "doneLessons", p.total_lessons as "totalLessons", p.done_seconds as "doneSeconds",
    p.total_seconds as "totalSeconds",
    (select json_build_object('attempts', count(*), 'best', max(a.percent), 'passed', coalesce(bool_or(a.passed), false))
      from exam_attempts a where a.uid = e.uid and a.course_id = e.course_id and a.submitted_at is not null) as exam,
    (select json_build_object('id', r.id, 'issuedAt', ${isoText(sql`r.issued_at`)}, 'revoked', r.revoked_at is not null)
      from certificates k join certificate_register r on r.id = k.id
      where k.uid = e.uid and k.course_id = e.course_id) as certificate
  from enrollments e join courses c on c.id = e.course_id
  join course_progress p on p.uid = e.uid and p.course_id = e.course_id`

function courseOf({ doneSeconds, totalSeconds, ...row }: Row): LearnerCourse {
  const { certificate, completedAt } = row
  return {
    ...row,
    enrolledAt: new Date(row.enrolledAt),
    lastAccessedAt: new Date(row.lastAccessedAt),
    completedAt: completedAt === null ? null : new Date(completedAt),
    percent: courseProgressPercent({ doneSeconds, totalSeconds }),
    certificate: certificate && { ...certificate, issuedAt: new Date(certificate.issuedAt) },
  }
}
