/** /payments/events: the payment provider's webhook. */
import { data, redirect } from 'react-router'
import { currentShop } from '~/features/orders/open-shop.server'
import { orderErrors } from '~/features/orders/order-texts'
import { findOrderIdByIntent } from '~/features/orders/payments/payment-queries.server'
import { syncOrderWithProvider } from '~/features/orders/payments/sync-order.server'
import { db } from '~/server/database/client.server'
import type { Route } from './+types/payment-events'

/** A visitor who opens the webhook in a browser is redirected to Home. */
export function loader() {
  return redirect('/')
}

/** An event only names an order. Its status is then read from the provider. */
export async function action({ request }: Route.ActionArgs) {
  if (currentShop === null) {
    throw data(orderErrors.unknownOrder, { status: 404 })
  }

  // The signature covers the bytes of the body, so the body is not parsed before.
  const body = await request.text()
  const signature = request.headers.get('stripe-signature') ?? ''
  const event = await currentShop.provider.readSignedEvent(body, signature)
  if (event === null) {
    throw new Response(orderErrors.unsignedEvent, { status: 400 })
  }

  const { id, type, intentId } = event
  const orderId = event.orderId ?? (intentId && (await findOrderIdByIntent(db, intentId)))
  if (!orderId && !intentId) {
    return new Response('This event is about no order.')
  }

  const order = orderId ? await syncOrderWithProvider(currentShop, orderId, { id, type }) : null
  if (order === null) {
    // After status 500 the provider sends the event again later, when the order may exist.
    throw new Response(orderErrors.unknownOrder, { status: 500 })
  }

  return new Response('ok')
}
