import { sql } from 'drizzle-orm'
import type { Statements } from '~/server/database/client.server'

/**
 * Counts the payments on pages that are still open or just being opened, bank debits on their way,
 * and unfinished refunds.
 */
export async function countUnsettledPayments(db: Pick<Statements, 'execute'>): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select (
      (
        select count(*)
        from payments
        where state = 'processing'
          or (
            state = 'started'
            and expires_at > now()
            and (session_id is not null or created_at > now() - interval '1 minute')
          )
      )
      + (select count(*) from refunds where state in ('requested', 'pending'))
    )::int as count`)

  const [row] = rows
  if (!row) {
    throw new Error('The count of unsettled payments returned no row.')
  }

  return row.count
}
