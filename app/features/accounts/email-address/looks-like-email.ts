import { accountLimits } from '../account-limits'

const emailPattern = /^[^\s@,;<>()[\]\\"]+@[^\s@.,;<>()[\]\\"]+(\.[^\s@.,;<>()[\]\\"]+)+$/

/** Looks like an address that mail can be sent to; only the mail itself can prove more. */
export function looksLikeEmail(email: string): boolean {
  const local = email.slice(0, email.lastIndexOf('@'))
  const dotsAreFine = !local.startsWith('.') && !local.endsWith('.') && !local.includes('..')
  return email.length <= accountLimits.email && local.length <= 64 && dotsAreFine && emailPattern.test(email)
}
