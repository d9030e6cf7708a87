import { data, redirect } from 'react-router'
import { shop } from '~/features/orders/open-shop.server'
import { unknownOrder, unsignedEvent } from '~/features/orders/order-texts'
import { UnsignedEventError } from '~/features/orders/payments/payment-provider.server'
import {
  findOrderIdByIntent,
  syncOrderWithProvider,
} from '~/features/orders/payments/sync-order.server'
import { db } from '~/server/database/client.server'
import type { Route } from './+types/payment-events'

export function loader() {
  return redirect('/')
}

/**
 * Events of the payment provider. They only say which order to look at; what is true, the provider
 * is asked.
 */
export async function action({ request }: Route.ActionArgs) {
  if (!shop) {
    throw data(unknownOrder, { status: 404 })
  }

  // Signed as it is, so that nothing is parsed before the signature is proven.
  const body = await request.text()
  const signature = request.headers.get('stripe-signature') ?? ''
  const event = await shop.provider.readEvent(body, signature).catch((error) => {
    if (error instanceof UnsignedEventError) {
      throw new Response(unsignedEvent, { status: 400 })
    }

    throw error
  })
  const { id, type, intentId } = event
  const orderId = event.orderId ?? (intentId && (await findOrderIdByIntent(db, intentId)))
  if (!orderId && !intentId) {
    return new Response('This event is about no order.')
  }

  const order = orderId && (await syncOrderWithProvider(shop, orderId, { id, type }))
  // The provider sends it again later.
  if (!order) {
    throw new Response(unknownOrder, { status: 500 })
  }

  return new Response('ok')
}
