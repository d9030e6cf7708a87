import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { shop } from '~/features/orders/open-shop.server'
import { listPurchases } from '~/features/orders/purchase-queries.server'
import { PurchasesPage } from '~/features/orders/purchases-page'
import { db } from '~/server/database/client.server'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/purchases'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ title: 'Purchases', description: 'Your orders and receipts.', path: null, matches })
}

export async function loader({ context }: Route.LoaderArgs) {
  const { uid, displayTimezone } = context.get(signedInLearner)
  return { purchases: await listPurchases(db, uid, shop?.refundDays ?? null), timeZone: displayTimezone }
}

export default function PurchasesRoute({ loaderData }: Route.ComponentProps) {
  return <PurchasesPage {...loaderData} />
}
