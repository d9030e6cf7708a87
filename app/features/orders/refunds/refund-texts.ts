/** What screens and emails say about getting money back. */
import { confirmWithinDays, type RefundKind } from './refund-options'

/** The names of the links and pages. */
export const refundTitles = {
  withdrawal: 'Withdraw from this purchase',
  refund: 'Ask for a refund',
} as const satisfies Record<RefundKind, string>

export const refundNotPossible =
  'This purchase can’t be given back here any more: it isn’t paid, its days are over, it was asked for already, or the right of withdrawal was given up at checkout.'

export const refundReasonLabel = 'What was wrong? (optional)'

/** The page that asks a visitor who is not signed in for the order. */
export const requestRefundTexts = {
  title: 'Withdraw or ask for a refund',
  intro:
    'Your order number is in the email with your receipt. We send a link to the order’s email address; what counts is when you send this form.',
  choices: { withdrawal: 'Withdraw from a purchase', refund: 'Ask for a refund' },
  sent: 'If there is such an order, we’ve sent an email to the address that belongs to it. Open its link to go on.',
  linkExpired: 'This link no longer works. It may be too old or already used.',
  tooManyRequests: 'There were too many requests from your network. Please try again in an hour.',
  afterAccountDeletion:
    'Have you deleted your account? Then we no longer have its address and can’t send a link. Write to us instead, with your order number:',
} as const

/** The page that confirms a request, and then shows what became of it. */
export const confirmRefundTexts = {
  withdrawal: {
    intro:
      'You don’t have to give a reason. We refund your payment the way you paid, and the course closes. Your work in it is kept.',
    until: (day: string) => `You can withdraw until ${day}.`,
    button: 'Confirm withdrawal',
    done: 'You have withdrawn',
    doneAt: (at: string) =>
      `We received your withdrawal on ${at}. A confirmation is on its way to you by email.`,
  },
  refund: {
    intro: 'We look at your request and answer by email. Until then you can go on learning.',
    until: (day: string) => `You can ask until ${day}.`,
    button: 'Send request',
    done: 'You have asked for a refund',
    doneAt: (at: string) =>
      `We received your request on ${at}. A confirmation is on its way to you by email.`,
  },
  declinedTitle: 'We can’t give you a refund',
  /** Replaces the intro if the order is a gift. */
  giftIntros: {
    withdrawal: {
      waiting:
        'You don’t have to give a reason. We refund your payment the way you paid, and the gift can’t be redeemed any more.',
      redeemed:
        'You don’t have to give a reason. We refund your payment the way you paid. The gift has been redeemed, so its course closes for the recipient, who gets an email.',
    },
    refund: {
      waiting: 'We look at your request and answer by email. Until then the gift can be redeemed.',
      redeemed:
        'We look at your request and answer by email. The gift has been redeemed: if we refund all of it, the course closes for the recipient, who gets an email.',
    },
  },
} as const

/** The status of a request, as the learner's purchases show it. */
export const requestStatusTexts = {
  asked: (day: string) => `You asked for your money back on ${day}. We’ll answer by email.`,
  granted: (day: string) => `Your money has been on its way back since ${day}.`,
  declined: (day: string) => `We declined your request for a refund on ${day}.`,
} as const

type OrderDetails = { title: string; orderId: string }
type RequestDetails = OrderDetails & {
  /** When the learner made the request. */
  at: string
}
type WithdrawalDetails = RequestDetails & { name: string; amount: string; isGift: boolean }

export const refundEmailTexts = {
  link: {
    withdrawal: ({ title, orderId, at }: RequestDetails) => ({
      subject: `Confirm your withdrawal from ${title}`,
      beforeLink: [
        `On ${at}, someone withdrew on our site from your purchase of ${title} (order ${orderId}). Confirm it here:`,
      ],
      link: 'Confirm the withdrawal',
      afterLink: [
        `What counts is the time above. The link works for ${confirmWithinDays} days.`,
        'Wasn’t it you? You can ignore this email. Without your confirmation, nothing happens.',
      ],
    }),
    refund: ({ title, orderId, at }: RequestDetails) => ({
      subject: `Confirm your request for a refund of ${title}`,
      beforeLink: [
        `On ${at}, someone asked on our site for a refund of ${title} (order ${orderId}). Confirm it here:`,
      ],
      link: 'Confirm the request',
      afterLink: [
        `What counts is the time above. The link works for ${confirmWithinDays} days.`,
        'Wasn’t it you? You can ignore this email. Without your confirmation, nothing happens.',
      ],
    }),
  },

  notPossible: ({ title, orderId }: OrderDetails) => ({
    subject: `About your purchase of ${title}`,
    beforeLink: [
      `Someone asked on our site for a refund of your order ${orderId} (${title}).`,
      refundNotPossible,
    ],
    link: 'Open your purchases',
    afterLink: ['Wasn’t it you? You can ignore this email.'],
  }),

  received: {
    withdrawal: ({ title, orderId, at, name, amount, isGift }: WithdrawalDetails) => ({
      subject: `We’ve received your withdrawal from ${title}`,
      beforeLink: [
        `Your withdrawal reached us on ${at}. It says:`,
        `“I, ${name}, withdraw from the purchase of ${title}, order ${orderId}.”`,
        isGift
          ? `We refund ${amount} the way you paid. It can take a few days to arrive. The gift is no longer valid.`
          : `We refund ${amount} the way you paid. It can take a few days to arrive. The course closes; your work in it is kept.`,
      ],
      link: 'Open your purchases',
      afterLink: [],
    }),
    refund: ({ title, orderId, at }: RequestDetails) => ({
      subject: `We’ve received your request for a refund of ${title}`,
      beforeLink: [`Your request for a refund of ${title} (order ${orderId}) reached us on ${at}.`],
      link: 'Open your purchases',
      afterLink: ['We look at it and answer by email.'],
    }),
  },

  reason: (reason: string) => `You wrote: “${reason}”`,

  declined: ({ title, orderId, answer }: OrderDetails & { answer: string }) => ({
    subject: `Your request for a refund of ${title}`,
    beforeLink: [`We can’t give you a refund of ${title} (order ${orderId}).`, answer],
    link: 'Open your purchases',
    afterLink: [],
  }),

  creditNote: ({ title, orderId, amount }: OrderDetails & { amount: string }) => ({
    subject: `Your refund of ${title}`,
    beforeLink: [
      `We have sent back ${amount} for ${title}, the way you paid. It can take a few days to arrive.`,
    ],
    link: 'Open your purchases',
    afterLink: [`The credit note is attached. The order number is ${orderId}.`],
  }),
} as const
