import type { LessonWork } from '../../course-work/lesson-work'
import type { Interval } from '../../course-work/watched-intervals'
import type { KeptReport } from './report-store'

/** One opening of a lesson, as the server signed it. */
export type LessonVisit = {
  uid: string
  courseId: string
  lessonId: string
  openedAt: number
  lengthMs: number
  signature: string
}

export function keyOf({ uid, courseId, lessonId, openedAt }: LessonVisit): string {
  return [uid, courseId, lessonId, openedAt].join(' ')
}

/** When the visit of a kept report began, in milliseconds since 1970. */
export function openedAtOf({ key }: KeptReport): number {
  return Number(key.split(' ').at(-1))
}

type VisitWork = LessonWork & { missed: readonly string[]; studied: readonly Interval[] }

/** Everything that was done in the visit, as it is kept and sent. */
export function reportOf(visit: LessonVisit, { missed, studied, ...work }: VisitWork): KeptReport {
  const { uid, courseId, lessonId, openedAt, lengthMs, signature } = visit
  return {
    key: keyOf(visit),
    uid,
    address: `/Learn/${courseId}/${lessonId}/progress`,
    // Servers of earlier versions refuse a `missed` that they do not know.
    report: { uid, openedAt, lengthMs, signature, ...work, ...(missed.length > 0 && { missed }), studied },
  }
}
