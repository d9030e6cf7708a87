import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { instant } from './instant'

/**
 * Accounts with their profile. The specification calls some columns by other names, which are given
 * here.
 */
export const users = pgTable(
  'users',
  {
    /** The `uid`. It is random and never used again. */
    id: text().primaryKey(),
    /** The `displayName`. */
    name: text().notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull().default(''),
    /** The email address in lower case. */
    email: text().notNull().unique(),
    /**
     * Whether the learner has proven that the email address is theirs: by a social account, a link
     * to set a password, or the button behind an emailed link.
     */
    emailVerified: boolean('email_verified').notNull().default(false),
    /** When the email address was proven, or null. */
    emailVerifiedAt: instant('email_verified_at'),
    /** The `photoURL`, which is the URL of an uploaded file, or null. */
    image: text(),
    /**
     * How the account was created: `email`, `google`, `facebook`, or a single sign-on provider's
     * ID.
     */
    provider: text().notNull().default('email'),
    phone: text(),
    location: text(),
    /** The chosen time zone as an IANA name such as America/New_York, or null. */
    timezone: text(),
    /** The time zone of the learner's browser. */
    detectedTimezone: text('detected_timezone'),
    /** The time zone of all dates that the learner sees: the chosen one, the browser's, or UTC. */
    displayTimezone: text('display_timezone')
      .notNull()
      .generatedAlwaysAs(sql`coalesce(timezone, detected_timezone, 'UTC')`),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    /** Null until the first sign-in to an account that an operator created. */
    lastLoginAt: instant('last_login_at').defaultNow(),
    /** Whether the learner gets announcements by email. */
    wantsAnnouncements: boolean('wants_announcements').notNull().default(true),
    role: text().notNull().default('learner'),
    /** Whether the account is disabled, so that nobody can sign in to it. */
    banned: boolean().notNull().default(false),
    banReason: text('ban_reason'),
    banExpires: instant('ban_expires'),
  },
  // The desk's list of people needs these indexes.
  (table) => [
    index('users_newest').on(table.createdAt, table.id),
    index('users_text').using('gin', sql`fold_search_text(email || ' ' || name) gin_trgm_ops`),
  ],
)

/** Signed-in browsers. The cookie contains the signed token. */
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
     * When the learner last confirmed their identity: at sign-in, or on the page 'Confirm it's
     * you'.
     */
    confirmedAt: instant('confirmed_at').defaultNow(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    impersonatedBy: text('impersonated_by'),
  },
  (table) => [index('sessions_user_id').on(table.userId)],
)

/**
 * The sign-in methods of accounts except passkeys: a password (provider `credential`), Google,
 * Facebook or single sign-on.
 */
export const identities = pgTable(
  'identities',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    providerId: text('provider_id').notNull(),
    /** The provider's identifier of the person. */
    accountId: text('account_id').notNull(),
    /** An Argon2id hash. Only `credential` has one. */
    password: text(),
    /**
     * Whether the method was added by someone who had proven the account's email address. Others
     * are not trusted, nor are methods that are added while an unproven one is there (see
     * `recordOwnerProof`).
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

/** Unused single-use secrets, for password resets, email confirmations and OAuth states. */
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

/** The kinds of emails about an order. */
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

/** The kinds of all emails in the outbox. */
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
 * The outbox of emails. A row is written in the transaction of its cause, and deleted once the mail
 * server has accepted the email. Email addresses and links are filled in when the email is sent, so
 * that the outbox stores no links.
 */
export const outbox = pgTable(
  'outbox',
  {
    /** The ID is also part of the email's Message-ID. */
    id: text().primaryKey(),
    /** This is null if the email says that the account was deleted. */
    uid: text().references(() => users.id, { onDelete: 'cascade' }),
    kind: text({ enum: mailKinds }).notNull(),
    /**
     * The previous email address of the account, if the email goes there to tell that the address
     * was changed or the account was deleted. Otherwise the email goes to the account's address.
     */
    formerAddress: text('former_address'),
    /** The order that the email is about. */
    orderId: text('order_id'),
    /**
     * What the email is about: a security change, a device, or the ID of a refund, announcement or
     * review.
     */
    topic: text('about'),
    createdAt: instant('created_at').notNull(),
    attempts: integer().notNull().default(0),
    /** The time of the next attempt. During an attempt, it is the time at which the claim ends. */
    dueAt: instant('due_at').notNull(),
    giveUpAt: instant('give_up_at').notNull(),
    /** When the last attempt failed, or null if there will be another one. */
    failedAt: instant('failed_at'),
    /** The mail server's last error. */
    reason: text(),
  },
  (table) => [
    index('outbox_next').on(sql`(${table.kind} = 'study-reminder')`, table.dueAt),
    index('outbox_uid').on(table.uid),
  ],
)

/** Counters of attempts by account and by client, which all processes share. */
export const rateLimits = pgTable('rate_limits', {
  /** The name of the limit, and a keyed hash of the account or client. */
  key: text().primaryKey(),
  count: integer().notNull(),
  /** The start of the period in milliseconds since 1970. */
  startedAt: bigint('started_at', { mode: 'number' }).notNull(),
})
