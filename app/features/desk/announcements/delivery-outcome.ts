/**
 * What a failed attempt means for a mail that must never go out twice.
 *
 * - `failed`: the server refused this mail for good.
 * - `later`: the server deferred this mail (a 4xx reply).
 * - `not-begun`: the server takes no mail at all, so it doesn't have this one.
 * - `uncertain`: the connection broke off, so the server may have the mail.
 */
export type FailedDelivery = 'failed' | 'later' | 'not-begun' | 'uncertain'

/** Nodemailer's errors from before the message was sent. They don't depend on the mail. */
const beforeMessage = ['EDNS', 'EAUTH', 'ETLS']
/** Nodemailer's errors for the server's reply to this message. */
const aboutMessage = ['EENVELOPE', 'EMESSAGE']

/** @param error from nodemailer. RFC 5321, section 4.2.1, defines the replies. */
export function outcomeOf(error: unknown): FailedDelivery {
  const {
    code = '',
    command,
    responseCode,
    syscall,
  } = error as {
    code?: string
    command?: string
    responseCode?: number
    syscall?: string
  }

  // MAIL FROM names the school's own sender, so every mail would be refused.
  if (command === 'MAIL FROM' || beforeMessage.includes(code) || syscall === 'connect') {
    return 'not-begun'
  }

  // With 421, the server closes the connection without having accepted the mail.
  if (responseCode === 421) {
    return 'not-begun'
  }

  if (!aboutMessage.includes(code)) {
    return 'uncertain'
  }

  if (responseCode === undefined) {
    return 'failed'
  }

  return responseCode >= 500 ? 'failed' : 'later'
}
