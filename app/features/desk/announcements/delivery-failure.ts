/**
 * What a failed attempt means for an email that must never be sent twice.
 *
 * - `refused`: the mail server refused this email for good.
 * - `deferred`: the mail server defers this email (a 4xx reply), so it can be tried again.
 * - `not-begun`: the mail server takes no mail at all, so it does not have this email.
 * - `uncertain`: the connection broke off, so the mail server may have the email.
 */
type DeliveryFailure = 'refused' | 'deferred' | 'not-begun' | 'uncertain'

/** Nodemailer's codes for errors before the email is sent. They do not depend on the email. */
const errorsBeforeEmail = ['EDNS', 'EAUTH', 'ETLS']
/** Nodemailer's codes for errors in the mail server's reply to this email. */
const errorsAboutEmail = ['EENVELOPE', 'EMESSAGE']

type NodemailerError = { code?: string; command?: string; responseCode?: number; syscall?: string }

/** Classifies an error of Nodemailer. RFC 5321, section 4.2.1, defines the mail server's replies. */
export function classifyDeliveryError(error: unknown): DeliveryFailure {
  const { code = '', command, responseCode, syscall } = error as NodemailerError

  // MAIL FROM names the school's own sender, so every email would be refused.
  if (command === 'MAIL FROM' || errorsBeforeEmail.includes(code) || syscall === 'connect') {
    return 'not-begun'
  }

  // With 421, the mail server closes the connection without having accepted the email.
  if (responseCode === 421) {
    return 'not-begun'
  }

  if (!errorsAboutEmail.includes(code)) {
    return 'uncertain'
  }

  const isDeferred = responseCode !== undefined && responseCode < 500
  return isDeferred ? 'deferred' : 'refused'
}
