import { data, redirect } from 'react-router'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { shop } from '~/features/orders/open-shop.server'
import { noSuchOrder } from '~/features/orders/order-texts'
import { RefundPage } from '~/features/orders/refunds/confirm-refund-page'
import { askForm } from '~/features/orders/refunds/refund-forms'
import { type RefundKind, refundKinds } from '~/features/orders/refunds/refund-options'
import { findRefundView } from '~/features/orders/refunds/refund-request-queries.server'
import { askForMoney } from '~/features/orders/refunds/refund-requests.server'
import { moneyBackTitle, notPossible, refundTitles } from '~/features/orders/refunds/refund-texts'
import type { Shop } from '~/features/orders/shop.server'
import { refuse, refuseFields } from '~/server/http/action-result.server'
import { readForm } from '~/server/http/request-body.server'
import { refuseUnanswered } from '~/ui/connection'
import { NotFoundBoundary } from '~/ui/not-found-page'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/refund-request'

export function meta({ loaderData, matches }: Route.MetaArgs) {
  const title = loaderData ? refundTitles[loaderData.view.kind] : moneyBackTitle
  return pageMeta({ title, description: 'Get the money of an order back.', path: null, matches })
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { uid, displayTimezone } = context.get(signedInLearner)
  const { view } = await requireView(params, uid)
  return { view, timeZone: displayTimezone }
}

/** The learner has confirmed. Sent twice, it shows what the first one did. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { uid } = context.get(signedInLearner)
  const { shop, view } = await requireView(params, uid)
  const form = await readForm(request)
  const typed = askForm.safeParse(Object.fromEntries(form))
  if (!typed.success) {
    return refuseFields(typed.error, form)
  }

  const { kind, order } = view
  const isTaken =
    view.request !== null || (await askForMoney(shop, { orderId: order.id, kind, ...typed.data }))

  return isTaken
    ? redirect(`/Profile/purchases/${order.id}/${kind}`, 303)
    : refuse(notPossible, { status: 409, form })
}

/** @throws 404 for an order of another learner. */
async function requireView({ order = '', kind }: { order?: string; kind?: string }, uid: string) {
  const known = refundKinds.find((each): each is RefundKind => each === kind)
  const view = shop && known && (await findRefundView(shop, { orderId: order, kind: known, uid }))
  if (!view) {
    throw data(noSuchOrder, { status: 404 })
  }

  return { shop: shop as Shop, view }
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return serverAction().catch(refuseUnanswered)
}

export default function RefundRequestRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <RefundPage {...loaderData} result={actionData} />
}

export function ErrorBoundary() {
  return (
    <NotFoundBoundary
      heading="There is no such order"
      title="Order not found"
      way={{ to: '/Profile/purchases', text: 'Your purchases' }}
    >
      The address may be mistyped, or the order belongs to another account.
    </NotFoundBoundary>
  )
}
