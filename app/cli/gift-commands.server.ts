import { sendGiftAgain } from '~/features/desk/gifts/gift-acts.server'
import { audited } from '~/features/staff/audit.server'
import type { AdminCommand, Answer, CommandCall } from './command-definition.server'

export const giftCommands: AdminCommand[] = [
  {
    name: 'orders resend-gift',
    takes: ['ORDER'],
    options: {
      to: {
        value: 'EMAIL',
        says: 'to another address, with another link; by default to the one it has',
      },
    },
    says: 'send a gift that has not been redeemed to its recipient again',
    effect: 'changes',
    run: resend,
  },
]

async function resend({ db, actor, given: [id = ''], options }: CommandCall): Promise<Answer> {
  const { email } = await audited(db, actor, (transaction) =>
    sendGiftAgain(transaction, id, String(options.to ?? '').trim()),
  )
  return { text: `The gift is sent to ${email}.` }
}
