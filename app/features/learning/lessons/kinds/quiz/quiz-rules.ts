import { byCount } from '~/ui/format-count'
import { emptyProgress } from '../../../progress/lesson-progress'
import type { LessonKindRules } from '../lesson-kind-rules'

/**
 * A quiz is earned once every question was answered, correctly or not. A learner can mark it as
 * done before that, but then the certificate does not count it.
 */
export const quizRules: LessonKindRules = {
  isEarned({ questionIds }, { answered }) {
    return questionIds.every((id) => answered.includes(id))
  },

  canBeMarkedDone() {
    return true
  },

  isFinishedByMark: false,

  countsForCertificate({ isEarned }) {
    return isEarned
  },

  fitProgressToLesson({ questionIds }, { answered }) {
    // Questions may have been removed from the quiz.
    const answeredIds = answered.filter((id) => questionIds.includes(id))

    return { watched: [], answered: answeredIds, readToEnd: false }
  },

  getFinishedProgress({ questionIds }) {
    // The answered questions of a progress are always sorted.
    return { ...emptyProgress, answered: questionIds.toSorted() }
  },

  describeProgress({ questionIds }, { answered }) {
    const answeredCount = questionIds.filter((id) => answered.includes(id)).length
    if (answeredCount === 0) {
      return null
    }

    return byCount(
      questionIds.length,
      `answered ${answeredCount} of 1 question`,
      `answered ${answeredCount} of ${questionIds.length} questions`,
    )
  },

  activity: { type: 'quiz', verb: 'answered' },

  texts: {
    certificateCondition: 'Answer every question',
    markedButNotEarned:
      'Your certificate counts this quiz once you’ve answered every question. Marking it as done counts toward your progress only.',
    cannotBeMarkedYet: null,
  },
}
