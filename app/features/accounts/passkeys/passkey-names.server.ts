import { and, eq, ne } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { passkeys, users } from '~/server/database/schema/index'
import { maxPasskeyNameLength } from '../sign-in-methods/sign-in-method-messages'

/**
 * Names a passkey. If another passkey of the account already has the name, a number is added, so
 * that the learner can tell them apart.
 *
 * @param values further columns to set
 * @returns the name that the passkey has now, or null if the account has no such passkey
 */
export function namePasskey(
  db: Database,
  { uid, passkeyId, name }: { uid: string; passkeyId: string; name: string },
  values: { host?: string } = {},
): Promise<string | null> {
  return db.transaction(async (tx) => {
    // The lock keeps two requests at the same time from choosing the same name.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, uid)).for('no key update')
    const freeName = addNumber(name, await listOtherNames(tx, uid, passkeyId))

    const named = await tx
      .update(passkeys)
      .set({ ...values, name: freeName })
      .where(and(eq(passkeys.id, passkeyId), eq(passkeys.userId, uid)))
      .returning({ id: passkeys.id })

    return named.length > 0 ? freeName : null
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
