import * as z from 'zod'
import { giftEmailMissing, notOneLine } from './gift-texts'

export const giftCodeLength = 16
const longestEmail = 254
export const longestMessage = 500
export const longestSender = 100

export const recipientEmail = z
  .string()
  .trim()
  .max(longestEmail, giftEmailMissing)
  .pipe(z.email(giftEmailMissing))

/** What checkout asks about a gift. */
export const giftForm = z.object({
  recipientEmail,
  senderName: z
    .string()
    .trim()
    .max(longestSender, `At most ${longestSender} characters, please.`)
    .regex(/^\P{Cc}*$/u, notOneLine),
  message: z
    .string()
    .trim()
    .max(longestMessage, `At most ${longestMessage} characters, please.`)
    .default(''),
})

/** What the giver's purchases ask before a gift is sent again. */
export const resendForm = z.object({ orderId: z.string(), recipientEmail })

/** Of the giver's own purchase. */
export type GivenGift = {
  code: string
  recipientEmail: string | null
  /** ISO 8601, UTC. */
  redeemedAt: string | null
}

export type Gift = z.infer<typeof giftForm>

/** What a gift's page says to who opens it. */
export type GiftState =
  /** It waits to be redeemed. */
  | 'open'
  /** This learner has redeemed it. */
  | 'yours'
  /** This learner has the course, and the gift can go to somebody else. */
  | 'owned'
  /** Somebody has redeemed it. */
  | 'redeemed'
  /** Its money was given back. */
  | 'ended'

export type ShownGift = {
  code: string
  state: GiftState
  courseId: string
  courseTitle: string
  instructorName: string
  senderName: string
  message: string
}

export const giftAddress = (code: string) => `/Gift/${code}`
