import { boolean, customType, index, pgTable, text } from 'drizzle-orm/pg-core'
import { users } from './accounts'
import { instant } from './instant'

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
