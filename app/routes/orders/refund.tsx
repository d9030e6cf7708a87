/**
 * /Refund: get your money back for an order, without signing in.
 *
 * Step 1: a form asks for the order number and the email address. If they match, the server emails a
 * link to that address.
 * Step 2: the link (/Refund?request=...) shows the refund request and a button that confirms it.
 */

import { useRef } from 'react'
import { data, Form, Link, redirect, useNavigation } from 'react-router'
import { accountService } from '~/features/accounts/account-service.server'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import {
  consumeClientAttempts,
  createRequestContext,
} from '~/features/accounts/session/request-context.server'
import { currentShop } from '~/features/orders/open-shop.server'
import { ConfirmRefundPage } from '~/features/orders/refunds/confirm-refund-page'
import { verifyRequestLink } from '~/features/orders/refunds/refund-emails.server'
import {
  maxOrderNumberLength,
  maxRefundReasonLength,
  type RefundKind,
} from '~/features/orders/refunds/refund-options'
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
import {
  refundNotPossible,
  refundReasonLabel,
  requestRefundTexts,
} from '~/features/orders/refunds/refund-texts'
import type { Shop } from '~/features/orders/shop.server'
import {
  errorResponse,
  fieldErrorsResponse,
  successResponse,
} from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { siteTimeZone } from '~/server/site/site.server'
import { Button, ButtonLink } from '~/ui/button'
import { createClientAction } from '~/ui/form/client-action'
import { Field, TextAreaField } from '~/ui/form/field'
import { type FormResult, getFieldErrors } from '~/ui/form/form-result'
import { useFocusOnChange } from '~/ui/hooks'
import { Notice } from '~/ui/notice'
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
  // The link of a request that was made in time works even if the school takes nothing back any more.
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
    // A second press of the button finds a request that is confirmed already, which is fine. As long as
    // the request is not confirmed, `view.request` is null.
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

type RequestRefundPageProps = {
  /** The kinds of request that the school offers: a withdrawal, a goodwill refund or both. */
  offeredKinds: RefundKind[]
  /** Whether the visitor has opened a link that is wrong or has expired. */
  isLinkInvalid: boolean
  /** The seller's name and postal address, as on receipts. */
  seller: string
  result: FormResult | undefined
}

/** The page of step 1: the form or, after it was sent, a notice. */
function RequestRefundPage({
  offeredKinds,
  isLinkInvalid,
  seller,
  result,
}: RequestRefundPageProps) {
  const titleRef = useRef<HTMLHeadingElement>(null)
  const isSent = result?.done === true
  // The form disappears after it was sent, and with it the focus.
  useFocusOnChange(isSent, titleRef)

  return (
    <div className="column max-w-2xl py-8 lg:py-12">
      <h1 ref={titleRef} tabIndex={-1} className="title mb-6 outline-none">
        {requestRefundTexts.title}
      </h1>
      {isSent ? (
        <Notice variant="good">{requestRefundTexts.sent}</Notice>
      ) : (
        <RequestForm
          offeredKinds={offeredKinds}
          isLinkInvalid={isLinkInvalid}
          seller={seller}
          result={result}
        />
      )}
    </div>
  )
}

/** The form of step 1. */
function RequestForm({ offeredKinds, isLinkInvalid, seller, result }: RequestRefundPageProps) {
  const errors = getFieldErrors(result)
  const submittedValues = result?.done === false ? result.submittedValues : undefined
  const isBusy = useNavigation().formMethod !== undefined
  const problem =
    errors.form ?? (isLinkInvalid && !result ? requestRefundTexts.linkExpired : undefined)

  return (
    <Form method="post" action="/Refund" className="grid gap-5">
      {problem && <Notice variant="bad">{problem}</Notice>}
      <p className="text-muted">
        {requestRefundTexts.intro}{' '}
        <Link to="/Profile/purchases" className="link">
          Or sign in and open your purchases.
        </Link>
      </p>
      <fieldset>
        <legend className="mb-1.5 font-medium">What would you like to do?</legend>
        {offeredKinds.map((kind, index) => (
          <label key={kind} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name="kind"
              value={kind}
              defaultChecked={submittedValues?.kind ? submittedValues.kind === kind : index === 0}
              className="size-5 shrink-0 accent-accent"
            />
            {requestRefundTexts.choices[kind]}
          </label>
        ))}
      </fieldset>
      <Field
        label="Order number"
        name="order"
        autoComplete="off"
        spellCheck={false}
        maxLength={maxOrderNumberLength}
        required
        defaultValue={submittedValues?.order}
        error={errors.order}
      />
      <Field
        label="Email address of the order"
        name="email"
        type="email"
        autoComplete="email"
        required
        defaultValue={submittedValues?.email}
        error={errors.email}
      />
      <TextAreaField
        label={refundReasonLabel}
        name="reason"
        dir="auto"
        maxLength={maxRefundReasonLength}
        defaultValue={submittedValues?.reason}
        error={errors.reason}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" disabled={isBusy}>
          Continue
        </Button>
        <ButtonLink to="/" variant="quiet">
          Cancel
        </ButtonLink>
      </div>
      <p className="border-line border-t pt-5 text-muted [overflow-wrap:anywhere]">
        {requestRefundTexts.afterAccountDeletion} {seller}
      </p>
    </Form>
  )
}
