/**
 * What an attempt means for a mail that must never go out twice.
 *
 * - `failed`: the server refused this mail for good.
 * - `later`: the server said 'not now' about this mail.
 * - `not-begun`: the server takes no mail at all; it can't have got this one.
 * - `uncertain`: the connection broke off, so the server may have got it.
 */
export type FailedDelivery = 'failed' | 'later' | 'not-begun' | 'uncertain'

/** Errors of nodemailer that name a phase before the message, whatever the mail. */
const beforeMessage = ['EDNS', 'EAUTH', 'ETLS']
/** Its errors that are the server's answer to a message. */
const aboutMessage = ['EENVELOPE', 'EMESSAGE']

/** @param error of nodemailer; replies by their status (RFC 5321, 4.2.1). */
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
  // Our own sender is refused.
  if (command === 'MAIL FROM' || beforeMessage.includes(code) || syscall === 'connect') return 'not-begun'
  // 421 is the one reply of a server that goes away; it comes instead of an acceptance.
  if (responseCode === 421) return 'not-begun'
  if (!aboutMessage.includes(code)) return 'uncertain'
  if (responseCode === undefined) return 'failed'
  return responseCode >= 500 ? 'failed' : 'later'
}
