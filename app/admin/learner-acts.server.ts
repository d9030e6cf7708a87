import type { Act } from './act.server'
import { learnerAccessActs } from './learner-access-acts.server'
import { learnerCourseActs } from './learner-course-acts.server'
import { learnerLookupActs } from './learner-lookup-acts.server'

/** About one learner. */
export const learnerActs: Act[] = [...learnerLookupActs, ...learnerCourseActs, ...learnerAccessActs]
