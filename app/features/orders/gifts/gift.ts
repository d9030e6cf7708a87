import * as z from 'zod'
import { giftFormErrors } from './gift-texts'

const maxEmailLength = 254
export const maxGiftMessageLength = 500
export const maxSenderNameLength = 100

export const recipientEmail = z
  .string()
  .trim()
  // A gift that is sent again to the same address in other letters keeps its code.
  .toLowerCase()
  .max(maxEmailLength, giftFormErrors.emailMissing)
  .transform(writeDomainInAscii)
  .pipe(z.email(giftFormErrors.emailMissing))

/** Turns `ben@bücher.example` into `ben@xn--bcher-kva.example`, as accounts store it. */
function writeDomainInAscii(email: string): string {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  const url = `http://${domain}`
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) || !URL.canParse(url)) {
    return email
  }

  return email.slice(0, -domain.length) + new URL(url).hostname
}

/** The fields of a gift at checkout. */
export const giftForm = z.object({
  recipientEmail,
  senderName: z
    .string()
    .trim()
    .max(maxSenderNameLength, `At most ${maxSenderNameLength} characters, please.`)
    .regex(/^\P{Cc}*$/u, giftFormErrors.notOneLine),
  message: z
    .string()
    .trim()
    .max(maxGiftMessageLength, `At most ${maxGiftMessageLength} characters, please.`)
    .default(''),
})

export type Gift = z.infer<typeof giftForm>

/** The status of a gift, as its page tells it to the person who opens the page. */
export type GiftStatus =
  /** It waits to be redeemed. */
  | 'open'
  /** This learner has redeemed it. */
  | 'yours'
  /** This learner has the course, and can pass the gift on. */
  | 'owned'
  /** Somebody else has redeemed it. */
  | 'redeemed'
  /** Its payment was refunded. */
  | 'ended'

export function giftPath(code: string): string {
  return `/Gift/${code}`
}
