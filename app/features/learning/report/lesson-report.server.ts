import * as z from 'zod'
import { findCurrentIds } from '~/features/courses/content/content-renames.server'
import { databaseTime } from '~/server/database/database-time.server'
import { countEvent } from '~/server/operations/metrics/counters.server'
import { isSigned, sign } from '~/server/operations/secrets.server'
import { progressRefusals, reportRefusals } from '../lessons/lesson-messages'
import { fastestSpeed } from '../lessons/lesson-settings'
import type { LearningContext } from '../progress/course-completion.server'
import type { LessonProgress } from '../progress/lesson-progress'
import { type LearnerLesson, recordLessonProgress } from '../progress/record-progress.server'
import type { ProgressRefusal } from '../progress/reported-progress'
import { coveredMs, uniteIntervals } from '../progress/watched-intervals'

/** One opening of a lesson's page; its reports are checked against its time. */
type Visit = { uid: string; openedAt: number; lengthMs: number; signature: string }

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

type ReportAnswer =
  | { status: 200; body: { work: LessonProgress; done: boolean; followedUp: boolean; now: number } }
  | { status: number; body: { message: string; refusal?: ProgressRefusal } }

/**
 * Takes one report as a browser sent it. Everything that can be judged without the database is
 * judged first. The time is the database's, as for the page that opened the visit: another process
 * may have served it.
 */
export async function recordProgressReport(
  learningContext: LearningContext,
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

  const now = await databaseTime(learningContext.db)
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
      learningContext,
      { uid, ...place },
      { work, studied: report.studied, missed, lengthMs, now },
      sessionToken,
    )
  let result = await record({ courseId, lessonId })
  if (result.refusal === 'no-lesson') {
    // It was opened before its id changed.
    const moved = await findCurrentIds(learningContext.db, courseId, lessonId)
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

const milliseconds = z.int().nonnegative()
/** A place in a lesson, as the database stores it. */
const place = milliseconds.max(2 ** 31 - 1)
const intervalOf = (end: typeof milliseconds) =>
  z
    .tuple([end, end])
    .refine(([start, end]) => start < end, { error: 'an interval ends after it starts' })

/**
 * A browser's report about one visit of one lesson. It is cumulative: a later report of the same
 * visit contains every earlier one, so that a lost one does not matter. Times are milliseconds
 * since 1970 by the server's clock.
 */
export const progressReport = z.strictObject({
  /** The visit's learner from the opening of the page; must match the session's. */
  uid: z.string().min(1).max(200),
  openedAt: milliseconds,
  /** How long the lesson was then; left out by pages of earlier versions. */
  lengthMs: place.optional(),
  /** The server's signature over learner, lesson, `openedAt` and `lengthMs`. */
  signature: z.string().min(1).max(200),
  watched: z.array(intervalOf(place)).max(1500).default([]),
  position: z.strictObject({ ms: place, at: milliseconds }).nullable().default(null),
  mark: z
    .strictObject({ value: z.enum(['done', 'undone']), at: milliseconds })
    .nullable()
    .default(null),
  answered: z
    .array(z.string().regex(/^[0-9a-f]{12}$/))
    .max(200)
    .default([]),
  /** Quiz questions that were answered wrongly, even if rightly after that. */
  missed: z
    .array(z.string().regex(/^[0-9a-f]{12}$/))
    .max(200)
    .default([]),
  readToEnd: z.boolean().default(false),
  /** Times of active learning: page in front and in use, or video playing. */
  studied: z.array(intervalOf(milliseconds)).max(1500).default([]),
})

type ProgressReport = z.infer<typeof progressReport>

/**
 * The rounding of many intervals, and the clocks of several servers, may give an honest video this
 * much more.
 */
const roundingSlackMs = 2_000
/** The times of a visit may lie this far outside of it, for the same reasons. */
const slackMs = 5_000

/**
 * If a clock is set back by more than this, it was wrong before, and its reports are checked like
 * any others.
 */
const longestSetBackMs = 86_400_000

/**
 * Whether the server's clock was set back since the visit: a visit is signed, and its times go by
 * the server's own time, so that they lie ahead of it then. Once the clock gets there, the report
 * is judged as ever.
 */
export function isAheadOfClock(
  { openedAt, studied, position, mark }: ProgressReport,
  now: number,
): boolean {
  const latest = Math.max(openedAt, ...studied.flat(), position?.at ?? 0, mark?.at ?? 0)
  return latest > now + slackMs && latest <= now + longestSetBackMs
}

/**
 * The reason why a report is implausible. Depends on one report and its own visit only, never on
 * stored data, so that the order of reports doesn't matter.
 *
 * @param now milliseconds since 1970.
 * @returns a sentence, or null for a plausible report.
 */
export function findImplausibility(report: ProgressReport, now: number): string | null {
  const { openedAt, lengthMs, watched, studied, position, mark } = report
  const elapsedMs = now - openedAt
  if (elapsedMs < -slackMs) {
    return reportRefusals.notStarted
  }

  const furthest = Math.max(position?.ms ?? 0, ...watched.map(([, end]) => end))
  if (lengthMs !== undefined && furthest > lengthMs) {
    return progressRefusals['beyond-length'].message
  }

  const possibleMs = Math.max(0, elapsedMs) * fastestSpeed + roundingSlackMs
  if (coveredMs(uniteIntervals(watched)) > possibleMs) {
    return reportRefusals.tooFast
  }

  const times = [...studied.flat(), ...[position, mark].flatMap((part) => (part ? [part.at] : []))]
  if (times.some((at) => at < openedAt - slackMs || at > now + slackMs)) {
    return reportRefusals.outsideVisit
  }

  return null
}
