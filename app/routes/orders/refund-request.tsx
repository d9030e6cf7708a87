/** /Profile/purchases/:order/:kind: a learner asks for the money of their own order back. */
import { data, redirect } from 'react-router'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { currentShop } from '~/features/orders/open-shop.server'
import { findOrder } from '~/features/orders/order-record.server'
import { orderErrors } from '~/features/orders/order-texts'
import { ConfirmRefundPage } from '~/features/orders/refunds/confirm-refund-page'
import { refundKinds } from '~/features/orders/refunds/refund-options'
import { getRefundView } from '~/features/orders/refunds/refund-request-queries.server'
import { refundRequestForm, requestRefund } from '~/features/orders/refunds/refund-requests.server'
import {
  refundNotPossible,
  refundTitles,
  requestRefundTexts,
} from '~/features/orders/refunds/refund-texts'
import { db } from '~/server/database/client.server'
import { errorResponse, fieldErrorsResponse } from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { createClientAction } from '~/ui/form/client-action'
import { createNotFoundBoundary } from '~/ui/not-found-page'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/refund-request'

export function meta({ loaderData, matches }: Route.MetaArgs) {
  const title = loaderData ? refundTitles[loaderData.view.kind] : requestRefundTexts.title
  return pageMeta({ title, description: 'Get the money of an order back.', path: null, matches })
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { uid, displayTimezone } = context.get(signedInLearner)
  const { shop, order, kind } = await requireOwnOrder(params, uid)

  return { view: await getRefundView(shop, { order, kind }), timeZone: displayTimezone }
}

/** The learner has confirmed the request. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { uid } = context.get(signedInLearner)
  const { shop, order, kind } = await requireOwnOrder(params, uid)
  const form = await readForm(request)
  const submission = refundRequestForm.safeParse(Object.fromEntries(form))
  if (!submission.success) {
    return fieldErrorsResponse(submission.error, form)
  }

  // A second press of the button finds the request of the first one, which is fine.
  const view = await getRefundView(shop, { order, kind })
  const isReceived =
    view.request !== null ||
    (await requestRefund(shop, { orderId: order.id, kind, ...submission.data }))
  if (!isReceived) {
    return errorResponse(refundNotPossible, { status: 409, form })
  }

  // The page after the redirect shows the status of the request.
  return redirect(`/Profile/purchases/${order.id}/${kind}`, 303)
}

/** @throws 404 if nothing is for sale, and for an order of another learner */
async function requireOwnOrder(params: { order: string; requestKind: string }, uid: string) {
  const kind = refundKinds.find((refundKind) => refundKind === params.requestKind)
  const order = await findOrder(db, params.order)
  const isOwn = order !== null && order.uid === uid
  if (currentShop === null || kind === undefined || !isOwn) {
    throw data(orderErrors.noSuchOrder, { status: 404 })
  }

  return { shop: currentShop, order, kind }
}

export const clientAction = createClientAction<typeof action>()

export default function RefundRequestRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <ConfirmRefundPage {...loaderData} result={actionData} />
}

export const ErrorBoundary = createNotFoundBoundary({
  heading: 'There is no such order',
  title: 'Order not found',
  text: 'The address may be mistyped, or the order belongs to another account.',
  link: { to: '/Profile/purchases', label: 'Your purchases' },
})
