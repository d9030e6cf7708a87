/**
 * /Refund: get your money back for an order, without signing in.
 *
 * Step 1: a form asks for the order number and the email address. If they match, the server emails
 * a link to that address. Step 2: the link (/Refund?request=...) shows the refund request and a
 * button that confirms it.
 */

import { data, redirect } from 'react-router'
import { accountService } from '~/features/accounts/account-service.server'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import {
  consumeClientAttempts,
  createRequestContext,
} from '~/features/accounts/session/request-context.server'
import { currentShop } from '~/features/orders/open-shop.server'
import { ConfirmRefundPage } from '~/features/orders/refunds/confirm-refund-page'
import { verifyRequestLink } from '~/features/orders/refunds/refund-emails.server'
import type { RefundKind } from '~/features/orders/refunds/refund-options'
import {
  findOrderIdByEmail,
  findRefundRequestView,
  listPossibleKinds,
} from '~/features/orders/refunds/refund-request-queries.server'
import {
  confirmRefundRequest,
  refundRequestByEmailForm,
  requestRefundByEmail,
} from '~/features/orders/refunds/refund-requests.server'
import { refundNotPossible, requestRefundTexts } from '~/features/orders/refunds/refund-texts'
import { RequestRefundPage } from '~/features/orders/refunds/request-refund-page'
import type { Shop } from '~/features/orders/shop.server'
import {
  errorResponse,
  fieldErrorsResponse,
  successResponse,
} from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { siteTimeZone } from '~/server/site/site.server'
import { createClientAction } from '~/ui/form/client-action'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/refund'

/**
 * The URL may contain a signed link, so the page must not be cached, and its full URL must not be
 * sent as a referrer. 'no-referrer' would also remove the Origin header, which the check against
 * cross-site requests needs.
 */
export function headers() {
  return { 'Cache-Control': 'no-store', 'Referrer-Policy': 'strict-origin' }
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    title: requestRefundTexts.title,
    description: 'Get the money of an order back.',
    path: null,
    matches,
  })
}

/**
 * Loads the refund request behind the link. The loader must not confirm it, because email scanners
 * open every link.
 */
export async function loader({ url }: Route.LoaderArgs) {
  const shop = requireShop()
  const requestId = await verifyRequestLink(url.searchParams)
  const view = requestId === null ? null : await findRefundRequestView(shop, requestId)

  const offeredKinds = await listPossibleKinds(shop)
  // The link of a request that was made in time works even if the school takes nothing back any
  // more.
  if (view === null) {
    requireOfferedKind(offeredKinds)
  }

  return {
    view,
    isLinkInvalid: view === null && url.searchParams.has('request'),
    seller: formatSeller(shop.seller),
    offeredKinds,
    // The visitor is not signed in, so their own time zone is unknown.
    timeZone: siteTimeZone(),
  }
}

export async function action({ request, url }: Route.ActionArgs) {
  const shop = requireShop()
  const hasLink = url.searchParams.has('request')
  if (hasLink) {
    return confirmFromLink(shop, url)
  }

  requireOfferedKind(await listPossibleKinds(shop))
  const form = await readForm(request)
  return submitRequestForm(shop, request, form)
}

/** Step 1: somebody who is not signed in asks for their money back. */
async function submitRequestForm(shop: Shop, request: Request, form: FormData) {
  const submission = refundRequestByEmailForm.safeParse(Object.fromEntries(form))
  if (!submission.success) {
    return fieldErrorsResponse(submission.error, form)
  }

  const isWithinClientLimit = await consumeClientAttempts(
    accountService,
    createRequestContext(request),
    attemptLimits.refundByClient,
  )
  if (!isWithinClientLimit) {
    return errorResponse(requestRefundTexts.tooManyRequests, { status: 429, form })
  }

  const { kind, order: orderNumber, email, reason } = submission.data
  const orderId = await findOrderIdByEmail(shop.db, orderNumber, email)
  if (orderId !== null) {
    const isWithinOrderLimit = await accountService.attempts.consume(
      attemptLimits.refundByOrder,
      orderId,
    )
    if (isWithinOrderLimit) {
      await requestRefundByEmail(shop, { orderId, kind, reason })
    }
  }

  // The response is the same in every case, so that it does not reveal which orders and email
  // addresses exist.
  return successResponse()
}

/** Step 2: the button on the page behind the emailed link was pressed. */
async function confirmFromLink(shop: Shop, url: URL) {
  const requestId = await verifyRequestLink(url.searchParams)
  if (requestId === null) {
    return errorResponse(refundNotPossible, { status: 409 })
  }

  const isConfirmedNow = await confirmRefundRequest(shop, requestId)
  if (!isConfirmedNow) {
    // A second press of the button finds a request that is confirmed already, which is fine. As
    // long as the request is not confirmed, `view.request` is null.
    const view = await findRefundRequestView(shop, requestId)
    if (view === null || view.request === null) {
      return errorResponse(refundNotPossible, { status: 409 })
    }
  }

  // The page after the redirect shows the status of the request.
  return redirect(url.pathname + url.search, 303)
}

/** @throws 404 if nothing is for sale */
function requireShop(): Shop {
  if (currentShop === null) {
    throw data('Not found.', { status: 404 })
  }

  return currentShop
}

/** @throws 404 if the school takes nothing back */
function requireOfferedKind(offeredKinds: readonly RefundKind[]): void {
  if (offeredKinds.length === 0) {
    throw data('Not found.', { status: 404 })
  }
}

function formatSeller({ name, address }: Shop['seller']): string {
  return [name, ...address.split('\n')].filter(Boolean).join(', ')
}

export const clientAction = createClientAction<typeof action>()

export default function RefundRoute({ loaderData, actionData }: Route.ComponentProps) {
  const { view, isLinkInvalid, seller, offeredKinds, timeZone } = loaderData
  if (view === null) {
    return (
      <RequestRefundPage
        offeredKinds={offeredKinds}
        isLinkInvalid={isLinkInvalid}
        seller={seller}
        result={actionData}
      />
    )
  }

  return (
    <ConfirmRefundPage
      view={view}
      timeZone={timeZone}
      result={actionData}
      // The form of step 1 has asked for the reason.
      hasReasonField={false}
      backLink={{ to: '/', label: 'Home' }}
    />
  )
}
