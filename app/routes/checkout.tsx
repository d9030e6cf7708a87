import { redirect, redirectDocument } from 'react-router'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { hasAccess } from '~/features/enrollment/course-access.server'
import { listEnrolledCourseIds } from '~/features/enrollment/enrollment-queries.server'
import { buyerForm } from '~/features/orders/buyer'
import { startCheckout } from '~/features/orders/checkout.server'
import { CheckoutPage } from '~/features/orders/checkout-page'
import { shop } from '~/features/orders/open-shop.server'
import { alreadyOwned, checkoutTitle, paymentUnavailable } from '~/features/orders/order-messages'
import { OwnedPage } from '~/features/orders/paid-page'
import { findBegunOrder, findLastBuyer, findOffer } from '~/features/orders/purchase-queries.server'
import { checkWaiver } from '~/features/orders/refund-requests/withdrawal-waiver'
import { db } from '~/server/database/client.server'
import { refuse, refuseFields } from '~/server/http/action-result.server'
import { readForm } from '~/server/http/request-body.server'
import { reportError } from '~/server/operations/log.server'
import { refuseUnanswered } from '~/ui/connection'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/checkout'

export function meta({ loaderData, matches }: Route.MetaArgs) {
  const title = loaderData && 'owned' in loaderData ? alreadyOwned : checkoutTitle
  return pageMeta({ title, description: 'Buy a Learnify course.', path: null, matches })
}

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { uid, email } = context.get(signedInLearner)
  const offer = shop && (await findOffer(shop, params.slug))
  if (!offer) throw redirect(`/OneCourse/${params.slug}`)
  if (await hasAccess(db, uid, offer.course.id)) {
    const { id, title } = offer.course
    return { owned: { id, title, wasLeft: !(await listEnrolledCourseIds(db, uid)).includes(id) } }
  }
  const begun = await findBegunOrder(db, uid, offer.course.id)
  if (begun?.state === 'processing') throw redirect(paidAddress(offer.course.id, begun.id))
  if (begun?.boundMinor) offer.course.priceMinor = begun.boundMinor
  const buyer = await findLastBuyer(db, uid)
  return { offer, email, buyer, canceled: url.searchParams.has('canceled') }
}

/** Leads to the payment provider's page, with and without scripts. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const learner = context.get(signedInLearner)
  const coursePage = `/OneCourse/${params.slug}`
  if (!shop) throw redirect(coursePage)
  const form = await readForm(request)
  const typed = buyerForm.safeParse(Object.fromEntries(form))
  if (!typed.success) return refuseFields(typed.error, form)
  const ticked = form.get('waiver')
  const waiver = checkWaiver(shop.waiver, ticked === null ? null : String(ticked))
  if ('error' in waiver) return refuse({ waiver: waiver.error }, { form })
  const buyer = { ...typed.data, name: learner.displayName, email: learner.email }
  try {
    const start = await startCheckout(shop, learner.uid, params.slug, buyer, waiver.text)
    if (start.outcome === 'pay') return redirectDocument(start.url, { status: 303 })
    if (start.outcome === 'processing') return redirect(paidAddress(params.slug, start.orderId))
    // This page says so.
    if (start.outcome === 'owned') return redirect(`/Checkout/${params.slug}`)
    return redirect(coursePage)
  } catch (error) {
    reportError(error, { request })
    return refuse(paymentUnavailable, { status: 503, form })
  }
}

const paidAddress = (courseId: string, orderId: string) => `/Checkout/${courseId}/paid?order=${orderId}`

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return serverAction().catch(refuseUnanswered)
}

export default function CheckoutRoute({ loaderData, actionData }: Route.ComponentProps) {
  if (loaderData.owned) return <OwnedPage course={loaderData.owned} />
  return <CheckoutPage {...loaderData} result={actionData} />
}
