import { emptyProgress, type LessonProgress } from '../../../progress/lesson-progress'
import { coveredMs, type Interval } from '../../../progress/watched-intervals'
import type { FinishableLesson, LessonKindRules } from '../lesson-kind-rules'

/** The share of a video that has to be played. */
export const requiredShare = 0.9

/** A video is earned once `requiredShare` of it was really played. */
export const videoRules: LessonKindRules = {
  isEarned(lesson, progress) {
    return getWatchedShare(lesson, progress) >= requiredShare
  },

  canBeMarkedDone() {
    return true
  },

  isFinishedByMark: false,

  countsForCertificate({ isEarned }) {
    return isEarned
  },

  fitProgress({ durationSeconds }, { watched }) {
    // The video may have been replaced by a shorter one.
    return { watched: clip(watched, durationSeconds * 1000), answered: [], readToEnd: false }
  },

  getFinishedProgress({ durationSeconds }) {
    return { ...emptyProgress, watched: [[0, durationSeconds * 1000]] }
  },

  describeProgress(lesson, progress) {
    if (progress.watched.length === 0) {
      return null
    }

    const watched = `watched ${formatPercent(getWatchedShare(lesson, progress))}`
    const isEnough = videoRules.isEarned(lesson, progress)
    return isEnough ? watched : `${watched}, ${formatPercent(requiredShare)} needed`
  },

  activity: { type: 'lesson', verb: 'finished' },

  texts: {
    certificateCondition: `Watch ${formatPercent(requiredShare)} of it`,
    markIsNotEnough: `Your certificate counts this video once you’ve watched ${formatPercent(requiredShare)} of it. Marking it as done counts toward your progress only.`,
    cannotBeMarkedYet: null,
  },
}

function getWatchedShare({ durationSeconds }: FinishableLesson, { watched }: LessonProgress) {
  const durationMs = durationSeconds * 1000
  return coveredMs(watched, [0, durationMs]) / durationMs
}

function clip(watched: readonly Interval[], durationMs: number): Interval[] {
  return watched
    .filter(([start]) => start < durationMs)
    .map(([start, end]): Interval => [start, Math.min(end, durationMs)])
}

/** Rounds down, so that an unfinished video never shows 100%. */
function formatPercent(share: number): string {
  return `${Math.floor(share * 100)}%`
}

/** A video that was left this close to its end starts over. */
export const endSeconds = 2

/** Returns the second at which a video resumes. */
export function getResumeSeconds({ position }: LessonProgress, durationSeconds: number): number {
  const seconds = (position?.ms ?? 0) / 1000
  return seconds > durationSeconds - endSeconds ? 0 : seconds
}
