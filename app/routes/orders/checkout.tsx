import { data, redirect, redirectDocument, type ShouldRevalidateFunctionArgs } from 'react-router'
import { accountService } from '~/features/accounts/account-service.server'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { openRequestContext } from '~/features/accounts/session/session.server'
import { hasAccess } from '~/features/enrollment/course-access.server'
import { listEnrolledCourseIds } from '~/features/enrollment/enrollment-queries.server'
import { buyerForm } from '~/features/orders/checkout/buyer-form'
import {
  type CheckoutOffer,
  CheckoutPage,
  checkoutSearch,
} from '~/features/orders/checkout/checkout-page'
import { OwnedPage, UnsoldPage } from '~/features/orders/checkout/paid-page'
import { startCheckout } from '~/features/orders/checkout/start-checkout.server'
import { checkWaiver } from '~/features/orders/checkout/withdrawal-waiver'
import { normalizeCode } from '~/features/orders/coupons/coupon'
import { quotePrice } from '~/features/orders/coupons/coupon-quote.server'
import { couponProblems } from '~/features/orders/coupons/coupon-texts'
import { giftForm } from '~/features/orders/gifts/gift'
import { shop } from '~/features/orders/open-shop.server'
import {
  alreadyOwned,
  checkoutTitle,
  noLongerSold,
  paymentUnavailable,
  priceChanged,
} from '~/features/orders/order-texts'
import {
  findBegunGift,
  findBegunOrder,
  findLastBuyer,
  findOffer,
  findOwnedWithdrawn,
  findUnsold,
} from '~/features/orders/purchases/purchase-queries.server'
import { findMoved } from '~/server/content/content-renames.server'
import { db } from '~/server/database/client.server'
import {
  errorResponse,
  fieldErrorsResponse,
  isSubmittedWithoutScript,
  readSubmittedValues,
  successResponse,
} from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { reportError } from '~/server/operations/log.server'
import { createClientAction } from '~/ui/form/client-action'
import { pageMeta } from '~/ui/page-meta'
import { siteName } from '~/ui/site-name'
import type { Route } from './+types/checkout'

export function meta({ loaderData, matches }: Route.MetaArgs) {
  const title = loaderData?.unsold ? noLongerSold : loaderData?.owned ? alreadyOwned : checkoutTitle
  return pageMeta({ title, description: `Buy a ${siteName()} course.`, path: null, matches })
}

export async function loader({ request, params, context, url }: Route.LoaderArgs) {
  const { uid, email, displayName } = context.get(signedInLearner)
  const offer = shop && (await findOffer(shop, params.course))
  const isGift = url.searchParams.has('gift')
  if (!offer) {
    const unpaid =
      shop &&
      (await findBegunOrder(db, { uid, courseId: params.course, currency: shop.currency, isGift }))
    if (unpaid?.state === 'processing') {
      throw redirect(paidAddress(params.course, unpaid.id))
    }

    const unsold = shop && (await findUnsold(db, uid, params.course))
    if (unsold) {
      return { unsold }
    }

    const title = shop && (await findOwnedWithdrawn(db, uid, params.course))
    if (title) {
      return { owned: await ownedCourse(uid, { id: params.course, title, isSold: false }) }
    }

    const moved = shop && (await findMoved(db, params.course))
    if (moved) {
      throw redirect(`/Checkout/${moved.courseId}${url.search}`)
    }

    throw redirect(`/OneCourse/${params.course}`)
  }

  const isOnlyGift = await hasAccess(db, uid, offer.course.id)
  if (isOnlyGift && !isGift) {
    const { id, title } = offer.course
    return { owned: await ownedCourse(uid, { id, title, isSold: true }) }
  }

  const begun = await findBegunOrder(db, {
    uid,
    courseId: offer.course.id,
    currency: offer.currency,
    isGift,
  })

  if (begun?.state === 'processing') {
    throw redirect(paidAddress(offer.course.id, begun.id))
  }

  // An empty code pays without the coupon of an order that was begun with one.
  const code = normalizeCode(url.searchParams.get('coupon') ?? begun?.couponCode ?? '')
  const quote = await quoteFor(request, uid, offer, code, isGift)
  const begunGift = await findBegunGift(db, uid, offer.course.id)
  const gift = begunGift ?? { recipientEmail: '', senderName: displayName, message: '' }
  const buyer = await findLastBuyer(db, uid)

  return {
    offer,
    email,
    buyer,
    quote,
    gift,
    isGift,
    isOnlyGift,
    canceled: url.searchParams.has('canceled'),
  }
}

async function ownedCourse(uid: string, course: { id: string; title: string; isSold: boolean }) {
  return { ...course, wasLeft: !(await listEnrolledCourseIds(db, uid)).includes(course.id) }
}

