/**
 * Receives the reports of progress that browsers send.
 *
 * When a lesson is opened, the server signs the visit. A report belongs to a signed visit and is
 * checked against it: nobody can watch more than the time that has passed allows. The checks depend
 * only on the report and its visit, never on stored data, so the order of reports doesn't matter.
 */
import * as z from 'zod'
import { findCurrentIds } from '~/features/courses/content/content-renames.server'
import { databaseTime } from '~/server/database/database-time.server'
import { countEvent } from '~/server/operations/metrics/counters.server'
import { isValidSignature, sign } from '~/server/operations/secrets.server'
import { fastestSpeed } from '../lessons/lesson-settings'
import type { LearningContext } from '../progress/course-completion.server'
import type { LearnerLesson, LessonProgress } from '../progress/lesson-progress'
import { recordLessonProgress } from '../progress/record-progress.server'
import type { ProgressRefusal, ReceivedReport } from '../progress/reported-progress'
import { coveredMs, uniteIntervals } from '../progress/watched-intervals'
import type { LessonVisit } from './progress-reporter'
import { reportMessages } from './report-messages'

/**
 * Opens and signs a visit of a learner to a lesson.
 *
 * @param lengthMs the length of the lesson now. Its video may be replaced before reports arrive.
 */
export async function openLessonVisit(
  { uid, courseId, lessonId }: LearnerLesson,
  lengthMs: number,
  now: Date,
): Promise<LessonVisit> {
  const openedAt = now.getTime()
  const signature = await sign('visit', [uid, courseId, lessonId, openedAt, lengthMs])
  return { uid, openedAt, lengthMs, signature }
}

type ReportResponse =
  | { status: 200; body: { work: LessonProgress; done: boolean; followedUp: boolean; now: number } }
  | { status: number; body: { message: string; refusal?: ProgressRefusal } }

type ReportRequest = {
  courseId: string
  lessonId: string
  /** The parsed JSON of the request, which is not checked yet. */
  body: unknown
  sessionToken: string | null
}

/** Checks a report against its visit and records its progress. Returns the HTTP response. */
export async function recordProgressReport(
  learningContext: LearningContext,
  { courseId, lessonId, body, sessionToken }: ReportRequest,
): Promise<ReportResponse> {
  // Everything that can be checked without the database is checked first.
  if (!sessionToken) {
    return refusalResponse('signed-out')
  }

  const parsedReport = progressReportSchema.safeParse(body)
  if (!parsedReport.success) {
    return messageResponse(400, reportMessages.implausibleReports.unreadable)
  }

  const report = parsedReport.data
  const isVisitSigned = await isSignedVisit(report, courseId, lessonId)
  if (!isVisitSigned) {
    return messageResponse(403, reportMessages.implausibleReports.otherVisit)
  }

  // The page may come from another process, so both use the clock of the database.
  const now = await databaseTime(learningContext.db)
  if (isAheadOfClock(report, now.getTime())) {
    return messageResponse(425, reportMessages.implausibleReports.clockSetBack)
  }

  const implausibility = findImplausibility(report, now.getTime())
  if (implausibility) {
    return messageResponse(422, implausibility)
  }

  const result = await recordInCurrentLesson(learningContext, {
    learnerLesson: { uid: report.uid, courseId, lessonId },
    report: toReceivedReport(report, now),
    sessionToken,
  })
  if (result.refusal) {
    return refusalResponse(result.refusal)
  }

  countEvent('progressReports')

  const { progress, isDone, canBringReward } = result
  return {
    status: 200,
    body: { work: progress, done: isDone, followedUp: canBringReward, now: now.getTime() },
  }
}

/** Records a report, even if the lesson has got another id since it was opened. */
async function recordInCurrentLesson(
  learningContext: LearningContext,
  input: Parameters<typeof recordLessonProgress>[1],
) {
  const result = await recordLessonProgress(learningContext, input)
  if (result.refusal !== 'no-lesson') {
    return result
  }

  const { uid, courseId, lessonId } = input.learnerLesson
  const currentIds = await findCurrentIds(learningContext.db, courseId, lessonId)
  if (!currentIds) {
    return result
  }

  const currentLesson = { uid, ...currentIds }
  return recordLessonProgress(learningContext, { ...input, learnerLesson: currentLesson })
}

function messageResponse(status: number, message: string): ReportResponse {
  return { status, body: { message } }
}

function refusalResponse(refusal: ProgressRefusal): ReportResponse {
  const { status, message } = reportMessages.progressRefusals[refusal]
  return { status, body: { message, refusal } }
}

const milliseconds = z.int().nonnegative()
/** A position in a lesson, in the range of the database column. */
const positionMs = milliseconds.max(2 ** 31 - 1)
const questionIds = z.array(z.string().regex(/^[0-9a-f]{12}$/)).max(200)

