import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { users } from './accounts'
import { courseId, uid } from './columns'
import { instant } from './instant'

/** A code that lowers a price. How often it was used follows from the orders. */
export const coupons = pgTable(
  'coupons',
  {
    /** Capital letters and digits, as `cleanCode` writes them. */
    code: text().primaryKey(),
    /** What the operator made it for; codes that were made together share it. */
    name: text().notNull().default(''),
    /** Either a whole percentage from 1 to 100, or an amount with its currency (ISO 4217). */
    percent: integer(),
    amountMinor: integer('amount_minor'),
    currency: text(),
    /** Null for every course. */
    courseIds: text('course_ids').array(),
    startsAt: instant('starts_at'),
    endsAt: instant('ends_at'),
    /** How many orders may use it, and how many of one learner; null for any number. */
    maxUses: integer('max_uses'),
    maxUsesPerLearner: integer('max_uses_per_learner'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When an operator ended it. */
    endedAt: instant('ended_at'),
  },
  (table) => [
    check(
      'coupons_discount',
      sql`case when percent is null then amount_minor is not null and amount_minor > 0 and currency is not null else percent between 1 and 100 and amount_minor is null end`,
    ),
    index('coupons_newest').on(table.createdAt, table.code),
    index('coupons_name').on(table.name),
  ],
)

/**
 * Amounts are whole numbers in the currency's smallest unit: cents for USD, yen for JPY. An order,
 * its payments and its refunds move between states only as `features/orders/order-states.ts`
 * allows.
 */

/** What the buyer typed for the receipt. */
export type Buyer = {
  name: string
  email: string
  company?: string
  address?: string
  vatNumber?: string
  /** ISO 3166-1 alpha-2; only where the operator sets tax rates. */
  country?: string
}

/** One purchase of one course. Frozen when it is made: a later price or title changes no order. */
export const orders = pgTable(
  'orders',
  {
    /** Random, ten letters and digits; learners know it as the order number. */
    id: text().primaryKey(),
    /** Null once the account is deleted: the law wants the order to stay, without the person. */
    uid: text().references(() => users.id, { onDelete: 'set null' }),
    courseId: courseId(),
    courseTitle: text('course_title').notNull(),
    /** For somebody else, whom `gifts` knows. */
    isGift: boolean('is_gift').notNull().default(false),
    state: text({ enum: ['open', 'processing', 'paid', 'refunded', 'canceled'] })
      .notNull()
      .default('open'),
    /** ISO 4217. */
    currency: text().notNull(),
    /** The course's price at the time, and what is to be paid: less if a coupon lowers it. */
    listMinor: integer('list_minor').notNull(),
    totalMinor: integer('total_minor').notNull(),
    couponCode: text('coupon_code').references(() => coupons.code),
    /** Contained in the total. In hundredths of a percent: 1900 is 19%. */
    taxBasisPoints: integer('tax_basis_points').notNull().default(0),
    buyer: jsonb().$type<Buyer>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    paidAt: instant('paid_at'),
    /** When an operator ended a free order. A paid order ends by its refund. */
    endedAt: instant('ended_at'),
    /** The box about the right of withdrawal as it was shown, and when the learner ticked it. */
    waiver: text(),
    waivedAt: instant('waived_at'),
  },
  (table) => [
    // Two tabs, a double click: one open order for a learner and course, and one to give it.
    uniqueIndex('orders_one_open')
      .on(table.uid, table.courseId, table.isGift)
      .where(sql`state in ('open', 'processing')`),
    index('orders_of_learner').on(table.uid, table.createdAt),
    index('orders_newest').on(table.createdAt, table.id),
    // For the search at the desk.
    index('orders_text').using('gin', sql`lower(course_title) gin_trgm_ops`),
    index('orders_of_coupon').on(table.couponCode).where(sql`coupon_code is not null`),
  ],
)

/** One attempt to pay an order at the provider. */
export const payments = pgTable(
  'payments',
  {
    /** Also the idempotency key at the provider. */
    id: text().primaryKey(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    /** 1, 2, 3...; a transfer that an operator recorded has one, too. */
    attempt: integer().notNull(),
    /** `transfer` for money that came past the provider. */
    provider: text({ enum: ['stripe', 'sample', 'transfer'] }).notNull(),
    state: text({ enum: ['started', 'processing', 'succeeded', 'failed', 'expired'] })
      .notNull()
      .default('started'),
    amountMinor: integer('amount_minor').notNull(),
    /** The provider's checkout session; null until its answer is stored. */
    sessionId: text('session_id'),
    /** Where the learner pays. */
    url: text(),
    /** The provider's payment; null until there is one. */
    intentId: text('intent_id'),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    /** When the provider was asked last. */
    checkedAt: instant('checked_at').notNull().defaultNow(),
    settledAt: instant('settled_at'),
  },
  (table) => [
    index('payments_of_order').on(table.orderId, table.attempt),
    index('payments_of_intent').on(table.intentId),
    uniqueIndex('payments_one_open')
      .on(table.orderId)
      .where(sql`state in ('started', 'processing')`),
    index('payments_unsettled').on(table.checkedAt).where(sql`state in ('started', 'processing')`),
  ],
)

/** Money that goes back. The row comes first; its id is the idempotency key at the provider. */
export const refunds = pgTable(
  'refunds',
  {
    id: text().primaryKey(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    state: text({ enum: ['requested', 'pending', 'succeeded', 'failed'] })
      .notNull()
      .default('requested'),
    amountMinor: integer('amount_minor').notNull(),
    /** For operators and the audit. */
    reason: text().notNull(),
    /** The provider's refund; null until its answer is stored. */
    providerId: text('provider_id'),
    createdAt: instant('created_at').notNull().defaultNow(),
    settledAt: instant('settled_at'),
  },
  (table) => [
    index('refunds_of_order').on(table.orderId),
    index('refunds_unsettled').on(table.createdAt).where(sql`state in ('requested', 'pending')`),
  ],
)

/**
 * A learner asks for the money of an order: by a right of withdrawal, or for a refund that an
 * operator decides about. Gone with the account, whose refund stays.
 */
export const refundRequests = pgTable(
  'refund_requests',
  {
    id: text().primaryKey(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    uid: uid(),
    kind: text({ enum: ['withdrawal', 'refund'] }).notNull(),
    /**
     * `stated`: signed out, and not yet confirmed by the link in a mail. `asked`: waits for an
     * operator.
     */
    state: text({ enum: ['stated', 'asked', 'granted', 'declined'] })
      .notNull()
      .default('stated'),
    /** The learner's words. */
    reason: text().notNull(),
    /** The operator's words to the learner. */
    answer: text(),
    /** What counts for the days. */
    statedAt: instant('stated_at').notNull().defaultNow(),
    confirmedAt: instant('confirmed_at'),
    answeredAt: instant('answered_at'),
  },
  (table) => [
    // Two tabs, a double click, a link in a mail beside the page.
    uniqueIndex('refund_requests_one_open')
      .on(table.orderId, table.kind)
      .where(sql`state in ('stated', 'asked')`),
    index('refund_requests_of_order').on(table.orderId),
    index('refund_requests_uid').on(table.uid),
    index('refund_requests_asked').on(table.statedAt).where(sql`state = 'asked'`),
  ],
)

/** The provider's events that were handled, by the provider's id. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    orderId: text('order_id').notNull(),
    receivedAt: instant('received_at').notNull().defaultNow(),
    /** When handling the event first failed; null once it succeeded. */
    failedAt: instant('failed_at'),
  },
  (table) => [index('payment_events_failed').on(table.failedAt).where(sql`failed_at is not null`)],
)

/**
 * Every movement of money, only added to, never changed: what the orders say has to agree with it.
 */
export const ledger = pgTable(
  'ledger',
  {
    /** The payment's or refund's id: each moves money once. */
    id: text().primaryKey(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    kind: text({ enum: ['charge', 'refund'] }).notNull(),
    /** Positive for a charge, negative for a refund. */
    amountMinor: integer('amount_minor').notNull(),
    currency: text().notNull(),
    at: instant('at').notNull().defaultNow(),
  },
  (table) => [index('ledger_of_order').on(table.orderId)],
)

/**
 * Receipts and credit notes, with numbers without a gap. The document is shown as it was issued,
 * for good.
 */
export const receipts = pgTable(
  'receipts',
  {
    number: integer().primaryKey(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    /** The charge or refund that it is about. */
    ledgerId: text('ledger_id')
      .notNull()
      .references(() => ledger.id),
    document: jsonb().$type<ReceiptDocument>().notNull(),
    issuedAt: instant('issued_at').notNull(),
  },
  (table) => [
    index('receipts_of_order').on(table.orderId),
    index('receipts_of_movement').on(table.ledgerId),
  ],
)

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/**
 * The PDFs of receipts and credit notes. They are stored, because another release or another font
 * would draw other bytes. A deletion of the buyer's account deletes them, because they contain the
 * name.
 */
export const receiptFiles = pgTable('receipt_files', {
  number: integer()
    .primaryKey()
    .references(() => receipts.number),
  bytes: bytea().notNull(),
})

/** Everything that a receipt or credit note shows. */
export type ReceiptDocument = {
  kind: 'receipt' | 'credit note'
  orderId: string
  /** Of a credit note: the number of the receipt that it corrects. */
  corrects?: number
  /** ISO 8601, UTC. */
  issuedAt: string
  seller: { name: string; address: string; taxId: string }
  buyer: Buyer
  courseTitle: string
  currency: string
  /** What a coupon took off the price of a receipt. */
  discount?: { code: string; amountMinor: number }
  /** Negative in a credit note. */
  totalMinor: number
  taxBasisPoints: number
  /** Contained in the total. */
  taxMinor: number
}

/**
 * One row: the number of the last receipt. Taken in the transaction that issues it, so that a
 * failure leaves no gap.
 */
export const receiptCounter = pgTable('receipt_counter', {
  id: integer().primaryKey(),
  last: integer().notNull(),
})

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
