import { sql } from 'drizzle-orm'
import { bounceCondition } from '~/server/mail/bounce-replies.server'

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
