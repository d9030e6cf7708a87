import { eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { paymentEvents } from '~/server/database/schema'
import { reportError } from '~/server/operations/log.server'
import type { Shop } from '../shop.server'
import type { ProviderEvent } from './payment-provider.server'
import { findOrderIdByIntent } from './payment-queries.server'
import { syncOrderWithProvider } from './sync-order.server'

const hourMs = 60 * 60_000
/** The provider lists its events of the last 30 days. */
const listedEventsMs = 30 * 24 * hourMs
const eventsPerPart = 100

type RefundEvent = { id: string; type: string; orderId: string }

/**
 * Creates the background job that handles events which never arrived. Refunds and disputes that
 * start at the provider are known by their events only. If there is nothing new, the job sends one
 * request to the provider.
 *
 * An event that can't be handled is reported once, tried again by each run, and listed by
 * `orders check`.
 *
 * @returns the job; its first run looks back a month, each later one to the previous run
 */
export function createMissedEventsJob(
  shop: Shop,
  now = Date.now,
): (mayContinue: () => boolean) => Promise<void> {
  let since = now() - listedEventsMs

  return async (mayContinue) => {
    const startedAt = now()
    const isFinished = await handleNewEvents(shop, new Date(since), mayContinue)
    if (!isFinished) {
      return
    }

    // The provider may list an event a little later than the time that the event bears.
    since = startedAt - hourMs
    await retryFailedEvents(shop, mayContinue)
  }
}

/** @returns whether all events were handled or reported */
async function handleNewEvents(
  shop: Shop,
  since: Date,
  mayContinue: () => boolean,
): Promise<boolean> {
  const listedEvents = await shop.provider.listRefundEvents(since)

  for (let start = 0; start < listedEvents.length; start += eventsPerPart) {
    const part = listedEvents.slice(start, start + eventsPerPart)
    for (const event of await filterNewEvents(shop, part)) {
      if (!mayContinue()) {
        return false
      }

      await syncOrderWithProvider(shop, event.orderId, event).catch((error) =>
        reportFailedEvent(shop, event, error),
      )
    }
  }

  return true
}

async function filterNewEvents(
  { db }: Shop,
  events: readonly ProviderEvent[],
): Promise<RefundEvent[]> {
  const eventIds = events.map(({ id }) => id)
  const knownEvents = await db
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(inArray(paymentEvents.id, eventIds))
  const knownIds = new Set(knownEvents.map(({ id }) => id))

  const newEvents: RefundEvent[] = []
  for (const { id, type, orderId: statedOrderId, intentId } of events) {
    if (knownIds.has(id)) {
      continue
    }

    const orderId = statedOrderId ?? (intentId && (await findOrderIdByIntent(db, intentId)))
    // An event without an order belongs to another product with the same account at the provider.
    if (orderId) {
      newEvents.push({ id, type, orderId })
    }
  }

  return newEvents
}

async function reportFailedEvent(
  { db }: Shop,
  { id, type, orderId }: RefundEvent,
  error: unknown,
): Promise<void> {
  reportError(error)
  await db
    .insert(paymentEvents)
    .values({ id, type, orderId, failedAt: sql`now()` })
    .onConflictDoNothing()
}

/**
 * Tries failed events again, in random order, so that those that fail again don't hold up the
 * others.
 */
async function retryFailedEvents(shop: Shop, mayContinue: () => boolean): Promise<void> {
  const failedEvents = await shop.db
    .select()
    .from(paymentEvents)
    .where(isNotNull(paymentEvents.failedAt))
    .orderBy(sql`random()`)
    .limit(eventsPerPart)

  for (const event of failedEvents) {
    if (!mayContinue()) {
      return
    }

    // The failure was reported the first time.
    await retryFailedEvent(shop, event).catch(() => {})
  }
}

async function retryFailedEvent(shop: Shop, event: RefundEvent): Promise<void> {
  const order = await syncOrderWithProvider(shop, event.orderId, event)
  if (order === null) {
    // The event belongs to another product. It is stored only because the database failed at its
    // arrival.
    await shop.db.delete(paymentEvents).where(eq(paymentEvents.id, event.id))
  }
}
