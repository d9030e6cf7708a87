import { sql } from 'drizzle-orm'
import type { ExamOverview } from '~/features/exams/exam-page-data'
import { findExamOverview } from '~/features/exams/exam-page-queries.server'
import { type ProgressFigures, progressFigures } from '~/features/progress/course-progress'
import { missingTexts } from '~/features/progress/course-work-messages'
import { type LessonReason, lessonReason } from '~/features/progress/lesson-reason'
import { type LessonKind, noWork } from '~/features/progress/lesson-work'
import { questionId } from '~/features/progress/question-id.server'
import { lessonWorkOf, type StoredWork, workColumns } from '~/features/progress/stored-lesson-work.server'
import type { Database } from '~/server/database/client.server'

/** Explains a learner's progress in a course, for operators. */
export type ProgressReport = {
  figures: ProgressFigures
  /** In the order of the course; those that left it only with work. */
  lessons: ({ id: string; title: string; kind: LessonKind; durationSeconds: number; done: boolean } & LessonReason)[]
  /** Null for a course without an exam. */
  exam: ExamOverview | null
  /** What stands between the learner and the certificate, a sentence each. */
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
  stored: StoredWork | null
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
  if (enrolled.length === 0) return null
  const rows = await listLessonRows(db, uid, courseId)
  const lessons = rows.map(({ questions, stored, earnedAt, ...lesson }) => {
    const material = { ...lesson, questionIds: questions.map(questionId) }
    const reason = lessonReason(
      material,
      stored ? lessonWorkOf(stored) : noWork,
      earnedAt === null ? null : new Date(earnedAt),
    )
    const { id, title, kind, durationSeconds, done } = lesson
    return { id, title, kind, durationSeconds, done, ...reason }
  })
  const exam = await findExamOverview(db, uid, courseId, now)
  const figures = progressFigures(lessons.filter(({ counts }) => counts))
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
      case when p.uid is not null then (select to_json(w) from (select ${workColumns}) w) end as stored
    from course_lessons l
    left join lesson_progress p on p.uid = ${uid} and p.course_id = l.course_id and p.lesson_id = l.id
    where l.course_id = ${courseId} and (not l.retired or p.uid is not null)
    order by l.retired, l.position, l.id`)
  return rows
}

/** In the order in which a learner gets there. */
function missingForCertificate({ doneLessons, totalLessons }: ProgressFigures, exam: ExamOverview | null): string[] {
  if (!exam) return [missingTexts.noExam]
  if (exam.certificate) return exam.certificate.revoked ? [missingTexts.revoked] : []
  const left = totalLessons - doneLessons
  const missing = [
    !exam.completed && missingTexts.lessons(left),
    !exam.passed && missingTexts.exam(exam.exam.passPercent),
    !exam.addressConfirmed && missingTexts.address,
  ].filter((sentence) => sentence !== false)
  return missing.length > 0 ? missing : [missingTexts.nothing]
}
