import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { users } from './accounts'
import { instant } from './instant'
import { orders } from './orders'

/**
 * A course that was bought for somebody else: an order with `isGift`. Once it is paid, the code is
 * worth the course, once.
 */
export const gifts = pgTable(
  'gifts',
  {
    orderId: text('order_id')
      .primaryKey()
      .references(() => orders.id),
    /**
     * Who gives it; null once that account is deleted, and the words below are gone. The code stays
     * good.
     */
    uid: text().references(() => users.id, { onDelete: 'set null' }),
    /** Sixteen random letters and digits. Anyone with the code can redeem the course. */
    code: text().notNull().unique(),
    recipientEmail: text('recipient_email'),
    senderName: text('sender_name').notNull(),
    message: text().notNull().default(''),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Null until it is redeemed, and once that account is deleted. */
    redeemedBy: text('redeemed_by').references(() => users.id, { onDelete: 'set null' }),
    redeemedAt: instant('redeemed_at'),
  },
  (table) => [
    index('gifts_of_giver').on(table.uid),
    index('gifts_redeemed').on(table.redeemedBy),
    index('gifts_newest').on(table.createdAt, table.orderId),
  ],
)
