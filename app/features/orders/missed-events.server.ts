import { inArray } from 'drizzle-orm'
import { paymentEvents } from '~/server/database/schema'
import { reportError } from '~/server/operations/log.server'
import { findOrderOfIntent, fulfillOrder } from './fulfill-order.server'
import type { Shop } from './shop.server'

const hourMs = 60 * 60_000
/** The provider lists its events of so many days. */
const listedMs = 30 * 24 * hourMs
const atOnce = 100

/**
 * Refunds and disputes that begin at the provider are known by their events only. This finds those whose event was lost, by
 * one request to the provider when there is nothing new.
 *
 * @returns looks once: at first a month back, then since the last look.
 */
export function watchMissedEvents(shop: Shop, now = Date.now): (mayGoOn: () => boolean) => Promise<void> {
  let since = now() - listedMs
  return async (mayGoOn) => {
    const startedAt = now()
    let isComplete = true
    const events = await shop.provider.listMoneyEvents(new Date(since))
    for (let first = 0; first < events.length; first += atOnce) {
      const part = events.slice(first, first + atOnce)
      const ids = part.map(({ id }) => id)
      const known = await shop.db
        .select({ id: paymentEvents.id })
        .from(paymentEvents)
        .where(inArray(paymentEvents.id, ids))
      const handled = new Set(known.map(({ id }) => id))
      for (const { id, type, orderId, intentId } of part) {
        if (handled.has(id)) continue
        if (!mayGoOn()) return
        // Another product may use the same account of the provider: its events have no order here.
        const found = orderId ?? (intentId && (await findOrderOfIntent(shop.db, intentId)))
        if (!found) continue
        await fulfillOrder(shop, found, { id, type }).catch((error) => {
          reportError(error)
          isComplete = false
        })
      }
    }
    // What an event is about may be listed a little later than its time. What failed is looked at again.
    if (isComplete) since = startedAt - hourMs
  }
}
