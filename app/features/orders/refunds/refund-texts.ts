import { confirmWithinDays, type RefundKind } from './refund-options'

/** What screens and emails say about getting money back. */

type Said = { title: string; orderId: string; at: string }

/** The names of the links and pages. */
export const refundTitles = {
  withdrawal: 'Withdraw from this purchase',
  refund: 'Ask for a refund',
} as const satisfies Record<RefundKind, string>
export const refundChoices = {
  withdrawal: 'Withdraw from a purchase',
  refund: 'Ask for a refund',
} as const satisfies Record<RefundKind, string>
export const moneyBackTitle = 'Withdraw or ask for a refund'

export const refundPageTexts = {
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
} as const
/** Replaces the intro for a gift. */
export const giftIntros = {
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
} as const
export const reasonLabel = 'What was wrong? (optional)'
export const declinedTitle = 'We can’t give you a refund'
export const refundNotPossible =
  'This purchase can’t be given back here any more: it isn’t paid, its days are over, it was asked for already, or the right of withdrawal was given up at checkout.'
export const sentToOrder =
  'If there is such an order, we’ve sent an email to the address that belongs to it. Open its link to go on.'
export const tooManyRequests =
  'There were too many requests from your network. Please try again in an hour.'
export const linkExpiredMessage = 'This link no longer works. It may be too old or already used.'
export const afterDeletion =
  'Have you deleted your account? Then we no longer have its address and can’t send a link. Write to us instead, with your order number:'
export const signedOutIntro =
  'Your order number is in the email with your receipt. We send a link to the order’s email address; what counts is when you send this form.'

/** Beside a purchase. */
export const requestStateTexts = {
  asked: (day: string) => `You asked for your money back on ${day}. We’ll answer by email.`,
  granted: (day: string) => `Your money has been on its way back since ${day}.`,
  declined: (day: string) => `We declined your request for a refund on ${day}.`,
} as const

export const linkMails = {
  withdrawal: ({ title, orderId, at }: Said) => ({
    subject: `Confirm your withdrawal from ${title}`,
    before: [
      `On ${at}, someone withdrew on our site from your purchase of ${title} (order ${orderId}). Confirm it here:`,
    ],
    link: 'Confirm the withdrawal',
    after: [
      `What counts is the time above. The link works for ${confirmWithinDays} days.`,
      'Wasn’t it you? You can ignore this email. Without your confirmation, nothing happens.',
    ],
  }),
  refund: ({ title, orderId, at }: Said) => ({
    subject: `Confirm your request for a refund of ${title}`,
    before: [
      `On ${at}, someone asked on our site for a refund of ${title} (order ${orderId}). Confirm it here:`,
    ],
    link: 'Confirm the request',
    after: [
      `What counts is the time above. The link works for ${confirmWithinDays} days.`,
      'Wasn’t it you? You can ignore this email. Without your confirmation, nothing happens.',
    ],
  }),
} as const

export const impossibleMail = ({ title, orderId }: Omit<Said, 'at'>) => ({
  subject: `About your purchase of ${title}`,
  before: [
    `Someone asked on our site for a refund of your order ${orderId} (${title}).`,
    refundNotPossible,
  ],
  link: 'Open your purchases',
  after: ['Wasn’t it you? You can ignore this email.'],
})

type Withdrawn = { name: string; amount: string; isGift: boolean }

export const receivedMails = {
  withdrawal: ({ title, orderId, at, name, amount, isGift }: Said & Withdrawn) => ({
    subject: `We’ve received your withdrawal from ${title}`,
    before: [
      `Your withdrawal reached us on ${at}. It says:`,
      `“I, ${name}, withdraw from the purchase of ${title}, order ${orderId}.”`,
      isGift
        ? `We refund ${amount} the way you paid. It can take a few days to arrive. The gift is no longer valid.`
        : `We refund ${amount} the way you paid. It can take a few days to arrive. The course closes; your work in it is kept.`,
    ],
    link: 'Open your purchases',
    after: [],
  }),
  refund: ({ title, orderId, at }: Said) => ({
    subject: `We’ve received your request for a refund of ${title}`,
    before: [`Your request for a refund of ${title} (order ${orderId}) reached us on ${at}.`],
    link: 'Open your purchases',
    after: ['We look at it and answer by email.'],
  }),
} as const
export const ownWords = (reason: string) => `You wrote: “${reason}”`

export const declinedMail = ({
  title,
  orderId,
  answer,
}: Omit<Said, 'at'> & { answer: string }) => ({
  subject: `Your request for a refund of ${title}`,
  before: [`We can’t give you a refund of ${title} (order ${orderId}).`, answer],
  link: 'Open your purchases',
  after: [],
})

export const creditNoteMail = ({
  title,
  orderId,
  amount,
}: Omit<Said, 'at'> & { amount: string }) => ({
  subject: `Your refund of ${title}`,
  before: [
    `We have sent back ${amount} for ${title}, the way you paid. It can take a few days to arrive.`,
  ],
  link: 'Open your purchases',
  after: [`The credit note is attached. The order number is ${orderId}.`],
})
