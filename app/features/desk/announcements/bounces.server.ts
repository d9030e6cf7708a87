/**
 * Decides from a mail server's reply whether an email address accepts no email for good. Such an address
 * gets no more announcements. A refusal of one email ("spam") or for a time ("mailbox full") changes
 * nothing.
 *
 * The patterns are regular expressions of PostgreSQL, in which `\m` and `\M` are the start and the end of
 * a word.
 */
import { sql } from 'drizzle-orm'

/**
 * Enhanced codes (RFC 3463) of email addresses that do not exist: 5.1.x, except 5.1.7 and 5.1.8, which
 * blame the sender. An example is '550 5.1.1 User unknown'.
 */
const unknownAddressPattern = String.raw`\m55[0134][ -]5\.1\.(?![78]\M)`

/** '550 5.2.1 Mailbox disabled', and '550 5.4.1' for an address that Exchange does not know. */
const closedMailboxPattern = String.raw`\m55[0134][ -]5\.(2|4)\.1\M`

/** A reply without an enhanced code. RFC 5321 defines 550, 551 and 553 as problems with the address. */
const addressProblemPattern = String.raw`\m55[013][ -]([^5]|5[^.])`

/** A reply without an enhanced code, as Yahoo sends it. 554 alone may also blame the email. */
const yahooPattern = String.raw`\m554[ -].*(have an? \S+ account|mailbox is disabled|no such user|user unknown)`

/** Replies with these words are about one email, or are temporary, although their codes are the same. */
const notAboutAddressPattern = String.raw`spam|(mailbox|inbox).*\mfull\M|quota|out of storage|gr[ae]y-?list|(black|block)-?list|reputation`

/**
 * The condition that the reply in the column `reason` says that the email address accepts no email for
 * good: it does not exist, or its mailbox is disabled. The patterns are constants, so the condition has
 * no parameters.
 */
export const bounceCondition = sql.raw(`(
  reason ~ '${unknownAddressPattern}'
  or (reason ~* '${closedMailboxPattern}|${addressProblemPattern}|${yahooPattern}'
    and reason !~* '${notAboutAddressPattern}'))`)

/**
 * Selects the learners whose email address has bounced since they confirmed it, or at any time if they
 * have never confirmed it. Emails to a previous address (`former_address`) don't count.
 */
export const bouncedUids = sql`
  select m.uid
  from announcement_mails m
    join users b on b.id = m.uid
  where m.state = 'failed'
    and m.at > coalesce(b.email_verified_at, '-infinity')
    and ${bounceCondition}
  union all
  select o.uid
  from outbox o
    join users b on b.id = o.uid
  where o.failed_at > coalesce(b.email_verified_at, '-infinity')
    and o.former_address is null
    and ${bounceCondition}`
