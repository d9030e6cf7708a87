import { sql } from 'drizzle-orm'
import { bounceCondition } from '~/server/mail/bounce-replies.server'

/**
 * Since when emails to the account in `users b` may arrive: since the learner last opened an
 * emailed link, or since staff last corrected the address. It is '-infinity' if neither has
 * happened.
 */
const arrivalSince = sql`coalesce(
  b.email_verified_at,
  (
    select max(e.at)
    from security_events e
    where e.uid = b.id
      and e.kind = 'address-changed'
  ),
  '-infinity'
)`

/**
 * Selects the learners whose present email address has bounced. Emails to a previous address don't
 * count, whether they were sent before the change or to `former_address`.
 */
export const bouncedUids = sql`
  select m.uid
  from announcement_mails m
    join users b on b.id = m.uid
  where m.state = 'failed'
    and m.at > ${arrivalSince}
    and ${bounceCondition}
  union all
  select o.uid
  from outbox o
    join users b on b.id = o.uid
  where o.failed_at > ${arrivalSince}
    and o.former_address is null
    and ${bounceCondition}`
