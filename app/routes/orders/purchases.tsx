/** /Profile/purchases: a learner's orders and receipts. */

import * as z from 'zod'
import { accountService } from '~/features/accounts/account-service.server'
import { attemptLimits } from '~/features/accounts/attempt-limits.server'
import { signedInLearner } from '~/features/accounts/session/require-learner.server'
import { recipientEmail } from '~/features/orders/gifts/gift'
import { resendOwnGift } from '~/features/orders/gifts/gift-orders.server'
import { resendProblems } from '~/features/orders/gifts/gift-texts'
import { currentShop } from '~/features/orders/open-shop.server'
import { listPurchases } from '~/features/orders/purchases/purchase-queries.server'
import { PurchasesPage } from '~/features/orders/purchases/purchases-page'
import { db } from '~/server/database/client.server'
import {
  errorResponse,
  fieldErrorsResponse,
  successResponse,
} from '~/server/http/form-response.server'
import { readForm } from '~/server/http/request-body.server'
import { createClientAction } from '~/ui/form/client-action'
import { pageMeta } from '~/ui/page-meta'
import type { Route } from './+types/purchases'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    title: 'Purchases',
    description: 'Your orders and receipts.',
    path: null,
    matches,
  })
}

export async function loader({ context }: Route.LoaderArgs) {
  const { uid, displayTimezone } = context.get(signedInLearner)
  return {
    purchases: await listPurchases(db, uid, currentShop?.currentRefundPeriods ?? null),
    timeZone: displayTimezone,
  }
}

const resendForm = z.object({ orderId: z.string(), recipientEmail })

/** Sends a gift again that the learner has given. */
export async function action({ request, context }: Route.ActionArgs) {
  const { uid } = context.get(signedInLearner)
  const form = await readForm(request)
  const submission = resendForm.safeParse(Object.fromEntries(form))
  if (!submission.success) {
    return fieldErrorsResponse(submission.error, form)
  }

  const { orderId, recipientEmail: email } = submission.data
  if (!(await accountService.attempts.consume(attemptLimits.giftMailByAccount, uid))) {
    return errorResponse({ recipientEmail: resendProblems.tooOften }, { status: 429, form })
  }

  const resent = await resendOwnGift(db, { orderId, giverUid: uid, email })
  if (!resent.ok) {
    return errorResponse({ recipientEmail: resent.problem }, { status: 409, form })
  }

  accountService.wakeEmailSender()

  return successResponse({ orderId, sentTo: resent.value.email })
}

export const clientAction = createClientAction<typeof action>()

export default function PurchasesRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <PurchasesPage {...loaderData} result={actionData} />
}
