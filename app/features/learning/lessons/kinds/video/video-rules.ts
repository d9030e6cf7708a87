import { emptyProgress, type LessonProgress } from '../../../progress/lesson-progress'
import { coveredMs, type Interval } from '../../../progress/watched-intervals'
import type { FinishableLesson, LessonKindRules } from '../lesson-kind-rules'

/** The share of a video that has to be played. */
export const requiredShare = 0.9

/** A video is earned once `requiredShare` of it was played, not skipped. */
export const videoRules: LessonKindRules = {
  isEarned(lesson, progress) {
    return getWatchedShare(lesson, progress) >= requiredShare
  },

  canBeMarkedDone() {
    return true
  },

  // A mark counts toward progress, but the certificate counts only what was watched.
  isFinishedByMark: false,

  countsForCertificate({ isEarned }) {
    return isEarned
  },

  fitProgressToLesson({ durationSeconds }, { watched }) {
    // The video may have been replaced by a shorter one.
    const watchedInVideo = clip(watched, durationSeconds * 1000)

    return { watched: watchedInVideo, answered: [], readToEnd: false }
  },

  getFinishedProgress({ durationSeconds }) {
    return { ...emptyProgress, watched: [[0, durationSeconds * 1000]] }
  },

  describeProgress(lesson, progress) {
    if (progress.watched.length === 0) {
      return null
    }

    const watchedText = `watched ${formatPercent(getWatchedShare(lesson, progress))}`
    const isEarned = videoRules.isEarned(lesson, progress)
    return isEarned ? watchedText : `${watchedText}, ${formatPercent(requiredShare)} needed`
  },

  activity: { type: 'lesson', verb: 'finished' },

  texts: {
    certificateCondition: `Watch ${formatPercent(requiredShare)} of it`,
    markedButNotEarned: `Your certificate counts this video once you’ve watched ${formatPercent(requiredShare)} of it. Marking it as done counts toward your progress only.`,
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
  // Without this, 0.29 would be 28%, because 0.29 * 100 is 28.999999999999996.
  const percent = Number((share * 100).toFixed(6))

  return `${Math.floor(percent)}%`
}

/** A video whose position is at most this many seconds before its end starts over. */
export const restartWithinSeconds = 2

/** Returns the second at which a video resumes. */
export function getResumeSeconds({ position }: LessonProgress, durationSeconds: number): number {
  const seconds = (position?.ms ?? 0) / 1000
  return seconds > durationSeconds - restartWithinSeconds ? 0 : seconds
}
