import { auditCommands } from './audit-commands.server'
import type { AdminCommand } from './command-definition.server'
import { courseCommands } from './course-commands.server'
import { learnerAccessCommands } from './learner-access-commands.server'
import { learnerCourseCommands } from './learner-course-commands.server'
import { learnerLookupCommands } from './learner-lookup-commands.server'
import { learnersCommands } from './learners-commands.server'
import { orderCommands } from './order-commands.server'
import { certificateCommands, reviewCommands } from './review-and-certificate-commands.server'
import { staffCommands } from './staff-commands.server'

/** Everything that `npm run admin` can do, in the order of its help. */
export const adminCommands: readonly AdminCommand[] = [
  ...learnerLookupCommands,
  ...learnerCourseCommands,
  ...learnerAccessCommands,
  ...learnersCommands,
  ...courseCommands,
  ...orderCommands,
  ...reviewCommands,
  ...certificateCommands,
  ...staffCommands,
  ...auditCommands,
]
