import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { uid } from './columns'
import { instant } from './instant'

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
