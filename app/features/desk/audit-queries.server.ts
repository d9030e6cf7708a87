import { and, desc, eq, gte } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { operatorActs } from '~/server/database/schema'

export type AuditEntry = typeof operatorActs.$inferSelect

/** The latest entries, newest first. @param filter.subject the uid of a learner, or the ID of another affected object. */
export function listAuditEntries(
  db: Database,
  { subject, since, limit }: { subject?: string; since?: Date; limit: number },
): Promise<AuditEntry[]> {
  return db
    .select()
    .from(operatorActs)
    .where(and(subject ? eq(operatorActs.subject, subject) : undefined, since && gte(operatorActs.at, since)))
    .orderBy(desc(operatorActs.at), desc(operatorActs.id))
    .limit(limit)
}
