import { requireLearner } from '~/features/accounts/session/require-learner.server'

/** Only signed-in learners may open the routes below this one. */
export const middleware = [requireLearner()]
