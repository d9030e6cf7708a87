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

/** Coupons. The number of uses is counted from the orders. */
export const coupons = pgTable(
  'coupons',
  {
    /** Capital letters and digits, in the form that `cleanCode` returns. */
    code: text().primaryKey(),
    /** The operator's name for the coupon. Codes that were created together share the name. */
    name: text().notNull().default(''),
    /**
     * A whole percentage from 1 to 100. Other coupons have an amount and its currency (ISO 4217).
     */
    percent: integer(),
    amountMinor: integer('amount_minor'),
    currency: text(),
    /** The courses that the coupon is for. Null stands for every course. */
    courseIds: text('course_ids').array(),
    startsAt: instant('starts_at'),
    endsAt: instant('ends_at'),
    /**
     * The largest number of orders that may use the coupon, in total and per learner. Null sets no
     * limit.
     */
    maxUses: integer('max_uses'),
    maxUsesPerLearner: integer('max_uses_per_learner'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When an operator ended the coupon. */
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
 * Amounts are whole numbers in the currency's smallest unit, such as cents for USD and yen for JPY.
 * `features/orders/order-statuses.ts` defines how the status of an order, a payment or a refund may
 * change.
 */

/** What the buyer entered for the receipt. */
export type Buyer = {
  name: string
  email: string
  company?: string
  address?: string
  vatNumber?: string
  /**
   * An ISO 3166-1 alpha-2 code. It is asked only if the operator sets tax rates, and empty if the
   * buyer chose 'Another country'.
   */
  country?: string
}

/** Orders. An order keeps the price and the title that its course had when it was made. */
export const orders = pgTable(
  'orders',
  {
    /** The order number, ten random letters and digits. */
    id: text().primaryKey(),
    /**
     * Null once the account is deleted. The law requires keeping the order, but not the learner.
     */
    uid: text().references(() => users.id, { onDelete: 'set null' }),
    courseId: courseId(),
    courseTitle: text('course_title').notNull(),
    /** Whether the course goes to someone else. The row in `gifts` has the details. */
    isGift: boolean('is_gift').notNull().default(false),
    status: text('state', { enum: ['open', 'processing', 'paid', 'refunded', 'canceled'] })
      .notNull()
      .default('open'),
    /** ISO 4217. */
    currency: text().notNull(),
    /** The price of the course when the order was made. */
    listMinor: integer('list_minor').notNull(),
    /** The amount to pay, which a coupon may have reduced. */
    totalMinor: integer('total_minor').notNull(),
    couponCode: text('coupon_code').references(() => coupons.code),
    /** The tax that the total contains, in hundredths of a percent. 1900 is 19%. */
    taxBasisPoints: integer('tax_basis_points').notNull().default(0),
    buyer: jsonb().$type<Buyer>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    paidAt: instant('paid_at'),
    /** When an operator ended a free order. A paid order ends by its refund. */
    endedAt: instant('ended_at'),
    /**
     * The text of the checkbox about the right of withdrawal, and the time when the learner checked
     * it.
     */
    waiver: text(),
    waivedAt: instant('waived_at'),
    /**
     * For how many days after the payment the buyer can withdraw or ask for a refund, as checkout
     * promised. Null for a free order, and for one that was paid for in an earlier version: the
     * current rule of the school counts for it.
     */
    withdrawalDays: integer('withdrawal_days'),
    refundDays: integer('refund_days'),
  },
  (table) => [
    // Two tabs or a double click must not create a second open order. A gift is an order of its
    // own.
    uniqueIndex('orders_one_open')
      .on(table.uid, table.courseId, table.isGift)
      .where(sql`state in ('open', 'processing')`),
    index('orders_of_learner').on(table.uid, table.createdAt),
    index('orders_newest').on(table.createdAt, table.id),
    // The search at the desk needs this index.
    index('orders_text').using('gin', sql`fold_search_text(course_title) gin_trgm_ops`),
    index('orders_of_coupon').on(table.couponCode).where(sql`coupon_code is not null`),
  ],
)

/** Attempts to pay an order. */
export const payments = pgTable(
  'payments',
  {
    /** The ID is also the idempotency key for the payment provider. */
    id: text().primaryKey(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    /** The number of the attempt, counted from 1. A recorded transfer has a number, too. */
    attempt: integer().notNull(),
    /** `transfer` stands for money that did not come through a payment provider. */
    provider: text({ enum: ['stripe', 'sample', 'transfer'] }).notNull(),
    status: text('state', { enum: ['started', 'processing', 'succeeded', 'failed', 'expired'] })
      .notNull()
      .default('started'),
    amountMinor: integer('amount_minor').notNull(),
    /** The ID of the provider's checkout session, or null until its response is stored. */
    sessionId: text('session_id'),
    /** The page on which the learner pays. */
    url: text(),
    /** The ID of the provider's payment, or null until there is one. */
    intentId: text('intent_id'),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    /** When the status was last requested from the provider. */
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

/** Refunds. A row is written before the provider is called, and its ID is the idempotency key. */
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
    status: text('state', { enum: ['requested', 'pending', 'succeeded', 'failed'] })
      .notNull()
      .default('requested'),
    amountMinor: integer('amount_minor').notNull(),
    /** The reason, for operators and the audit log. */
    reason: text().notNull(),
    /** The ID of the provider's refund, or null until its response is stored. */
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
 * Refund requests. A request is either a withdrawal, or asks for a goodwill refund (`refund`) that
 * staff decide about. Requests are deleted with the account, but refunds are kept.
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
     * A `stated` request was made by someone who is not signed in, and waits for its emailed link
     * to be opened. An `asked` request waits for staff.
     */
    status: text('state', { enum: ['stated', 'asked', 'granted', 'declined'] })
      .notNull()
      .default('stated'),
    /** The learner's reason. */
    reason: text().notNull(),
    /** The answer of staff to the learner. */
    answer: text(),
    /** When the request was made. The deadlines of the law count from this time. */
    requestedAt: instant('stated_at').notNull().defaultNow(),
    confirmedAt: instant('confirmed_at'),
    answeredAt: instant('answered_at'),
  },
  (table) => [
    // Two tabs, a double click or a link in an email must not create a second open request.
    uniqueIndex('refund_requests_one_open')
      .on(table.orderId, table.kind)
      .where(sql`state in ('stated', 'asked')`),
    index('refund_requests_of_order').on(table.orderId),
    index('refund_requests_uid').on(table.uid),
    index('refund_requests_asked').on(table.requestedAt).where(sql`state = 'asked'`),
  ],
)

/** The payment provider's events that were received, by the provider's ID. */
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
 * All movements of money. Rows are added and never changed, and the orders must agree with them.
 */
export const ledger = pgTable(
  'ledger',
  {
    /** The ID of the payment or refund, each of which moves money once. */
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
 * Receipts and credit notes. Their numbers have no gaps. A document is always shown as it was
 * issued.
 */
export const receipts = pgTable(
  'receipts',
  {
    number: integer().primaryKey(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    /** The charge or refund that the document is about. */
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
 * The PDFs of receipts and credit notes. They are stored, because another release or font would
 * draw other bytes. They are deleted with the buyer's account, because they contain the name.
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
  /** The number of the receipt that a credit note corrects. */
  corrects?: number
  /** A time in ISO 8601 and UTC. */
  issuedAt: string
  /**
   * The school's time zone, in which the date is shown. A document of an earlier version shows UTC.
   */
  timeZone?: string
  seller: { name: string; address: string; taxId: string }
  buyer: Buyer
  courseTitle: string
  currency: string
  /** The discount of a coupon. */
  discount?: { code: string; amountMinor: number }
  /** The total of a credit note is negative. */
  totalMinor: number
  taxBasisPoints: number
  /** The tax that the total contains. */
  taxMinor: number
}

/**
 * The number of the last receipt, in a single row. The transaction that issues a receipt increases
 * it, so that a failure leaves no gap.
 */
export const receiptCounter = pgTable('receipt_counter', {
  id: integer().primaryKey(),
  last: integer().notNull(),
})

/** Gifts, which are orders with `isGift`. Once the order is paid, the code can be redeemed once. */
export const gifts = pgTable(
  'gifts',
  {
    orderId: text('order_id')
      .primaryKey()
      .references(() => orders.id),
    /**
     * The buyer. When the account is deleted, this is null and the texts below are removed, but the
     * code stays valid.
     */
    uid: text().references(() => users.id, { onDelete: 'set null' }),
    /** Sixteen random letters and digits. Anyone with the code can redeem the course. */
    code: text().notNull().unique(),
    recipientEmail: text('recipient_email'),
    senderName: text('sender_name').notNull(),
    message: text().notNull().default(''),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** The learner who redeemed the code. Null before that, and after their account is deleted. */
    redeemedBy: text('redeemed_by').references(() => users.id, { onDelete: 'set null' }),
    redeemedAt: instant('redeemed_at'),
  },
  (table) => [
    index('gifts_of_giver').on(table.uid),
    index('gifts_redeemed').on(table.redeemedBy),
    index('gifts_newest').on(table.createdAt, table.orderId),
  ],
)
