import { boolean, customType, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { users } from './accounts'
import { uid } from './columns'
import { instant } from './instant'

const securityEventKinds = [
  'signed-in',
  'wrong-password',
  'password-changed',
  'password-reset',
  'password-removed',
  'session-ended',
  'sign-in-method-added',
  'sign-in-method-removed',
  'address-changed',
  'two-factor-on',
  'two-factor-off',
  'recovery-codes-made',
  'recovery-code-used',
  'wrong-code',
  'passkey-added',
  'passkey-removed',
  'secured',
] as const
export type SecurityEventKind = (typeof securityEventKinds)[number]

/**
 * What happened to an account and who can sign in to it. Holds no secret, no email address and no
 * IP address.
 */
export const securityEvents = pgTable(
  'security_events',
  {
    uid: uid(),
    kind: text({ enum: securityEventKinds }).notNull(),
    at: instant('at').notNull(),
    /** Random. */
    id: text().notNull(),
    /** The way to sign in: `password`, `passkey` or a provider's ID. */
    way: text(),
    /**
     * Like 'Firefox on Windows': who did it, or for `session-ended` what was signed out. Null for
     * an operator.
     */
    device: text(),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.kind, table.at, table.id] }),
    index('security_events_at').on(table.at),
  ],
)

/** Links of 'This wasn't me' on their way by mail, by the hash of their secret. */
export const securityLinks = pgTable(
  'security_links',
  {
    tokenHash: text('token_hash').primaryKey(),
    uid: uid(),
    /** When it happened: what came since is removed. */
    since: instant('since').notNull(),
    /** Where it was sent: the account's address then. */
    email: text().notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    index('security_links_uid').on(table.uid),
    index('security_links_expires_at').on(table.expiresAt),
  ],
)

/** The authenticator app of an account, with which a sign-in has a second step. */
export const twoFactor = pgTable(
  'two_factor',
  {
    uid: uid(),
    /** What the app makes codes of, encrypted by better-auth with the product's secret. */
    secret: text().notNull(),
    createdAt: instant('created_at').notNull(),
    /**
     * When a first code proved that the app has the secret; null until then, when no sign-in asks
     * for it.
     */
    enabledAt: instant('enabled_at'),
    /**
     * The period of 30 seconds, counted from 1970, whose code was accepted last: that code and
     * former ones work no more.
     */
    lastStep: integer('last_step').notNull().default(0),
    /** Argon2id hashes of the recovery codes that are left, of one salt. */
    recoveryHashes: text('recovery_hashes').array().notNull(),
    recoverySalt: text('recovery_salt').notNull(),
  },
  (table) => [primaryKey({ columns: [table.uid] })],
)

/**
 * How often an authenticator says that it was used. Passkeys that are synced between devices say 0,
 * or count on each device by itself, so none is stored: every one is compared with 0.
 */
const uncounted = customType<{ data: number; driverData: number }>({
  dataType: () => 'integer',
  toDriver: () => 0,
})

/**
 * Passkeys: ways to sign in by a device's own lock. Columns as `@better-auth/passkey` wants them.
 */
export const passkeys = pgTable(
  'passkeys',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As the learner calls it. */
    name: text(),
    publicKey: text('public_key').notNull(),
    credentialID: text('credential_id').notNull().unique(),
    counter: uncounted().notNull(),
    deviceType: text('device_type').notNull(),
    /** Synced between devices. */
    backedUp: boolean('backed_up').notNull(),
    /** Like `internal,hybrid`: how browsers reach it. */
    transports: text(),
    /**
     * The host name where it was created. Browsers offer it nowhere else. Null if an earlier
     * release created it.
     */
    host: text(),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at'),
    /** The kind of authenticator, like a password manager. */
    aaguid: text(),
  },
  (table) => [index('passkeys_user_id').on(table.userId)],
)
