import { learnerLimits } from '~/features/enrollment/learner-limits'
import { type LessonMaterial, type LessonWork, mergeWork } from './lesson-work'
import type { Interval } from './watched-intervals'

/** What is reported, and when the learner was present, in milliseconds since 1970. */
export type ReportedWork = {
  work: LessonWork
  studied: readonly Interval[]
  /**
   * Quiz questions that were answered wrongly, and when the lesson was opened for it: practice
   * brings them back.
   */
  missed?: { questionIds: readonly string[]; openedAt: Date }
  /** The lesson's length when it was opened, if that is known. */
  lengthMs?: number
  now: Date
}

/** Why nothing was stored; `lesson-messages.tsx` has the status and the sentence of each. */
export type WorkRefusal =
  | 'signed-out'
  | 'other-learner'
  | 'no-lesson'
  | 'not-enrolled'
  | 'announced'
  | 'beyond-length'
  | 'unread'

/** The reporting account: one that may sign in, with a session of its own or another account's. */
export type Reporter = { session: 'own' | 'other' | 'none'; enrolled: boolean }

/** @returns null for work that may be stored. */
export function reportRefusal(
  { session, enrolled }: Reporter,
  lesson: LessonMaterial,
  { work, lengthMs = lesson.durationSeconds * 1000 }: ReportedWork,
): WorkRefusal | null {
  if (session === 'none') {
    return 'signed-out'
  }

  if (session === 'other') {
    return 'other-learner'
  }

  if (!enrolled) {
    return 'not-enrolled'
  }

  if (lesson.kind === 'announced') {
    return 'announced'
  }

  if (Math.max(work.position?.ms ?? 0, work.watched.at(-1)?.[1] ?? 0) > lengthMs) {
    return 'beyond-length'
  }

  if (lesson.kind === 'article' && work.mark?.value === 'done' && !work.readToEnd) {
    return 'unread'
  }

  return null
}

/**
 * The part of the work that still fits the lesson: its video may be shorter now, or its quiz may
 * have changed.
 */
export function fitWork(
  { kind, durationSeconds, questionIds }: LessonMaterial,
  work: LessonWork,
): LessonWork {
  const lengthMs = durationSeconds * 1000
  return {
    ...work,
    watched: kind === 'video' ? clip(work.watched, lengthMs) : [],
    position: work.position && { ...work.position, ms: Math.min(work.position.ms, lengthMs) },
    answered: work.answered.filter((id) => questionIds.includes(id)),
    readToEnd: work.readToEnd && kind === 'article',
  }
}

function clip(watched: readonly Interval[], lengthMs: number): Interval[] {
  return watched
    .filter(([start]) => start < lengthMs)
    .map(([start, end]): Interval => [start, Math.min(end, lengthMs)])
}

/**
 * Like `mergeWork`, but a video in more pieces than the limit stays as it was: no one watches like
 * that, and reading it would be slow.
 */
export function addWork(stored: LessonWork, work: LessonWork): LessonWork {
  const merged = mergeWork(stored, work)
  return merged.watched.length <= learnerLimits.watchedPieces
    ? merged
    : { ...merged, watched: stored.watched }
}

/**
 * A video that was replaced since it was opened counts by the shorter of both lengths: nothing
 * finished offline is lost.
 */
export function lessonAsOpened(
  lesson: LessonMaterial,
  lengthMs = Number.POSITIVE_INFINITY,
): LessonMaterial {
  return { ...lesson, durationSeconds: Math.min(lesson.durationSeconds, lengthMs / 1000) }
}
