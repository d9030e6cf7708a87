import { data, redirect, redirectDocument } from 'react-router'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { hasAccess } from '~/features/enrollment/course-access.server'
import { buyerForm } from '~/features/orders/buyer'
import { startCheckout } from '~/features/orders/checkout.server'
import { CheckoutPage } from '~/features/orders/checkout-page'
import { shop } from '~/features/orders/open-shop.server'
import { checkoutTitle, paymentUnavailable } from '~/features/orders/order-messages'
import { findOffer } from '~/features/orders/purchase-queries.server'
import { db } from '~/server/database/client.server'
import { refuse } from '~/server/http/action-result.server'
import { readForm } from '~/server/http/request-body.server'
import { reportError } from '~/server/operations/log.server'
import { refuseUnanswered } from '~/ui/connection'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/checkout'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ title: checkoutTitle, description: 'Buy a Learnify course.', path: null, matches })
}

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { uid, email } = context.get(signedInLearner)
  const offer = shop && (await findOffer(shop, params.slug))
  if (!offer || (await hasAccess(db, uid, offer.course.id))) throw redirect(`/OneCourse/${params.slug}`)
  return data({ offer, email, canceled: url.searchParams.has('canceled') })
}

/** Leads to the payment provider's page, with and without scripts. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const learner = context.get(signedInLearner)
  const coursePage = `/OneCourse/${params.slug}`
  if (!shop) throw redirect(coursePage)
  const form = await readForm(request)
  const typed = buyerForm.safeParse(Object.fromEntries(form))
  if (!typed.success) {
    const errors = Object.fromEntries(typed.error.issues.map(({ path, message }) => [path.join('.'), message]))
    return refuse(errors, { form })
  }
  const buyer = { ...typed.data, name: learner.displayName, email: learner.email }
  try {
    const start = await startCheckout(shop, learner.uid, params.slug, buyer)
    if (start.outcome === 'pay') return redirectDocument(start.url, { status: 303 })
    if (start.outcome === 'processing') return redirect(`/Checkout/${params.slug}/paid?order=${start.orderId}`)
    return redirect(coursePage)
  } catch (error) {
    reportError(error, { request })
    return refuse(paymentUnavailable, { status: 503, form })
  }
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return serverAction().catch(refuseUnanswered)
}

export default function CheckoutRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <CheckoutPage {...loaderData} result={actionData} />
}
