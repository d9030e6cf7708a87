/**
 * What an error of Nodemailer means for the email that was not sent.
 *
 * - `refused`: the mail server refused this email for good (a 5xx reply).
 * - `deferred`: the mail server defers this email (a 4xx reply), so it can be tried again.
 * - `invalid`: Nodemailer rejected this email itself, for example because of its recipient.
 * - `not-begun`: the mail server takes no mail at all, so it does not have this email.
 * - `uncertain`: the connection broke off, so the mail server may have this email.
 *
 * After the first three, the mail server may accept another email. After the last two, another
 * email would fail as well.
 */
type DeliveryFailure = 'refused' | 'deferred' | 'invalid' | 'not-begun' | 'uncertain'

/** Nodemailer's codes for errors before the email is sent. They do not depend on the email. */
const errorsBeforeEmail = ['EDNS', 'EAUTH', 'ETLS']
/** Nodemailer's codes for errors that concern this email, and not the connection or the sign-in. */
const errorsAboutEmail = ['EENVELOPE', 'EMESSAGE']

/** The mail server's refusals are permanent from this status on (RFC 5321, section 4.2.1). */
const firstPermanentStatus = 500

type NodemailerError = { code?: string; command?: string; responseCode?: number; syscall?: string }

/** Classifies an error of Nodemailer. */
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

  if (responseCode === undefined) {
    return 'invalid'
  }

  return responseCode < firstPermanentStatus ? 'deferred' : 'refused'
}
