import type { Database } from '~/server/database/client.server'
import type { Transaction } from './course-work-lock.server'

/**
 * What follows from work that was just finished, in the same transaction; `learning/finished-work.server.ts` knows, and
 * sees what lies above lessons and exams.
 */
export type FollowUp = (
  transaction: Transaction,
  work: { uid: string; courseId: string },
  now: Date,
) => Promise<unknown>

/** Dependencies of recording a learner's work. */
export type CourseWork = { db: Database; followUp: FollowUp }
