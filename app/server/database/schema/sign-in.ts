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

/** The security log of accounts. It contains no secret, no email address and no IP address. */
export const securityEvents = pgTable(
  'security_events',
  {
    uid: uid(),
    kind: text({ enum: securityEventKinds }).notNull(),
    at: instant('at').notNull(),
    /** A random ID. */
    id: text().notNull(),
    /** The sign-in method: `password`, `passkey` or a provider's ID. */
    way: text(),
    /**
     * The browser that was used, such as 'Firefox on Windows'. For `session-ended`, it is the
     * browser that was signed out. Null stands for an operator.
     */
    device: text(),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.kind, table.at, table.id] }),
    index('security_events_at').on(table.at),
  ],
)

/** Emailed account recovery links ('This wasn't me'), by the hash of their secret. */
export const securityLinks = pgTable(
  'security_links',
  {
    tokenHash: text('token_hash').primaryKey(),
    uid: uid(),
    /** The time of the event. The recovery reverts all changes since then. */
    since: instant('since').notNull(),
    /** The account's email address at that time, to which the link was sent. */
    email: text().notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    index('security_links_uid').on(table.uid),
    index('security_links_expires_at').on(table.expiresAt),
  ],
)

/** The authenticator apps of accounts, which give the codes for the second step of a sign-in. */
export const twoFactor = pgTable(
  'two_factor',
  {
    uid: uid(),
    /** The secret of the app, which better-auth has encrypted with the product's secret. */
    secret: text().notNull(),
    createdAt: instant('created_at').notNull(),
    /** When a first code proved that the app has the secret. Until then, sign-ins need no code. */
    enabledAt: instant('enabled_at'),
    /**
     * The time step of the last accepted code: the number of 30-second periods since 1970. That
     * code and earlier ones are refused.
     */
    lastStep: integer('last_step').notNull().default(0),
    /** The Argon2id hashes of the unused recovery codes. All have the same salt. */
    recoveryHashes: text('recovery_hashes').array().notNull(),
    recoverySalt: text('recovery_salt').notNull(),
  },
  (table) => [primaryKey({ columns: [table.uid] })],
)

/**
 * An authenticator's counter of its uses, which is always stored as 0. Passkeys that are synced
 * between devices report 0 or count on each device separately, so the counter can't be checked.
 */
const ignoredCounter = customType<{ data: number; driverData: number }>({
  dataType: () => 'integer',
  toDriver: () => 0,
})

/** Passkeys, in the columns that `@better-auth/passkey` requires. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The learner's name for the passkey. */
    name: text(),
    publicKey: text('public_key').notNull(),
    credentialID: text('credential_id').notNull().unique(),
    counter: ignoredCounter().notNull(),
    deviceType: text('device_type').notNull(),
    /** Whether the passkey is synced between devices. */
    backedUp: boolean('backed_up').notNull(),
    /** How browsers reach the authenticator, such as `internal,hybrid`. */
    transports: text(),
    /**
     * The host name where the passkey was created. Browsers offer it nowhere else. Null if an
     * earlier release created it.
     */
    host: text(),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at'),
    /** The ID of the kind of authenticator, such as a certain password manager. */
    aaguid: text(),
  },
  (table) => [index('passkeys_user_id').on(table.userId)],
)
