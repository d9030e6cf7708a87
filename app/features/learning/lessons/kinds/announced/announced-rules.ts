import { emptyProgress } from '../../../progress/lesson-progress'
import type { LessonKindRules } from '../lesson-kind-rules'

/** A lesson without material can't be finished. */
export const announcedRules: LessonKindRules = {
  isEarned() {
    return false
  },

  canBeMarkedDone() {
    return false
  },

  isFinishedByMark: false,

  countsForCertificate() {
    return false
  },

  fitProgressToLesson() {
    return { watched: [], answered: [], readToEnd: false }
  },

  getFinishedProgress() {
    return emptyProgress
  },

  describeProgress() {
    return null
  },

  activity: { type: 'lesson', verb: 'finished' },

  texts: { certificateCondition: '', markedButNotEarned: null, cannotBeMarkedYet: null },
}
