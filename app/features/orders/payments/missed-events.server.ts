import { inArray, isNotNull, sql } from 'drizzle-orm'
import { paymentEvents } from '~/server/database/schema'
import { reportError } from '~/server/operations/log.server'
import type { Shop } from '../shop.server'
import type { ProviderEvent } from './payment-provider.server'
import { findOrderIdByIntent, syncOrderWithProvider } from './sync-order.server'

const hourMs = 60 * 60_000
/** The provider lists its events of so many days. */
const listedMs = 30 * 24 * hourMs
const atOnce = 100

/**
 * Refunds and disputes that begin at the provider are known by their events only. This finds those
 * whose event was lost, by one request to the provider when there is nothing new. An event that
 * can't be handled is reported once, tried again each time, and listed by `orders check`.
 *
 * @returns looks once: at first a month back, then since the last look.
 */
export function createMissedEventsJob(
  shop: Shop,
  now = Date.now,
): (mayGoOn: () => boolean) => Promise<void> {
  let since = now() - listedMs
  return async (mayGoOn) => {
    const startedAt = now()
    const listed = await shop.provider.listMoneyEvents(new Date(since))
    for (let first = 0; first < listed.length; first += atOnce) {
      for (const event of await findNew(shop, listed.slice(first, first + atOnce))) {
        if (!mayGoOn()) {
          return
        }

        await syncOrderWithProvider(shop, event.orderId, event).catch((error) =>
          noteFailure(shop, event, error),
        )
      }
    }

    // The provider may list an event a little later than the time it bears.
    since = startedAt - hourMs
    const failed = isNotNull(paymentEvents.failedAt)
    for (const event of await shop.db
      .select()
      .from(paymentEvents)
      .where(failed)
      .orderBy(paymentEvents.failedAt)
      .limit(atOnce)) {
      if (!mayGoOn()) {
        return
      }

      await syncOrderWithProvider(shop, event.orderId, event).catch(() => {})
    }
  }
}

type MoneyEvent = { id: string; type: string; orderId: string }

async function findNew({ db }: Shop, events: readonly ProviderEvent[]): Promise<MoneyEvent[]> {
  const ids = events.map(({ id }) => id)
  const known = await db
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(inArray(paymentEvents.id, ids))
  const found: MoneyEvent[] = []
  for (const { id, type, orderId, intentId } of events) {
    if (known.some((event) => event.id === id)) {
      continue
    }

    // Events without an order here belong to another product with the same account at the provider.
    const order = orderId ?? (intentId && (await findOrderIdByIntent(db, intentId)))
    if (order) {
      found.push({ id, type, orderId: order })
    }
  }

  return found
}

async function noteFailure(
  { db }: Shop,
  { id, type, orderId }: MoneyEvent,
  error: unknown,
): Promise<void> {
  reportError(error)
  await db
    .insert(paymentEvents)
    .values({ id, type, orderId, failedAt: sql`now()` })
    .onConflictDoNothing()
}
