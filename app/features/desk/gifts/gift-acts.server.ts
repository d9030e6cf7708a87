import { recipientEmail } from '~/features/orders/gifts/gift'
import { resendGift } from '~/features/orders/gifts/gift-orders.server'
import { giftResendRefusals } from '~/features/orders/gifts/gift-texts'
import { changesBetween } from '~/features/staff/audit.server'
import type { Transaction } from '~/server/database/client.server'
import { StartError } from '~/server/env.server'

/**
 * Sends a gift again that isn't redeemed, for `npm run admin` and the desk.
 *
 * @param to another address, which gets another code; '' for the same address.
 * @throws {StartError} if it can't be sent.
 */
export async function sendGiftAgain(transaction: Transaction, id: string, to: string) {
  const typed = to === '' ? null : recipientEmail.safeParse(to)
  if (typed?.success === false) {
    throw new StartError('That isn’t an email address.')
  }

  const orderId = id.trim().toUpperCase()
  const sent = await resendGift(transaction, {
    orderId,
    uid: null,
    email: typed ? typed.data : null,
  })

  if (sent.outcome !== 'sent') {
    throw new StartError(giftResendRefusals[sent.outcome])
  }

  const outcome = sent.isMoved ? 'The gift goes to another address.' : 'The gift is sent again.'
  // The audit contains no addresses, least of all of people without an account.
  const former = 'the former address'
  const changes = changesBetween(
    { sentTo: former },
    { sentTo: sent.isMoved ? 'another address' : former },
  )

  return {
    subject: sent.order.uid,
    arguments: { order: orderId },
    changes,
    outcome,
    email: sent.email,
  }
}
