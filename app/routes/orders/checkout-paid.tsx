import { data } from 'react-router'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { findPaidOrder } from '~/features/orders/checkout/checkout-queries.server'
import { getPaidHeading, PaidPage } from '~/features/orders/checkout/paid-page'
import { currentShop } from '~/features/orders/open-shop.server'
import { checkoutTexts } from '~/features/orders/order-texts'
import { syncOrderWithProvider } from '~/features/orders/payments/sync-order.server'
import { db } from '~/server/database/client.server'
import { reportError } from '~/server/operations/log.server'
import { createNotFoundBoundary } from '~/ui/not-found-page'
import { pageMeta } from '~/ui/page-meta'
import { siteName } from '~/ui/site-name'
import type { Route } from './+types/checkout-paid'

export function meta({ loaderData, matches }: Route.MetaArgs) {
  const title = loaderData ? getPaidHeading(loaderData.order) : checkoutTexts.title
  return pageMeta({ title, description: `Your order at ${siteName()}.`, path: null, matches })
}

/**
 * Syncs an unpaid order with the payment provider first, so that the course is open even before the
 * provider's event arrives. Loading the page again changes nothing.
 */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { uid } = context.get(signedInLearner)
  const orderId = url.searchParams.get('order') ?? ''
  const orderBeforeSync = await findPaidOrder(db, uid, orderId)
  if (orderBeforeSync === null) {
    throw data('There is no such order.', { status: 404 })
  }

  if (currentShop && orderBeforeSync.status !== 'paid') {
    await syncOrderWithProvider(currentShop, orderId).catch((error) =>
      reportError(error, { request }),
    )
  }

  const order = await findPaidOrder(db, uid, orderId)
  return { order: order ?? orderBeforeSync }
}

export default function CheckoutPaidRoute({ loaderData }: Route.ComponentProps) {
  return <PaidPage order={loaderData.order} />
}

export const ErrorBoundary = createNotFoundBoundary({
  heading: 'There is no such order',
  title: 'Order not found',
  text: 'The address may be mistyped, or the order belongs to another account.',
  link: { to: '/Profile/purchases', label: 'Your purchases' },
})
