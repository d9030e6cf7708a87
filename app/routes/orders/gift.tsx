import { data, redirect } from 'react-router'
import { findLearner } from '~/features/accounts/session/require-learner.server'
import { giftPath } from '~/features/orders/gifts/gift'
import { findGift, redeemGift } from '~/features/orders/gifts/gift-orders.server'
import { GiftPage } from '~/features/orders/gifts/gift-page'
import { giftPageTexts } from '~/features/orders/gifts/gift-texts'
import { db } from '~/server/database/client.server'
import { successResponse } from '~/server/http/form-response.server'
import { refuseInMaintenance } from '~/server/http/maintenance.server'
import { createClientAction } from '~/ui/form/client-action'
import { createNotFoundBoundary } from '~/ui/not-found-page'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/gift'

/**
 * The URL contains the code, so the page must not be cached, and its full URL must not be sent as a
 * referrer. 'no-referrer' would also remove the form's Origin header.
 */
export function headers() {
  return { 'Cache-Control': 'no-store', 'Referrer-Policy': 'strict-origin' }
}

export function meta({ loaderData, matches }: Route.MetaArgs) {
  const title = loaderData ? giftPageTexts.title : giftPageTexts.notFound.heading
  return pageMeta({ title, description: 'A course as a gift.', path: null, matches })
}

/** Opening the page redeems nothing, because email scanners open every link. */
export async function loader({ request, params }: Route.LoaderArgs) {
  refuseInMaintenance()
  const learner = await findLearner(request)
  const gift = await findGift(db, params.code, learner?.uid ?? null)
  if (!gift) {
    throw data(giftPageTexts.notFound.sentence, { status: 404 })
  }

  return { gift, isSignedIn: learner !== null }
}

export async function action({ request, params }: Route.ActionArgs) {
  refuseInMaintenance()
  const path = giftPath(params.code)
  const learner = await findLearner(request)
  if (!learner) {
    return redirect(`/Login?${new URLSearchParams({ from: path })}`)
  }

  if (!(await redeemGift(db, params.code, learner.uid))) {
    throw data(giftPageTexts.notFound.sentence, { status: 404 })
  }

  // The page shows the status of the gift after the redirect.
  return successResponse({}, { redirectTo: path })
}

export const clientAction = createClientAction<typeof action>()

export default function GiftRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <GiftPage {...loaderData} result={actionData} />
}

export const ErrorBoundary = createNotFoundBoundary({
  heading: giftPageTexts.notFound.heading,
  title: giftPageTexts.notFound.heading,
  text: giftPageTexts.notFound.sentence,
  link: { to: '/AllCourses', label: 'See all courses' },
})
