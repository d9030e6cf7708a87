/** /Checkout/:course: buy a course, for oneself or as a gift. */
import { data, redirect, redirectDocument, type ShouldRevalidateFunctionArgs } from 'react-router'
import { accountService } from '~/features/accounts/account-service.server'
import { createRequestContext } from '~/features/accounts/session/request-context.server'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { findCurrentIds } from '~/features/courses/content/content-renames.server'
import { hasAccess } from '~/features/enrollment/course-access.server'
import { listEnrolledCourseIds } from '~/features/enrollment/enrollment-queries.server'
import { parseCheckoutForm } from '~/features/orders/checkout/checkout-form'
import { CheckoutPage, checkoutSearch } from '~/features/orders/checkout/checkout-page'
import {
  findLastBuyer,
  findOffer,
  findOpenGift,
  findOpenOrder,
  findOrderForUnavailableCourse,
  findOwnedUnavailableCourse,
  getCheckoutPrice,
} from '~/features/orders/checkout/checkout-queries.server'
import { OwnedPage, UnavailablePage } from '~/features/orders/checkout/no-checkout-pages'
import {
  type CheckoutFormResult,
  submitCheckout,
} from '~/features/orders/checkout/submit-checkout.server'
import { currentShop } from '~/features/orders/open-shop.server'
import { checkoutTexts } from '~/features/orders/order-texts'
import { listTaxCountries } from '~/features/orders/receipts/tax'
import type { Shop } from '~/features/orders/shop.server'
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
import { areSalesPaused, refreshSite } from '~/server/site/site.server'
import { cleanCode } from '~/ui/form/clean-text'
import { createClientAction } from '~/ui/form/client-action'
import { pageMeta } from '~/ui/page-meta'
import { siteName } from '~/ui/site-name'
import type { Route } from './+types/checkout'

export function meta({ loaderData, matches }: Route.MetaArgs) {
  let title: string = checkoutTexts.title
  if (loaderData?.view === 'unavailable') {
    title = checkoutTexts.noLongerSold
  } else if (loaderData?.view === 'owned') {
    title = checkoutTexts.alreadyOwned
  }

  return pageMeta({ title, description: `Buy a ${siteName()} course.`, path: null, matches })
}

export async function loader({ request, params, context, url }: Route.LoaderArgs) {
  const { uid, email, displayName } = context.get(signedInLearner)
  const shop = requireShop(params.course)
  const isGift = url.searchParams.has('gift')
  const { currency } = shop
  const openOrder = await findOpenOrder(db, { uid, courseId: params.course, isGift, currency })

  const offer = await findOffer(shop, params.course)
  if (offer === null) {
    if (openOrder?.status === 'processing') {
      throw redirect(paidPath(params.course, openOrder.id))
    }

    return loadUnavailableCourse(uid, params.course, url)
  }

  const { id: courseId, title, priceMinor } = offer.course
  const isOwned = await hasAccess(db, uid, courseId)
  if (isOwned && !isGift) {
    return loadOwnedCourse(uid, { id: courseId, title, isForSale: true })
  }

  if (openOrder?.status === 'processing') {
    throw redirect(paidPath(courseId, openOrder.id))
  }

  // An empty code in the URL removes the coupon of the open order.
  const code = cleanCode(url.searchParams.get('coupon') ?? openOrder?.couponCode ?? '')
  const couponUse = { code, uid, courseId, isGift, priceMinor, currency }
  const initialGift = { recipientEmail: '', senderName: displayName, message: '' }

  return {
    view: 'checkout' as const,
    offer,
    email,
    isGift,
    isOnlyGift: isOwned,
    isCanceled: url.searchParams.has('canceled'),
    price: await getCheckoutPrice(db, getAttemptContext(request), couponUse, openOrder),
    gift: (await findOpenGift(db, uid, courseId)) ?? initialGift,
    buyer: await findLastBuyer(db, uid),
  }
}

/**
 * Loads what checkout says about a course that is not for sale.
 *
 * @throws a redirect if checkout has nothing to say about it
 */
async function loadUnavailableCourse(uid: string, courseId: string, url: URL) {
  const course = await findOrderForUnavailableCourse(db, uid, courseId)
  if (course !== null) {
    return { view: 'unavailable' as const, course }
  }

  const ownedTitle = await findOwnedUnavailableCourse(db, uid, courseId)
  if (ownedTitle !== null) {
    return loadOwnedCourse(uid, { id: courseId, title: ownedTitle, isForSale: false })
  }

  const currentIds = await findCurrentIds(db, courseId)
  if (currentIds !== null) {
    throw redirect(`/Checkout/${currentIds.courseId}${url.search}`)
  }

  throw redirect(coursePath(courseId))
}

