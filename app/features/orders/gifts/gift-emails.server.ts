import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { gifts, orders } from '~/server/database/schema'
import { env } from '~/server/env.server'
import type { Mail } from '~/server/mail/mail.server'
import { composeLetter } from '~/server/mail/mail-letter.server'
import { giftAddress } from './gift'
import { giftMail } from './gift-texts'

/** @returns null once the gift is redeemed, or its money given back. */
export async function composeGiftEmail(
  db: Database,
  orderId: string,
): Promise<Omit<Mail, 'id'> | null> {
  const [found] = await db
    .select({ gift: gifts, title: orders.courseTitle })
    .from(gifts)
    .innerJoin(orders, eq(orders.id, gifts.orderId))
    .where(and(eq(gifts.orderId, orderId), eq(orders.state, 'paid'), isNull(gifts.redeemedAt)))

  if (!found?.gift.recipientEmail) {
    return null
  }

  const { code, recipientEmail, senderName, message } = found.gift
  const { link, ...words } = giftMail(found.title, senderName, message)
  const href = `${env.PUBLIC_URL}${giftAddress(code)}`

  return { to: recipientEmail, ...composeLetter({ ...words, link: { label: link, href } }) }
}
