import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
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
