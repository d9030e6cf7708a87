import { requireLearner } from '~/features/accounts/session/require-learner.server'

/** Everything below it is for signed-in learners only. */
export const middleware = [requireLearner()]
