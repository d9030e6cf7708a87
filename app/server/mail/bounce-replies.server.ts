/**
 * Decides from a mail server's reply whether an email address accepts no email for good: it does
 * not exist, or its mailbox is disabled. Such a reply is a bounce. A refusal of one email ("spam"),
 * of the school's mail server ("SPF check failed") or for a time ("mailbox full") is none. In
 * doubt, a reply is no bounce.
 *
 * The patterns are regular expressions of PostgreSQL, in which `\m` and `\M` are the start and the
 * end of a word, and case does not matter.
 */
import { sql } from 'drizzle-orm'

/** The reply starts with one of these codes. Nodemailer's words before it contain no digit. */
const permanentReply = String.raw`^\D*\m55[0-4][ -]`

/**
 * Enhanced codes (RFC 3463) that always blame the recipient's email address: 5.1.1 (unknown
 * mailbox), 5.1.2 (unknown domain), 5.1.3 (syntax), 5.1.4 (ambiguous), 5.1.6 (moved) and 5.1.10
 * (Exchange).
 */
const addressCode = String.raw`\m55[0-4][ -]#?5\.1\.([12346]|10)\M`

/**
 * Enhanced codes that usually blame the recipient's email address: 5.1.0 (another problem with it),
 * 5.2.1 (disabled mailbox) and 5.4.1 (from Exchange, for an unknown address).
 */
const probableAddressCode = String.raw`\m55[0-4][ -]#?5\.(1\.0|2\.1|4\.1)\M`

/** Words such as 'No such user here' or 'Invalid Recipient'. */
const unknownRecipient = String.raw`\m(no|no such|unknown|invalid|unrouteable|non-existent) (local )?(user|recipient|mailbox|account|address)\M`

/** Words such as 'user unknown' or 'This mailbox is disabled', in one sentence without a colon. */
const recipientIsUnknown = String.raw`\m(user|recipient|addressee|mailbox|account|address)\M([^.:;]|\.\w)*\m(unknown|invalid|inactive|disabled|discontinued|suspended|terminated|not found|not exist|n.t exist|no longer)\M`

/** RFC 5321 has 'mailbox unavailable' for code 550. Outlook.com says so of unknown addresses. */
const mailboxUnavailable = String.raw`\mmailbox (is )?(unavailable|not available)\M`

/** Yahoo's words for an unknown address. */
const userHasNoAccount = String.raw`\muser doesn.t have an? \S+ account\M`

/**
 * Words of a reply that is temporary, or about the email or its sender, although it names the
 * recipient.
 */
const otherCause = String.raw`\m(full|(over)?quota|size limit|storage|temporar\w*|try again|gr[ae]y-?list\w*|rate|spam|block\w*|black-?list\w*|reputation|policy|sender|your( \w+)? account|ip(?!=))\M`

const addressPatterns = [
  probableAddressCode,
  unknownRecipient,
  recipientIsUnknown,
  mailboxUnavailable,
  userHasNoAccount,
]

/** The reply without email addresses, because 'antispam@school.example' says nothing about spam. */
const reply = String.raw`regexp_replace(reason, '[^\s<(]+@[^\s>):;,]+', '', 'g')`

/**
 * The condition that the reply in the column `reason` is a bounce. The patterns are constants, so
 * the condition has no parameters.
 */
export const bounceCondition = sql.raw(`(
  ${reply} ~ '${permanentReply}'
  and (${reply} ~ '${addressCode}'
    or (${reply} ~* '${addressPatterns.join('|')}'
      and ${reply} !~* '${otherCause}')))`)
