import { findMoved } from '~/features/courses/content/content-renames.server'
import { databaseTime } from '~/server/database/database-time.server'
import { countEvent } from '~/server/operations/metrics/counters.server'
import { isSigned, sign } from '~/server/operations/secrets.server'
import { progressRefusals, reportRefusals } from '../lessons/lesson-messages'
import type { CourseWork } from '../progress/course-work.server'
import type { LessonProgress } from '../progress/lesson-progress'
import { type LearnerLesson, recordLessonProgress } from '../progress/record-progress.server'
import type { ProgressRefusal } from '../progress/reported-progress'
import { uniteIntervals } from '../progress/watched-intervals'
import { findImplausibility, isAheadOfClock, progressReport } from './progress-report'

/** One opening of a lesson's page; its reports are checked against its time. */
export type Visit = { uid: string; openedAt: number; lengthMs: number; signature: string }

/**
 * @param lengthMs of the lesson as it is shown now: its video may be another one when the reports
 * arrive.
 */
export async function openLessonVisit(
  { uid, courseId, lessonId }: LearnerLesson,
  lengthMs: number,
  now: Date,
): Promise<Visit> {
  const openedAt = now.getTime()
  return {
    uid,
    openedAt,
    lengthMs,
    signature: await sign('visit', [uid, courseId, lessonId, openedAt, lengthMs]),
  }
}

export type ReportAnswer =
  | { status: 200; body: { work: LessonProgress; done: boolean; followedUp: boolean; now: number } }
  | { status: number; body: { message: string; refusal?: ProgressRefusal } }

/**
 * Takes one report as a browser sent it. Everything that can be judged without the database is
 * judged first. The time is the database's, as for the page that opened the visit: another process
 * may have served it.
 */
export async function takeReport(
  courseWork: CourseWork,
  {
    courseId,
    lessonId,
    body,
    sessionToken,
  }: { courseId: string; lessonId: string; body: unknown; sessionToken: string | null },
): Promise<ReportAnswer> {
  if (!sessionToken) {
    return refusedFor('signed-out')
  }

  const parsed = progressReport.safeParse(body)
  if (!parsed.success) {
    return refused({ status: 400, message: reportRefusals.unreadable })
  }

  const report = parsed.data
  const { uid, openedAt, lengthMs, signature } = report
  const signed = [uid, courseId, lessonId, openedAt, ...(lengthMs === undefined ? [] : [lengthMs])]
  if (!(await isSigned('visit', signed, signature))) {
    return refused({ status: 403, message: reportRefusals.otherVisit })
  }

  const now = await databaseTime(courseWork.db)
  if (isAheadOfClock(report, now.getTime())) {
    return refused({ status: 425, message: reportRefusals.clockSetBack })
  }

  const implausible = findImplausibility(report, now.getTime())
  if (implausible) {
    return refused({ status: 422, message: implausible })
  }

  const work: LessonProgress = {
    watched: uniteIntervals(report.watched),
    position: report.position,
    mark: report.mark,
    answered: [...new Set(report.answered)].sort(),
    readToEnd: report.readToEnd,
  }
  const missed = { questionIds: report.missed, openedAt: new Date(openedAt) }
  const record = (place: { courseId: string; lessonId: string }) =>
    recordLessonProgress(
      courseWork,
      { uid, ...place },
      { work, studied: report.studied, missed, lengthMs, now },
      sessionToken,
    )
  let result = await record({ courseId, lessonId })
  if (result.refusal === 'no-lesson') {
    // It was opened before its id changed.
    const moved = await findMoved(courseWork.db, courseId, lessonId)
    if (moved) {
      result = await record(moved)
    }
  }

  if (result.refusal) {
    return refusedFor(result.refusal)
  }

  countEvent('progressReports')

  return {
    status: 200,
    body: {
      work: result.work,
      done: result.done,
      followedUp: result.followedUp,
      now: now.getTime(),
    },
  }
}

function refused({ status, message }: { status: number; message: string }): ReportAnswer {
  return { status, body: { message } }
}

function refusedFor(refusal: ProgressRefusal): ReportAnswer {
  const { status, message } = progressRefusals[refusal]
  return { status, body: { message, refusal } }
}
