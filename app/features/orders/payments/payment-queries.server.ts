import { eq, max } from 'drizzle-orm'
import type { Database, Transaction } from '~/server/database/client.server'
import { payments } from '~/server/database/schema'

/** Returns the number of an order's next payment: 1, 2, 3 and so on. */
export async function getNextAttemptNumber(tx: Transaction, orderId: string): Promise<number> {
  const [latest] = await tx
    .select({ attempt: max(payments.attempt) })
    .from(payments)
    .where(eq(payments.orderId, orderId))

  // Before the first payment, there is no latest attempt.
  return (latest?.attempt ?? 0) + 1
}

/**
 * Returns the ID of the order that a payment belongs to, or null if no payment with this ID
 * is stored.
 *
 * @param intentId the provider's ID of the payment
 */
export async function findOrderIdByIntent(
  db: Pick<Database, 'select'>,
  intentId: string,
): Promise<string | null> {
  const [payment] = await db
    .select({ orderId: payments.orderId })
    .from(payments)
    .where(eq(payments.intentId, intentId))

  return payment?.orderId ?? null
}
