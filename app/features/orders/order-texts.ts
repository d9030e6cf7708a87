import type { OrderState } from './order-states'

/** What screens and emails say about buying. */

export type ReceiptDetails = {
  title: string
  orderId: string
  /** How the buyer can get the money back: 'withdraw', 'ask for a refund', both or neither. */
  refundOptions: readonly string[]
  /** Where the buyer can do so without signing in; null without options. */
  refundUrl: string | null
  /** The text by which the buyer gave up the right of withdrawal. */
  waiver: string | null
}

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

export const receiptMail = ({
  title,
  orderId,
  refundOptions,
  refundUrl,
  waiver,
}: ReceiptDetails) => ({
  subject: `You’re enrolled in ${title}`,
  before: [
    `Thank you for buying ${title}. Your payment has arrived, and you can start right away.`,
  ],
  link: 'Open your purchases',
  after: [
    `Your receipt is attached; your purchases have it, too. The order number is ${orderId}.`,
    ...(waiver ? [`You agreed at checkout: “${waiver}”`] : []),
    ...describeRefundOptions({ refundOptions, refundUrl }),
  ],
})

export const freeOrderMail = ({ title, orderId }: { title: string; orderId: string }) => ({
  subject: `You’re enrolled in ${title}`,
  before: [`${title} is yours, without anything to pay. You can start right away.`],
  link: 'Open your purchases',
  after: [`The order number is ${orderId}.`],
})

export const paymentFailedMail = ({ title, orderId }: { title: string; orderId: string }) => ({
  subject: `Your payment for ${title} didn’t go through`,
  before: [`Your payment for ${title} was on its way, but it was refused. Nothing was charged.`],
  link: 'Pay another way',
  after: [`It was for your order ${orderId}.`],
})

export const checkoutTitle = 'Checkout'
export const paymentCanceled = 'You haven’t paid yet. You can try again whenever you like.'
export const paymentUnavailable =
  'The payment provider can’t be reached right now. Nothing was charged. Please try again in a minute.'
export const priceChanged =
  'The price has changed since you opened this page. You see the new price now. Nothing was charged.'
export const agreeToPay = 'You pay on the page of our payment provider. We never see your card.'
export const enrollFree = 'Enroll for free'
export const nothingToPay = 'There is nothing to pay.'
export const paidLater =
  'Your payment is on its way. We’ll email you as soon as it has arrived; then the course opens.'
export const notArrived =
  'Have you just paid? Then this page knows in a few seconds: load it again. Otherwise go on where you left off.'
export const failedHeading = 'Your payment didn’t go through'
export const paymentFailed = 'It was refused, and nothing was charged. You can pay another way.'
export const endedHeading = 'This order has ended'
export const paidHeadings = {
  open: 'Your payment hasn’t arrived yet',
  processing: 'Your payment is on its way',
  paid: 'You’re enrolled',
  refunded: 'This order was refunded',
  canceled: 'This order was canceled',
} as const
export const bought = (title: string, orderId: string) =>
  `${title} is yours. The receipt is in your purchases; the order number is ${orderId}.`
export const boughtForFree = (title: string, orderId: string) =>
  `${title} is yours. The order number is ${orderId}.`
export const accessEnded = 'Our school has ended this order. Your work in the course is kept.'
export const moneyReturned =
  'What was paid for it goes back the way it came. It can take a few days to arrive.'
export const nothingCharged = 'It wasn’t paid, so nothing was charged.'
export const noLongerSold = 'This course is no longer sold'
export const orderGivenUp = ({ title, orderId }: { title: string; orderId: string }) =>
  `${title} was withdrawn. Your order ${orderId} wasn’t paid, so nothing was charged.`
export const alreadyOwned = 'You already have this course'
export const unsignedEvent = 'This event is not signed by the payment provider, or it is too old.'
export const unknownOrder = 'There is no such order yet.'
export const noSuchOrder = 'There is no such order.'
export const noSuchReceipt = 'There is no such receipt.'
export const purchasesAfterDeletion =
  'Receipts stay without your name, as the law wants. Do you want to withdraw from a purchase or get a refund? Do so first: afterwards this site can’t tell that the purchase was yours.'
export const noPurchases = 'You haven’t bought a course yet.'

export const orderStateTexts = {
  open: 'Not paid',
  processing: 'Payment pending',
  paid: 'Paid',
  refunded: 'Refunded',
  canceled: 'Canceled',
} as const

/** A free order isn't refunded. It ends. */
export function orderStateText({
  state,
  totalMinor,
}: {
  state: OrderState
  totalMinor: number
}): string {
  return state === 'refunded' && totalMinor === 0 ? 'Ended' : orderStateTexts[state]
}

/** `isGift`: redeemed as a gift. `isFree`: nothing was paid. */
export const courseClosedMail = ({
  title,
  isGift,
  isFree,
}: {
  title: string
  isGift: boolean
  isFree: boolean
}) => ({
  subject: `Your access to ${title} has ended`,
  before: [
    isGift && !isFree
      ? `${title} was a gift, and its payment has been refunded. So the course is now closed for you.`
      : `Our school has ended your free access to ${title}.`,
  ],
  link: 'See the course',
  after: ['Your work in it is kept. If you get the course again, you go on where you left off.'],
})
