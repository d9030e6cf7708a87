/** What screens and emails say about gifts. */
import { siteName } from '~/ui/site-name'
import { describeRefundOptions, type ReceiptDetails } from '../order-texts'

export const giftFormErrors = {
  emailMissing: 'Please enter the recipient’s email address.',
  notOneLine: 'Please write it in one line.',
} as const

/** The page behind the link in the email to the recipient. */
export const giftPageTexts = {
  title: 'A gift for you',
  notFound: {
    heading: 'There is no such gift',
    sentence:
      'The address may be mistyped, or the gift was sent again with another one. The latest email counts.',
  },
  from: (senderName: string) =>
    senderName ? `${senderName} has given you a course.` : 'You have been given a course.',
  statuses: {
    open: 'Redeem it, and the course is yours; there is nothing to pay.',
    yours: 'This course is yours now. Enjoy it!',
    owned:
      'You already have this course, so this gift is still good. Pass its link on to somebody who would like it.',
    redeemed: 'This gift has been redeemed already.',
    ended: 'This gift is no longer valid: it was taken back, or its payment was refunded.',
  },
} as const

/** The page after paying, and the giver's purchases. */
export const givenGiftTexts = {
  sentHeading: 'Your gift is on its way',
  sent: (title: string, recipient: string) =>
    `We have sent ${title} to ${recipient}. Under your purchases you see when it is redeemed, and can send it again.`,
  processing: (recipient: string) =>
    `Your payment is on its way. As soon as it has arrived, the gift goes to ${recipient}.`,
  title: (recipient: string | null) => (recipient ? `A gift for ${recipient}` : 'A gift'),
  notRedeemed: 'It has not been redeemed yet.',
  redeemed: (day: string) => `It was redeemed on ${day}.`,
  sentAgain: (recipient: string) => `The gift was sent to ${recipient}.`,
} as const

export const resendProblems = {
  notFound: 'There is no such gift that could be sent.',
  redeemed: 'This gift has been redeemed already.',
  tooOften: 'This gift was sent several times just now. Please wait an hour, then try again.',
} as const

type GiftReceiptDetails = ReceiptDetails & { recipient: string; isFree: boolean }

export const giftEmailTexts = {
  gift: (title: string, senderName: string, message: string) => ({
    subject: senderName ? `${senderName} has given you ${title}` : `You have been given ${title}`,
    beforeLink: [
      senderName
        ? `${senderName} has given you the course ${title} on ${siteName()}.`
        : `You have been given the course ${title} on ${siteName()}.`,
      ...(message ? [`“${message}”`] : []),
    ],
    link: 'Open your gift',
    afterLink: [
      'The page asks you to sign in, or to create an account in a minute. The link works once; if you have the course already, you may pass it on.',
    ],
  }),

  receipt: ({
    title,
    orderId,
    recipient,
    refundOptions,
    refundUrl,
    waiver,
    isFree,
  }: GiftReceiptDetails) => ({
    subject: `Your gift of ${title} is on its way`,
    beforeLink: [`Thank you for giving ${title}. We have sent the gift to ${recipient}.`],
    link: 'Open your purchases',
    afterLink: [
      isFree
        ? `You can send the gift again under your purchases. The order number is ${orderId}.`
        : `Your receipt is attached. You can send the gift again under your purchases. The order number is ${orderId}.`,
      ...(waiver ? [`You agreed at checkout: “${waiver}”`] : []),
      ...describeRefundOptions({ refundOptions, refundUrl }),
    ],
  }),
} as const
