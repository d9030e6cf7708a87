/** Reads and names the stored passkeys of an account. */
import { and, desc, eq, isNull, ne, or } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { passkeys, users } from '~/server/database/schema/index'
import type { AccountService } from '../account-service.server'
import { maxPasskeyNameLength } from '../form/form-messages'

type PasskeyServices = Pick<AccountService, 'db' | 'publicUrl'>

/** Returns an account's passkeys, the newest first. Dates are ISO date-times. */
export async function listPasskeys({ db, publicUrl }: PasskeyServices, uid: string) {
  const rows = await db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, uid))
    .orderBy(desc(passkeys.createdAt))

  return rows.map(({ id, name, createdAt, lastUsedAt, backedUp, host }) => ({
    id,
    name: name || 'Passkey',
    addedAt: createdAt.toISOString(),
    usedAt: lastUsedAt?.toISOString() ?? null,
    isSynced: backedUp,
    /** The host name at which the passkey works; null if that is the site's current host name. */
    previousHost: host === getHost(publicUrl) ? null : host,
  }))
}

export type Passkey = Awaited<ReturnType<typeof listPasskeys>>[number]

/** Returns whether the account has a passkey that works at the site's host name. */
export async function hasPasskey(
  { db, publicUrl }: PasskeyServices,
  uid: string,
): Promise<boolean> {
  const isUsable = and(eq(passkeys.userId, uid), worksAtHost(publicUrl))
  return (await db.$count(passkeys, isUsable)) > 0
}

/** Returns the condition for passkeys that work at the site's host name. */
export function worksAtHost(publicUrl: string) {
  return or(isNull(passkeys.host), eq(passkeys.host, getHost(publicUrl)))
}

export function getHost(publicUrl: string): string {
  return new URL(publicUrl).hostname
}

/**
 * Names a passkey. If another passkey of the account already has the name, a number is added, so
 * that the learner can tell them apart.
 *
 * @param furtherColumns columns to set together with the name
 * @returns the name that the passkey has now, or null if the account has no such passkey
 */
export function namePasskey(
  db: Database,
  { uid, passkeyId, name }: { uid: string; passkeyId: string; name: string },
  furtherColumns: { host?: string } = {},
): Promise<string | null> {
  return db.transaction(async (tx) => {
    // The lock keeps two requests at the same time from choosing the same name.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, uid)).for('no key update')
    const freeName = addNumber(name, await listOtherNames(tx, uid, passkeyId))

    const updatedRows = await tx
      .update(passkeys)
      .set({ ...furtherColumns, name: freeName })
      .where(and(eq(passkeys.id, passkeyId), eq(passkeys.userId, uid)))
      .returning({ id: passkeys.id })

    return updatedRows.length > 0 ? freeName : null
  })
}

async function listOtherNames(tx: Statements, uid: string, passkeyId: string): Promise<string[]> {
  const rows = await tx
    .select({ name: passkeys.name })
    .from(passkeys)
    .where(and(eq(passkeys.userId, uid), ne(passkeys.id, passkeyId)))

  return rows.flatMap(({ name }) => name ?? [])
}

/** Returns the name, or the name with the lowest number from 2 that makes it unique. */
function addNumber(name: string, otherNames: readonly string[]): string {
  const takenNames = new Set(otherNames.map((otherName) => otherName.toLowerCase()))
  let freeName = name
  for (let number = 2; takenNames.has(freeName.toLowerCase()); number++) {
    const suffix = ` ${number}`
    freeName = name.slice(0, maxPasskeyNameLength - suffix.length).trimEnd() + suffix
  }

  return freeName
}
