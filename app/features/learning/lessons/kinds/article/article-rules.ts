import { emptyProgress } from '../../../progress/lesson-progress'
import type { LessonKindRules } from '../lesson-kind-rules'

/** An article is done once the learner has seen its end and then marked it as done. */
export const articleRules: LessonKindRules = {
  isEarned() {
    // Having the end on the screen doesn't prove that the text was read, so the mark is needed,
    // too.
    return false
  },

  canBeMarkedDone({ readToEnd }) {
    return readToEnd
  },

  isFinishedByMark: true,

  countsForCertificate({ isEarned, isDone, readToEnd }) {
    // A lesson that was earned as a video stays earned after it has become an article.
    return isEarned || (isDone && readToEnd)
  },

  fitProgressToLesson(_lesson, { readToEnd }) {
    return { watched: [], answered: [], readToEnd }
  },

  getFinishedProgress(_lesson, finishedAt) {
    return { ...emptyProgress, mark: { value: 'done', at: finishedAt }, readToEnd: true }
  },

  describeProgress(_lesson, { readToEnd }) {
    return readToEnd ? 'read to the end' : null
  },

  activity: { type: 'lesson', verb: 'finished' },

  texts: {
    certificateCondition: 'Read it to the end',
    markedButNotEarned: null,
    cannotBeMarkedYet: 'Read to the end to mark this article as done.',
  },
}
