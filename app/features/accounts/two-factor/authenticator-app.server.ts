import { createOTP } from '@better-auth/utils/otp'
import {
  generateRandomString,
  type SecretConfig,
  symmetricDecrypt,
  symmetricEncrypt,
} from 'better-auth/crypto'
import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Database, Statements } from '~/server/database/client.server'
import { twoFactor } from '~/server/database/schema/index'
import { siteName } from '~/server/site/site.server'

/*
 * Codes of an authenticator app (RFC 6238). better-auth's plugin `two-factor` isn't used, only what
 * it is made of: the plugin leaves out sign-ins by a provider, accepts a code as often as it is
 * sent, and its recovery codes can be read by whoever has the database and the secret.
 */

const periodMs = 30_000
const secretLength = 32

/** The parts of the account service that this file needs. */
type AppContext = { db: Database; encryptionKey: SecretConfig; now(): number }

export type TwoFactorRow = typeof twoFactor.$inferSelect

export async function findTwoFactor(db: Statements, uid: string): Promise<TwoFactorRow | null> {
  const [row] = await db.select().from(twoFactor).where(eq(twoFactor.uid, uid))
  return row ?? null
}

/** Whether every way to sign in to the account has a second step. */
export async function hasSecondStep(db: Statements, uid: string): Promise<boolean> {
  return (await findTwoFactor(db, uid))?.enabledAt != null
}

/** Begins to set up an app, with a new secret each time. An app that is in use stays. */
export async function beginSetup(
  { db, encryptionKey: key, now }: AppContext,
  uid: string,
): Promise<void> {
  const secret = await symmetricEncrypt({ key, data: generateRandomString(secretLength) })
  const begun = { secret, createdAt: new Date(now()), recoveryHashes: [], recoverySalt: '' }
  await db
    .insert(twoFactor)
    .values({ uid, ...begun })
    .onConflictDoUpdate({
      target: twoFactor.uid,
      set: begun,
      setWhere: isNull(twoFactor.enabledAt),
    })
}

export async function cancelSetup(db: Statements, uid: string): Promise<void> {
  await db.delete(twoFactor).where(and(eq(twoFactor.uid, uid), isNull(twoFactor.enabledAt)))
}

/** What an app needs to be set up: the address in the QR code, and the same for typing. */
export async function readSetup(
  { encryptionKey }: Pick<AppContext, 'encryptionKey'>,
  row: TwoFactorRow,
  email: string,
) {
  const secret = await readSecret(encryptionKey, row)
  if (secret === null) {
    return null
  }

  const otp = createOTP(secret, { period: periodMs / 1000 })
  const address = otp.url(siteName(), email)

  return { address, key: new URL(address).searchParams.get('secret') ?? '' }
}

/**
 * Null if the product's own secret was replaced without keeping the former one: recovery codes work
 * then, too.
 */
async function readSecret(key: SecretConfig, { secret }: TwoFactorRow): Promise<string | null> {
  return symmetricDecrypt({ key, data: secret }).catch(() => null)
}

/**
 * @returns the period whose code it is: this one, or for clocks that differ its neighbors; null for
 * a wrong code.
 */
export async function findStep(
  { encryptionKey, now }: AppContext,
  row: TwoFactorRow,
  code: string,
): Promise<number | null> {
  const secret = await readSecret(encryptionKey, row)
  if (secret === null) {
    return null
  }

  const otp = createOTP(secret, { period: periodMs / 1000 })
  const current = Math.floor(now() / periodMs)
  for (const step of [current, current - 1, current + 1]) {
    if ((await otp.hotp(step)) === code) {
      return step
    }
  }

  return null
}

/**
 * Uses a code of the account's app up. Comparing with the last accepted period and setting it is
 * one statement.
 *
 * @returns true to exactly one of any number of callers with the same code.
 */
export async function acceptAppCode(
  service: AppContext,
  uid: string,
  code: string,
): Promise<boolean> {
  const row = await findTwoFactor(service.db, uid)
  const step = row?.enabledAt ? await findStep(service, row, code) : null
  if (!row || step === null) {
    return false
  }

  const accepted = await service.db
    .update(twoFactor)
    .set({ lastStep: step })
    .where(
      and(eq(twoFactor.uid, uid), eq(twoFactor.secret, row.secret), lt(twoFactor.lastStep, step)),
    )
    .returning({ uid: twoFactor.uid })

  return accepted.length > 0
}

/**
 * Ends the set-up by the app's first code, which works no more from then on.
 *
 * @returns false if the set-up was begun anew or has ended meanwhile.
 */
export async function enableApp(
  db: Statements,
  { uid, secret }: TwoFactorRow,
  enabled: Pick<TwoFactorRow, 'lastStep' | 'recoveryHashes' | 'recoverySalt'>,
  now: number,
): Promise<boolean> {
  const rows = await db
    .update(twoFactor)
    .set({ ...enabled, enabledAt: new Date(now) })
    .where(and(eq(twoFactor.uid, uid), eq(twoFactor.secret, secret), isNull(twoFactor.enabledAt)))
    .returning({ uid: twoFactor.uid })

  return rows.length > 0
}

/** @returns false if there was no second step. */
export async function removeApp(db: Statements, uid: string): Promise<boolean> {
  const enabled = sql<boolean>`${twoFactor.enabledAt} is not null`
  const rows = await db.delete(twoFactor).where(eq(twoFactor.uid, uid)).returning({ enabled })
  return rows.some((row) => row.enabled)
}
