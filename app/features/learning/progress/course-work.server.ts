import type { Database, Transaction } from '~/server/database/client.server'

/**
 * The consequences of finished work, in the same transaction: completion, certificate and
 * achievements. A later feature implements it (`certificates/finished-work.server.ts`).
 */
export type FollowUp = (
  transaction: Transaction,
  work: { uid: string; courseId: string },
  now: Date,
) => Promise<unknown>

/** Dependencies of recording a learner's work. */
export type CourseWork = { db: Database; followUp: FollowUp }
