import { data, redirect } from 'react-router'
import { accountService } from '~/features/accounts/account-service.server'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import { countClientAttempt, openRequestContext } from '~/features/accounts/session/session.server'
import { shop } from '~/features/orders/open-shop.server'
import { RefundPage } from '~/features/orders/refunds/confirm-refund-page'
import { requestOfAddress } from '~/features/orders/refunds/refund-emails.server'
import { statementForm } from '~/features/orders/refunds/refund-forms'
import { refundKinds } from '~/features/orders/refunds/refund-options'
import {
  findOrderByAddress,
  findStatedView,
} from '~/features/orders/refunds/refund-request-queries.server'
import { confirmByMail, stateByMail } from '~/features/orders/refunds/refund-requests.server'
import {
  moneyBackTitle,
  notPossible,
  tooManyRequests,
} from '~/features/orders/refunds/refund-texts'
import { MoneyBackPage } from '~/features/orders/refunds/request-refund-page'
import type { Shop } from '~/features/orders/shop.server'
import { done, refuse, refuseFields } from '~/server/http/action-result.server'
import { readForm } from '~/server/http/request-body.server'
import { ButtonLink } from '~/ui/button'
import { refuseUnanswered } from '~/ui/connection'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/refund'

/**
 * The address may hold a link's signature, so it must not be cached or sent as a referrer.
 * 'no-referrer' would also remove the form's Origin.
 */
export function headers() {
  return { 'Cache-Control': 'no-store', 'Referrer-Policy': 'strict-origin' }
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    title: moneyBackTitle,
    description: 'Get the money of an order back.',
    path: null,
    matches,
  })
}

/** Changes nothing, because mail scanners open every link. */
export async function loader({ url }: Route.LoaderArgs) {
  const open = requireShop()
  const requestId = await requestOfAddress(url.searchParams)
  const view = requestId && (await findStatedView(open, requestId))
  const isLinkOver = !view && url.searchParams.has('request')
  const seller = [open.seller.name, ...open.seller.address.split('\n')].filter(Boolean).join(', ')

  return {
    view,
    isLinkOver,
    seller,
    kinds: refundKinds.filter((kind) => open.refundDays[kind] > 0),
  }
}

/** Mails a link; with the link's address, it is confirmed. */
export async function action({ request, url }: Route.ActionArgs) {
  const open = requireShop()
  const form = await readForm(request)
  if (url.searchParams.has('request')) {
    const requestId = await requestOfAddress(url.searchParams)
    const isTaken =
      requestId &&
      ((await confirmByMail(open, requestId)) || (await findStatedView(open, requestId))?.request)
    // The page says what became of it.
    return isTaken ? redirect(url.pathname + url.search, 303) : refuse(notPossible, { status: 409 })
  }

  const typed = statementForm.safeParse(Object.fromEntries(form))
  if (!typed.success) {
    return refuseFields(typed.error, form)
  }

  if (
    !(await countClientAttempt(
      accountService,
      openRequestContext(request),
      attemptLimits.refundByClient,
    ))
  ) {
    return refuse(tooManyRequests, { status: 429, form })
  }

  const { kind, order, email, reason } = typed.data
  const orderId = await findOrderByAddress(open.db, order, email)
  // The answer is always the same, so that it doesn't reveal which orders and addresses exist.
  if (orderId && (await accountService.attempts.take(attemptLimits.refundByOrder, orderId))) {
    await stateByMail(open, { orderId, kind, reason })
  }

  return done()
}

/** @throws 404 where nothing is sold, or nothing is taken back. */
function requireShop(): Shop {
  if (!shop || refundKinds.every((kind) => shop?.refundDays[kind] === 0)) {
    throw data('Not found.', { status: 404 })
  }

  return shop
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return serverAction().catch(refuseUnanswered)
}

export default function RefundRoute({ loaderData, actionData }: Route.ComponentProps) {
  const { view, isLinkOver, seller, kinds } = loaderData
  if (!view) {
    return <MoneyBackPage {...{ kinds, isLinkOver, seller }} result={actionData} />
  }

  return (
    <RefundPage
      view={view}
      timeZone="UTC"
      result={actionData}
      asksReason={false}
      way={
        <ButtonLink to="/" look="secondary">
          Home
        </ButtonLink>
      }
    />
  )
}
