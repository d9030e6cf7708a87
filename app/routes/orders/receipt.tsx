import { data } from 'react-router'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { orderErrors } from '~/features/orders/order-texts'
import { findReceipt } from '~/features/orders/purchases/purchase-queries.server'
import { ReceiptPage } from '~/features/orders/receipts/receipt-page'
import { receiptTitle } from '~/features/orders/receipts/receipt-text'
import { db } from '~/server/database/client.server'
import { createNotFoundBoundary } from '~/ui/not-found-page'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/receipt'

export function meta({ loaderData, matches }: Route.MetaArgs) {
  const title = loaderData ? receiptTitle(loaderData) : 'Receipt'
  return pageMeta({ title, description: 'A receipt.', path: null, matches })
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { uid } = context.get(signedInLearner)
  const receipt = await findReceipt(db, uid, params.number)
  if (!receipt) {
    throw data(orderErrors.noSuchReceipt, { status: 404 })
  }

  return receipt
}

export default function ReceiptRoute({ loaderData }: Route.ComponentProps) {
  return <ReceiptPage {...loaderData} />
}

export const ErrorBoundary = createNotFoundBoundary({
  heading: 'There is no such receipt',
  title: 'Receipt not found',
  text: 'The address may be mistyped, or the receipt belongs to another account.',
  link: { to: '/Profile/purchases', label: 'Your purchases' },
})
