/** What screens and emails say about buying. */
import type { OrderStatus } from './order-statuses'

export const checkoutTexts = {
  title: 'Checkout',
  paymentCanceled: 'You haven’t paid yet. You can try again whenever you like.',
  paymentUnavailable:
    'The payment provider can’t be reached right now. Nothing was charged. Please try again in a minute.',
  priceChanged:
    'The price has changed since you opened this page. You see the new price now. Nothing was charged.',
  paidAtProvider: 'You pay on the page of our payment provider. We never see your card.',
  enrollForFree: 'Enroll for free',
  nothingToPay: 'There is nothing to pay.',
  alreadyOwned: 'You already have this course',
  noLongerSold: 'This course is no longer sold',
  unpaidOrder: ({ title, orderId }: { title: string; orderId: string }) =>
    `${title} was withdrawn. Your order ${orderId} wasn’t paid, so nothing was charged.`,
} as const

/** The page to which the payment provider leads back. */
export const paidPageTexts = {
  headings: {
    open: 'Your payment hasn’t arrived yet',
    processing: 'Your payment is on its way',
    paid: 'You’re enrolled',
    refunded: 'This order was refunded',
    canceled: 'This order was canceled',
  },
  headingAfterFailure: 'Your payment didn’t go through',
  headingOfEndedOrder: 'This order has ended',
  processing:
    'Your payment is on its way. We’ll email you as soon as it has arrived; then the course opens.',
  notArrived:
    'Have you just paid? Then this page knows in a few seconds: load it again. Otherwise go on where you left off.',
  failed: 'It was refused, and nothing was charged. You can pay another way.',
  bought: (title: string, orderId: string) =>
    `${title} is yours. The receipt is in your purchases; the order number is ${orderId}.`,
  boughtForFree: (title: string, orderId: string) =>
    `${title} is yours. The order number is ${orderId}.`,
  accessEnded: 'Our school has ended this order. Your work in the course is kept.',
  moneyReturned:
    'What was paid for it goes back the way it came. It can take a few days to arrive.',
  nothingCharged: 'It wasn’t paid, so nothing was charged.',
} as const

/** The texts of responses with an error status. */
export const orderErrors = {
  unsignedEvent: 'This event is not signed by the payment provider, or it is too old.',
  unknownOrder: 'There is no such order yet.',
  noSuchOrder: 'There is no such order.',
  noSuchReceipt: 'There is no such receipt.',
} as const

/** The deletion of an account shows this to learners who have bought a course. */
export const purchasesAfterDeletion =
  'Receipts stay without your name, as the law wants. Do you want to withdraw from a purchase or get a refund? Do so first: afterwards this site can’t tell that the purchase was yours.'

export const orderStatusTexts = {
  open: 'Not paid',
  processing: 'Payment pending',
  paid: 'Paid',
  refunded: 'Refunded',
  canceled: 'Canceled',
} as const

/** Formats the status of an order. A free order isn't refunded, it ends. */
export function formatOrderStatus({
  status,
  totalMinor,
}: {
  status: OrderStatus
  totalMinor: number
}): string {
  return status === 'refunded' && totalMinor === 0 ? 'Ended' : orderStatusTexts[status]
}

export type ReceiptDetails = {
  title: string
  orderId: string
  /** How the buyer can get the money back: 'withdraw', 'ask for a refund', both or neither. */
  refundOptions: readonly string[]
  /** The page on which the buyer can do so without signing in, or null without options. */
  refundUrl: string | null
  /** The text by which the buyer gave up the right of withdrawal. */
  waiver: string | null
}

export const orderEmailTexts = {
  receipt: ({ title, orderId, refundOptions, refundUrl, waiver }: ReceiptDetails) => ({
    subject: `You’re enrolled in ${title}`,
    beforeLink: [
      `Thank you for buying ${title}. Your payment has arrived, and you can start right away.`,
    ],
    link: 'Open your purchases',
    afterLink: [
      `Your receipt is attached; your purchases have it, too. The order number is ${orderId}.`,
      ...(waiver ? [`You agreed at checkout: “${waiver}”`] : []),
      ...describeRefundOptions({ refundOptions, refundUrl }),
    ],
  }),

  freeOrder: ({ title, orderId }: { title: string; orderId: string }) => ({
    subject: `You’re enrolled in ${title}`,
    beforeLink: [`${title} is yours, without anything to pay. You can start right away.`],
    link: 'Open your purchases',
    afterLink: [`The order number is ${orderId}.`],
  }),

  paymentFailed: ({ title, orderId }: { title: string; orderId: string }) => ({
    subject: `Your payment for ${title} didn’t go through`,
    beforeLink: [
      `Your payment for ${title} was on its way, but it was refused. Nothing was charged.`,
    ],
    link: 'Pay another way',
    afterLink: [`It was for your order ${orderId}.`],
  }),

  /** `isGift`: the learner redeemed a gift. `isFree`: nothing was paid. */
  courseClosed: ({
    title,
    isGift,
    isFree,
  }: {
    title: string
    isGift: boolean
    isFree: boolean
  }) => ({
    subject: `Your access to ${title} has ended`,
    beforeLink: [
      isGift && !isFree
        ? `${title} was a gift, and its payment has been refunded. So the course is now closed for you.`
        : `Our school has ended your free access to ${title}.`,
    ],
    link: 'See the course',
    afterLink: [
      'Your work in it is kept. If you get the course again, you go on where you left off.',
    ],
  }),
} as const

export function describeRefundOptions({
  refundOptions,
  refundUrl,
}: Pick<ReceiptDetails, 'refundOptions' | 'refundUrl'>): string[] {
  if (refundUrl === null) {
    return []
  }

  const options = refundOptions.join(' or ')
  return [`You can ${options} in your purchases, or without signing in at ${refundUrl}.`]
}