async function quoteFor(
  request: Request,
  uid: string,
  { course, currency }: CheckoutOffer,
  code: string,
  isGift: boolean,
) {
  const guessing = {
    attempts: accountService.attempts,
    requestContext: openRequestContext(request),
  }
  const use = { code, uid, courseId: course.id, isGift, priceMinor: course.priceMinor, currency }
  return quotePrice(db, guessing, use, await findBegunOrder(db, use))
}

/**
 * Leads to the payment provider's page, or answers what a coupon takes off; with and without
 * scripts.
 */
export async function action({ request, params, context }: Route.ActionArgs) {
  const learner = context.get(signedInLearner)
  const coursePage = `/OneCourse/${params.course}`
  const offer = shop && (await findOffer(shop, params.course))
  // This page says why.
  if (!shop || !offer) {
    throw redirect(shop ? `/Checkout/${params.course}` : coursePage)
  }

  const form = await readForm(request)
  const code = normalizeCode(String(form.get('coupon') ?? ''))
  const isGift = form.get('gift') === 'on'
  const quote = await quoteFor(request, learner.uid, offer, code, isGift)
  if (form.get('intent') === 'coupon') {
    // With scripts, the page stays with all that was typed, and its loader answers again.
    return isSubmittedWithoutScript()
      ? successResponse({ quote, submittedValues: readSubmittedValues(form) })
      : redirect(couponAddress(params.course, code, isGift))
  }

  const isFree = quote.coupon?.totalMinor === 0
  const countries = isFree ? [] : offer.countries.map((country) => country.code)
  const submission = buyerForm(countries).safeParse(Object.fromEntries(form))
  if (!submission.success) {
    return fieldErrorsResponse(submission.error, form)
  }

  const gift = isGift ? giftForm.safeParse(Object.fromEntries(form)) : null
  if (gift?.success === false) {
    return fieldErrorsResponse(gift.error, form)
  }

  const ticked = form.get('waiver')
  // A free order has no right of withdrawal.
  const waiver = checkWaiver(isFree ? null : shop.waiver, ticked === null ? null : String(ticked))
  if ('error' in waiver) {
    return errorResponse({ waiver: waiver.error }, { form })
  }

  // The page has said that already, and its button has named the price without a coupon.
  const isIgnored = quote.problem !== null && form.get('refusedCoupon') === code
  if (quote.problem && !isIgnored) {
    return errorResponse({ coupon: quote.problem }, { form })
  }

  const buyer = { ...submission.data, name: learner.displayName, email: learner.email }
  try {
    const couponCode = isIgnored || code === '' ? null : code
    const options = {
      couponCode,
      waiver: waiver.text,
      gift: gift ? gift.data : null,
      shown: shownPrice(form),
    }
    const start = await startCheckout(shop, learner.uid, params.course, buyer, options)
    if (start.outcome === 'pay') {
      return redirectDocument(start.url, { status: 303 })
    }

    if (start.outcome === 'processing' || start.outcome === 'enrolled') {
      return redirect(paidAddress(params.course, start.orderId))
    }

    if (start.outcome === 'coupon') {
      return errorResponse({ coupon: couponProblems[start.problem] }, { form })
    }

    if (start.outcome === 'changed') {
      const changed = {
        done: false as const,
        errors: { form: priceChanged },
        submittedValues: readSubmittedValues(form),
        quote,
      }

      return data(changed, { status: changedStatus })
    }

    // This page says so.
    if (start.outcome === 'owned') {
      return redirect(`/Checkout/${params.course}`)
    }

    return redirect(coursePage)
  } catch (error) {
    reportError(error, { request })
    return errorResponse(paymentUnavailable, { status: 503, form })
  }
}

/** The price that the form showed. */
function shownPrice(form: FormData) {
  const total = String(form.get('total') ?? '')
  const currency = form.get('currency')

  return /^\d+$/.test(total)
    ? { totalMinor: Number(total), currency: currency && String(currency) }
    : null
}

const couponAddress = (courseId: string, code: string, isGift: boolean) =>
  `/Checkout/${courseId}${checkoutSearch(code, isGift)}`
const paidAddress = (courseId: string, orderId: string) =>
  `/Checkout/${courseId}/paid?order=${orderId}`

const changedStatus = 409

/** A refused form usually leaves the page's data as it is; here it has changed. */
export function shouldRevalidate({
  actionStatus,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  return defaultShouldRevalidate || actionStatus === changedStatus
}

export const clientAction = createClientAction<typeof action>()

export default function CheckoutRoute({ loaderData, actionData }: Route.ComponentProps) {
  if (loaderData.unsold) {
    return <UnsoldPage course={loaderData.unsold} />
  }

  if (loaderData.owned) {
    return <OwnedPage course={loaderData.owned} />
  }

  return <CheckoutPage {...loaderData} result={actionData} />
}
