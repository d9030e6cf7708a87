import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { instant } from './instant'

/** One row a learner: the account and the profile record of the specification, keyed by `uid`. */
export const users = pgTable(
  'users',
  {
    /** `uid`; random, never reused. */
    id: text().primaryKey(),
    /** `displayName`. */
    name: text().notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull().default(''),
    /** Lower case. */
    email: text().notNull().unique(),
    /**
     * The address is proven: by a provider, a link to set a password, or the button behind the link
     * of a mail.
     */
    emailVerified: boolean('email_verified').notNull().default(false),
    /** When that was; null until then. */
    emailVerifiedAt: instant('email_verified_at'),
    /** `photoURL`: an address of this product's own files, or null. */
    image: text(),
    /**
     * How the account was created: `email`, `google`, `facebook`, or the ID of a single sign-on
     * provider.
     */
    provider: text().notNull().default('email'),
    phone: text(),
    location: text(),
    /** IANA name, for example America/New_York; null until chosen. */
    timezone: text(),
    /** Of the learner's browser. */
    detectedTimezone: text('detected_timezone'),
    /**
     * The time zone of every date and day of this learner's: chosen, else the browser's, else UTC.
     */
    displayTimezone: text('display_timezone')
      .notNull()
      .generatedAlwaysAs(sql`coalesce(timezone, detected_timezone, 'UTC')`),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    /** Null for an account that an operator made, until its first sign-in. */
    lastLoginAt: instant('last_login_at').defaultNow(),
    /** Whether the learner gets announcements by email. */
    wantsAnnouncements: boolean('wants_announcements').notNull().default(true),
    role: text().notNull().default('learner'),
    /** A disabled account: signs in no more. */
    banned: boolean().notNull().default(false),
    banReason: text('ban_reason'),
    banExpires: instant('ban_expires'),
  },
  // For the desk's list of people.
  (table) => [
    index('users_newest').on(table.createdAt, table.id),
    index('users_text').using('gin', sql`lower(email || ' ' || name) gin_trgm_ops`),
  ],
)

/** Signed-in browsers. The cookie carries the token, signed. */
export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    token: text().notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    /**
     * When the learner last proved to be there: by the sign-in, or on the page 'Confirm it's you'.
     */
    confirmedAt: instant('confirmed_at').defaultNow(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    impersonatedBy: text('impersonated_by'),
  },
  (table) => [index('sessions_user_id').on(table.userId)],
)

/**
 * Ways to sign in to an account: a password (provider `credential`), Google, Facebook, single
 * sign-on.
 */
export const identities = pgTable(
  'identities',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    providerId: text('provider_id').notNull(),
    /** The provider's own identifier of the person. */
    accountId: text('account_id').notNull(),
    /** Argon2id hash; only for `credential`. */
    password: text(),
    /**
     * Added by someone who had proven the account's address; anything added before is not trusted,
     * see `proveOwner`.
     */
    proven: boolean().notNull().default(false),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: instant('access_token_expires_at'),
    refreshTokenExpiresAt: instant('refresh_token_expires_at'),
    scope: text(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('identities_user_id').on(table.userId),
    uniqueIndex('identities_provider').on(table.providerId, table.accountId),
  ],
)

/** Single-use secrets on their way: password resets, address confirmations, OAuth states. */
export const verifications = pgTable(
  'verifications',
  {
    id: text().primaryKey(),
    identifier: text().notNull(),
    value: text().notNull(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [index('verifications_identifier').on(table.identifier)],
)

/** About an order. */
export const orderMailKinds = [
  'receipt',
  'credit-note',
  'gift',
  'withdrawal-link',
  'refund-link',
  'withdrawal-received',
  'refund-received',
  'refund-declined',
  'course-closed',
  'payment-failed',
] as const

/**
 * The email outbox. Addresses and links are filled in when an email is sent, so that no link is
 * stored here.
 */
export const mailKinds = [
  'welcome',
  'invitation',
  'confirmation',
  'reset',
  'password-removed',
  'password-changed',
  'address-changed',
  'confirm-code',
  'new-device',
  'security-changed',
  'account-deleted',
  'study-reminder',
  'announcement-test',
  'review-answer',
  ...orderMailKinds,
] as const
export type OrderMailKind = (typeof orderMailKinds)[number]
export type MailKind = (typeof mailKinds)[number]

/**
 * Email to be sent, written with its cause. A row is deleted once the mail server has accepted the
 * message.
 */
export const outbox = pgTable(
  'outbox',
  {
    /** Names the message, too. */
    id: text().primaryKey(),
    /** Null for the mail that says that the account was deleted. */
    uid: text().references(() => users.id, { onDelete: 'cascade' }),
    kind: text({ enum: mailKinds }).notNull(),
    /**
     * Where it goes instead of the account's own address: the former one, to say that it was
     * changed or deleted.
     */
    formerAddress: text('former_address'),
    /** The order that it is about. */
    orderId: text('order_id'),
    /**
     * The security change, device, movement of money, announcement or review that the mail is
     * about.
     */
    about: text(),
    createdAt: instant('created_at').notNull(),
    attempts: integer().notNull().default(0),
    /** When it is tried next; while it is being sent, when another process may take it over. */
    dueAt: instant('due_at').notNull(),
    giveUpAt: instant('give_up_at').notNull(),
    /** When sending was given up. */
    failedAt: instant('failed_at'),
    /** The mail server's last words. */
    reason: text(),
  },
  (table) => [
    index('outbox_next').on(sql`(${table.kind} = 'study-reminder')`, table.dueAt),
    index('outbox_uid').on(table.uid),
  ],
)

/** Counters of attempts, by account and by address, shared by every process of the product. */
export const rateLimits = pgTable('rate_limits', {
  /** Name of the limit and a keyed hash of the account or client. */
  key: text().primaryKey(),
  count: integer().notNull(),
  /** Milliseconds since 1970. */
  startedAt: bigint('started_at', { mode: 'number' }).notNull(),
})