function intervalsUpTo(end: typeof milliseconds) {
  const interval = z
    .tuple([end, end])
    .refine(([start, end]) => start < end, { error: 'an interval ends after it starts' })
  return z.array(interval).max(1500)
}

/**
 * A browser's report about one visit to a lesson. A report contains the earlier reports of its
 * visit, so a lost one does not matter. Times are milliseconds since 1970 by the server's clock.
 */
export const progressReportSchema = z.strictObject({
  /** The learner who opened the page. It must be the learner of the session, too. */
  uid: z.string().min(1).max(200),
  openedAt: milliseconds,
  /** The length of the lesson when it was opened. Pages of earlier versions don't send it. */
  lengthMs: positionMs.optional(),
  /** The server's signature over the learner, the lesson, `openedAt` and `lengthMs`. */
  signature: z.string().min(1).max(200),
  watched: intervalsUpTo(positionMs).default([]),
  position: z.strictObject({ ms: positionMs, at: milliseconds }).nullable().default(null),
  mark: z
    .strictObject({ value: z.enum(['done', 'undone']), at: milliseconds })
    .nullable()
    .default(null),
  answered: questionIds.default([]),
  /** The questions that were answered wrongly, even if a right answer followed. */
  missed: questionIds.default([]),
  readToEnd: z.boolean().default(false),
  /** The times of active learning. */
  studied: intervalsUpTo(milliseconds).default([]),
})

type ProgressReport = z.infer<typeof progressReportSchema>

async function isSignedVisit(
  { uid, openedAt, lengthMs, signature }: ProgressReport,
  courseId: string,
  lessonId: string,
): Promise<boolean> {
  const visit = [uid, courseId, lessonId, openedAt]
  const signedValues = lengthMs === undefined ? visit : [...visit, lengthMs]
  return isValidSignature('visit', signedValues, signature)
}

function toReceivedReport(report: ProgressReport, receivedAt: Date): ReceivedReport {
  const progress: LessonProgress = {
    watched: uniteIntervals(report.watched),
    position: report.position,
    mark: report.mark,
    answered: [...new Set(report.answered)].sort(),
    readToEnd: report.readToEnd,
  }

  return {
    progress,
    studyIntervals: report.studied,
    missedQuestions: { ids: report.missed, lessonOpenedAt: new Date(report.openedAt) },
    openedLengthMs: report.lengthMs,
    receivedAt,
  }
}

/**
 * How much more than possible an honest browser may report, because many intervals are rounded and
 * the clocks of several servers differ.
 */
const watchedToleranceMs = 2_000

/** How far the times of a report may be outside of its visit, for the same reasons. */
const timeToleranceMs = 5_000

/** If a clock is set back by more than this, it was wrong before. */
const maxClockSetBackMs = 86_400_000

/**
 * Returns whether the server's clock was set back since the visit. The times of a signed visit come
 * from the server's own clock, so they can be in the future only for this reason. The browser sends
 * such a report again, and it is accepted once the clock has caught up.
 *
 * @param now milliseconds since 1970
 */
export function isAheadOfClock(
  { openedAt, studied, position, mark }: ProgressReport,
  now: number,
): boolean {
  const latestTime = Math.max(openedAt, ...studied.flat(), position?.at ?? 0, mark?.at ?? 0)
  return latestTime > now + timeToleranceMs && latestTime <= now + maxClockSetBackMs
}

/**
 * Returns a sentence that says why a report is implausible, or null if it is plausible.
 *
 * @param now milliseconds since 1970
 */
export function findImplausibility(report: ProgressReport, now: number): string | null {
  const { openedAt, lengthMs, watched, studied, position, mark } = report
  const elapsedMs = now - openedAt
  if (elapsedMs < -timeToleranceMs) {
    return reportMessages.implausibleReports.notStarted
  }

  const furthestMs = Math.max(position?.ms ?? 0, ...watched.map(([, end]) => end))
  if (lengthMs !== undefined && furthestMs > lengthMs) {
    return reportMessages.progressRefusals['beyond-length'].message
  }

  const possibleMs = Math.max(0, elapsedMs) * fastestSpeed + watchedToleranceMs
  const watchedMs = coveredMs(uniteIntervals(watched))
  if (watchedMs > possibleMs) {
    return reportMessages.implausibleReports.tooFast
  }

  const times = studied.flat()
  if (position) {
    times.push(position.at)
  }

  if (mark) {
    times.push(mark.at)
  }

  const earliest = openedAt - timeToleranceMs
  const latest = now + timeToleranceMs
  const isOutsideVisit = times.some((time) => time < earliest || time > latest)
  if (isOutsideVisit) {
    return reportMessages.implausibleReports.outsideVisit
  }

  return null
}
