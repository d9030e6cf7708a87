import { recipientEmail } from '~/features/orders/gifts/gift'
import { giftResendRefusals } from '~/features/orders/gifts/gift-messages'
import { resendGift } from '~/features/orders/gifts/gift-orders.server'
import { StartError } from '~/server/env.server'
import { audited } from '~/server/operations/audit.server'
import type { AdminCommand, Answer, CommandCall } from './admin-command.server'

export const giftCommands: AdminCommand[] = [
  {
    name: 'orders resend-gift',
    takes: ['ORDER'],
    options: { to: { value: 'EMAIL', says: 'to another address, with another link; by default to the one it has' } },
    says: 'send a gift that has not been redeemed to its recipient again',
    effect: 'changes',
    run: resend,
  },
]

async function resend({ db, actor, given: [id = ''], options }: CommandCall): Promise<Answer> {
  const to = options.to === undefined ? null : recipientEmail.safeParse(String(options.to))
  if (to?.success === false) throw new StartError('--to takes an email address.')
  const orderId = id.trim().toUpperCase()
  const { email } = await audited(db, actor, async (transaction) => {
    const sent = await resendGift(transaction, { orderId, uid: null, email: to ? to.data : null })
    if (sent.outcome !== 'sent') throw new StartError(giftResendRefusals[sent.outcome])
    const outcome = to ? 'The gift goes to another address.' : 'The gift is sent again.'
    return { subject: sent.order.uid, arguments: { order: orderId }, outcome, email: sent.email }
  })
  return { text: `The gift is sent to ${email}.` }
}