async function loadOwnedCourse(
  uid: string,
  course: { id: string; title: string; isForSale: boolean },
) {
  const enrolledCourseIds = await listEnrolledCourseIds(db, uid)
  const isRemoved = !enrolledCourseIds.includes(course.id)
  return { view: 'owned' as const, course: { ...course, isRemoved } }
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const learner = context.get(signedInLearner)
  // Another process may have changed the payments within the last second. A payment page of the
  // previous account would not be known to the new one.
  await refreshSite(db)
  const shop = requireShop(params.course)
  const form = await readForm(request)

  if (form.get('intent') === 'coupon') {
    return applyCoupon(shop, request, { form, uid: learner.uid, courseId: params.course })
  }

  const submission = parseCheckoutForm(form, listTaxCountries(shop.taxRates))
  if (!submission.success) {
    return fieldErrorsResponse(submission.error, form)
  }

  const result = await submitCheckout(shop, getAttemptContext(request), learner, {
    courseId: params.course,
    submission: submission.data,
  }).catch((error) => {
    reportError(error, { request })
    return null
  })
  if (result === null) {
    return errorResponse(checkoutTexts.paymentUnavailable, { status: 503, form })
  }

  return toResponse(result, params.course, form)
}

/** Responds to the button beside the coupon's field. */
async function applyCoupon(
  shop: Shop,
  request: Request,
  { form, uid, courseId }: { form: FormData; uid: string; courseId: string },
) {
  const code = cleanCode(String(form.get('coupon') ?? ''))
  const isGift = form.get('gift') === 'on'
  if (!isSubmittedWithoutScript()) {
    // The page keeps what was entered, and its loader returns the price with the coupon.
    return redirect(`/Checkout/${courseId}${checkoutSearch(code, isGift)}`)
  }

  const offer = await findOffer(shop, courseId)
  if (offer === null) {
    throw redirect(`/Checkout/${courseId}`)
  }

  const { currency } = shop
  const { priceMinor } = offer.course
  const couponUse = { code, uid, courseId, isGift, priceMinor, currency }
  const openOrder = await findOpenOrder(db, couponUse)
  const price = await getCheckoutPrice(db, getAttemptContext(request), couponUse, openOrder)
  return successResponse({ price, submittedValues: readSubmittedValues(form) })
}

function toResponse(result: CheckoutFormResult, courseId: string, form: FormData) {
  switch (result.outcome) {
    case 'pay':
      return redirectDocument(result.url, { status: 303 })

    case 'enrolled':
    case 'processing':
      return redirect(paidPath(courseId, result.orderId))

    case 'owned':
    case 'not for sale':
      // Checkout says so after the redirect.
      return redirect(`/Checkout/${courseId}`)

    case 'coupon refused':
      return errorResponse({ coupon: result.problem }, { form })

    case 'invalid':
      return errorResponse(result.errors, { form })

    case 'price changed':
      return priceChangedResponse(result.price, form)
  }
}

const priceChangedStatus = 409

type PriceChanged = Extract<CheckoutFormResult, { outcome: 'price changed' }>

function priceChangedResponse(price: PriceChanged['price'], form: FormData) {
  const submittedValues = readSubmittedValues(form)
  const errors = { form: checkoutTexts.priceChanged }
  return data(
    { done: false as const, errors, submittedValues, price },
    { status: priceChangedStatus },
  )
}

/** @throws a redirect to the course, whose page says so, while nothing can be bought */
function requireShop(courseId: string): Shop {
  if (currentShop === null || areSalesPaused()) {
    throw redirect(coursePath(courseId))
  }

  return currentShop
}

const getAttemptContext = (request: Request) => ({
  attempts: accountService.attempts,
  requestContext: createRequestContext(request),
})

const coursePath = (courseId: string) => `/OneCourse/${courseId}`
const paidPath = (courseId: string, orderId: string) =>
  `/Checkout/${courseId}/paid?order=${orderId}`

/** Statuses after which the page loads its data again: its price or its terms may be outdated. */
const outdatedPageStatuses = [400, priceChangedStatus]

/** By itself, React Router does not load the page's data again after a refused form. */
export function shouldRevalidate({
  actionStatus,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  return defaultShouldRevalidate || outdatedPageStatuses.includes(actionStatus ?? 200)
}

export const clientAction = createClientAction<typeof action>()

export default function CheckoutRoute({ loaderData, actionData }: Route.ComponentProps) {
  switch (loaderData.view) {
    case 'unavailable':
      return <UnavailablePage course={loaderData.course} />

    case 'owned':
      return <OwnedPage course={loaderData.course} />

    case 'checkout': {
      const { view: _, ...checkout } = loaderData
      return <CheckoutPage {...checkout} result={actionData} />
    }
  }
}
