import type { Act } from './act.server'
import { auditActs } from './audit-acts.server'
import { certificateActs } from './certificate-acts.server'
import { courseActs } from './course-acts.server'
import { learnerActs } from './learner-acts.server'
import { learnersActs } from './learners-acts.server'
import { reviewActs } from './review-acts.server'

/** Everything that `npm run admin` can do, in the order of its help. */
export const acts: readonly Act[] = [
  ...learnerActs,
  ...learnersActs,
  ...courseActs,
  ...reviewActs,
  ...certificateActs,
  ...auditActs,
]
