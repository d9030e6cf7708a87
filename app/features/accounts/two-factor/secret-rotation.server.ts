import { formatEnvelope, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { and, asc, eq, gt, not, sql } from 'drizzle-orm'
import { twoFactor } from '~/server/database/schema/index'
import { log } from '~/server/operations/log.server'
import type { AccountService } from '../account-service.server'

const rowsAtOnce = 500

type Rotated = Pick<AccountService, 'db' | 'encryptionKey'>

/**
 * Encrypts the secrets of authenticator apps by the current secret of the product, so that a former
 * one may go. Several processes may do it at once, and one that is changed meanwhile stays as it
 * is.
 */
export async function renewAppSecrets({ db, encryptionKey: key }: Rotated): Promise<void> {
  const isCurrent = sql`starts_with(${twoFactor.secret}, ${formatEnvelope(key.currentVersion, '')})`
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: { uid: string; secret: string }[] = await db
      .select({ uid: twoFactor.uid, secret: twoFactor.secret })
      .from(twoFactor)
      .where(and(gt(twoFactor.uid, after), not(isCurrent)))
      .orderBy(asc(twoFactor.uid))
      .limit(rowsAtOnce)

    for (const { uid, secret } of rows) {
      const data = await symmetricDecrypt({ key, data: secret }).catch(() => null)
      // An operator turns it off: `learner turn-off-two-step`.
      if (data === null) {
        log.warn(
          'an authenticator app’s secret was encrypted by a secret that isn’t in the settings',
        )
      } else {
        const renewed = await symmetricEncrypt({ key, data })
        await db
          .update(twoFactor)
          .set({ secret: renewed })
          .where(and(eq(twoFactor.uid, uid), eq(twoFactor.secret, secret)))
      }
    }

    after = rows.length === rowsAtOnce ? rows.at(-1)?.uid : undefined
  }
}
