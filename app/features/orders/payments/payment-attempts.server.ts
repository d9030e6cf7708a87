import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '~/server/database/client.server'
import { payments } from '~/server/database/schema'

/** Returns the number of an order's next payment: 1, 2, 3 and so on. */
export async function getNextAttempt(tx: Transaction, orderId: string): Promise<number> {
  const [latest] = await tx
    .select({ attempt: sql<number>`coalesce(max(${payments.attempt}), 0)::int` })
    .from(payments)
    .where(eq(payments.orderId, orderId))

  return latest ? latest.attempt + 1 : 1
}
