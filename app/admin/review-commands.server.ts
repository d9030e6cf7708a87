import { listReviews, setReviewHidden } from '~/features/reviews/review-queries.server'
import { StartError } from '~/server/env.server'
import type { AdminCommand, CommandCall } from './admin-command.server'
import { audited } from './audit.server'
import { limitOption, listed } from './command-output.server'
import { unknownCourse } from './course-commands.server'

export const reviewCommands: AdminCommand[] = [
  {
    name: 'review list',
    takes: ['COURSE'],
    options: { limit: limitOption(100, 10_000) },
    says: 'list learners’ reviews of a course, newest first',
    effect: 'reads',
    run: ({ db, given: [course = ''], options }) =>
      listed({
        options,
        usual: 100,
        most: 10_000,
        async find(limit) {
          const reviews = await listReviews(db, course, limit)
          if (!reviews) throw unknownCourse([course])
          return reviews
        },
        shown: ({ id, rating, hidden, comment }) => ({
          ID: id,
          RATING: `${rating} of 5`,
          STATE: hidden ? 'hidden' : 'shown',
          COMMENT: comment,
        }),
        none: 'No learner has reviewed this course yet.',
      }),
  },
  {
    name: 'review hide',
    takes: ['COURSE', 'ID'],
    says: 'hide a review from everyone but its author',
    effect: 'changes',
    run: (call) => setHidden(call, true),
  },
  {
    name: 'review show',
    takes: ['COURSE', 'ID'],
    says: 'show a hidden review again',
    effect: 'changes',
    run: (call) => setHidden(call, false),
  },
]

async function setHidden({ db, actor, given: [courseId = '', name = ''] }: CommandCall, hidden: boolean) {
  const { outcome } = await audited(db, actor, async (transaction) => {
    const review = await setReviewHidden(transaction, { courseId, name }, hidden)
    if (!review) throw new StartError(`The course '${courseId}' has no review with the ID '${name}'.`)
    const outcome = hidden ? 'The review is now hidden.' : 'The review is now visible.'
    return { subject: review.uid, arguments: { course: courseId, review: review.id }, outcome }
  })
  return { text: `${outcome} Pages update within two seconds.` }
}
