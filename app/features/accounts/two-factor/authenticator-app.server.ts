/**
 * Codes of an authenticator app (time-based one-time passwords, RFC 6238).
 *
 * Each code is accepted once, and the account's secret is encrypted in the database. better-auth's
 * plugin `two-factor` breaks two promises: it leaves out sign-ins by a provider, and it accepts a
 * code as often as it is sent. So only its building blocks are used here.
 */
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

const timeStepMs = 30_000
const secretLength = 32

/** The parts of the account service that this file needs. */
type AppContext = { db: Database; encryptionKey: SecretConfig; now(): number }

type TwoFactorRow = typeof twoFactor.$inferSelect

export async function findTwoFactor(db: Statements, uid: string): Promise<TwoFactorRow | null> {
  const [row] = await db.select().from(twoFactor).where(eq(twoFactor.uid, uid))
  return row ?? null
}

/** Returns whether signing in to the account takes a second step. */
export async function hasTwoFactor(db: Statements, uid: string): Promise<boolean> {
  const row = await findTwoFactor(db, uid)
  return row !== null && row.enabledAt !== null
}

/** Starts the setup of an app with a new secret. An app that is in use stays as it is. */
export async function beginSetup(
  { db, encryptionKey, now }: AppContext,
  uid: string,
): Promise<void> {
  const secret = await symmetricEncrypt({
    key: encryptionKey,
    data: generateRandomString(secretLength),
  })
  const setup = { secret, createdAt: new Date(now()), recoveryHashes: [], recoverySalt: '' }
  await db
    .insert(twoFactor)
    .values({ uid, ...setup })
    .onConflictDoUpdate({
      target: twoFactor.uid,
      set: setup,
      setWhere: isNull(twoFactor.enabledAt),
    })
}

export async function cancelSetup(db: Statements, uid: string): Promise<void> {
  await db.delete(twoFactor).where(and(eq(twoFactor.uid, uid), isNull(twoFactor.enabledAt)))
}

/** Returns what an app needs for its setup: the URL in the QR code, and its key for typing. */
export async function readSetup(
  { encryptionKey }: Pick<AppContext, 'encryptionKey'>,
  row: TwoFactorRow,
  email: string,
) {
  const secret = await decryptSecret(encryptionKey, row)
  if (secret === null) {
    return null
  }

  const url = createTotp(secret).url(siteName(), email)

  return { url, key: new URL(url).searchParams.get('secret') ?? '' }
}

/**
 * Returns the app's secret, or null if `AUTH_SECRET` was replaced and the previous value was not
 * kept. Recovery codes still work then.
 */
async function decryptSecret(key: SecretConfig, { secret }: TwoFactorRow): Promise<string | null> {
  return symmetricDecrypt({ key, data: secret }).catch(() => null)
}

function createTotp(secret: string) {
  return createOTP(secret, { period: timeStepMs / 1000 })
}

/**
 * Returns the time step that a code belongs to, or null for a wrong code. The neighbors of the
 * current step count as well, because clocks differ.
 */
export async function findTimeStep(
  { encryptionKey, now }: AppContext,
  row: TwoFactorRow,
  code: string,
): Promise<number | null> {
  const secret = await decryptSecret(encryptionKey, row)
  if (secret === null) {
    return null
  }

  const totp = createTotp(secret)
  const currentStep = Math.floor(now() / timeStepMs)
  for (const step of [currentStep, currentStep - 1, currentStep + 1]) {
    if ((await totp.hotp(step)) === code) {
      return step
    }
  }

  return null
}

/**
 * Uses a code of the account's app up. One statement compares its time step with the last accepted
 * one and stores it.
 *
 * @returns true to exactly one of any number of parallel callers with the same code
 */
export async function consumeAppCode(
  service: AppContext,
  uid: string,
  code: string,
): Promise<boolean> {
  const row = await findTwoFactor(service.db, uid)
  if (!row?.enabledAt) {
    return false
  }

  const timeStep = await findTimeStep(service, row, code)
  if (timeStep === null) {
    return false
  }

  const isUnused = and(
    eq(twoFactor.uid, uid),
    eq(twoFactor.secret, row.secret),
    lt(twoFactor.lastStep, timeStep),
  )
  const accepted = await service.db
    .update(twoFactor)
    .set({ lastStep: timeStep })
    .where(isUnused)
    .returning({ uid: twoFactor.uid })

  return accepted.length > 0
}

/**
 * Ends the setup after the app's first code. That code's time step is stored, so the code does not
 * work again.
 *
 * @returns false if the setup was started anew or has ended meanwhile
 */
export async function enableAuthenticatorApp(
  db: Statements,
  { uid, secret }: TwoFactorRow,
  enabled: Pick<TwoFactorRow, 'lastStep' | 'recoveryHashes' | 'recoverySalt'>,
  now: number,
): Promise<boolean> {
  const isSameSetup = and(
    eq(twoFactor.uid, uid),
    eq(twoFactor.secret, secret),
    isNull(twoFactor.enabledAt),
  )
  const rows = await db
    .update(twoFactor)
    .set({ ...enabled, enabledAt: new Date(now) })
    .where(isSameSetup)
    .returning({ uid: twoFactor.uid })

  return rows.length > 0
}

/** @returns whether the account had a second step */
export async function removeAuthenticatorApp(db: Statements, uid: string): Promise<boolean> {
  const wasEnabled = sql<boolean>`${twoFactor.enabledAt} is not null`
  const rows = await db.delete(twoFactor).where(eq(twoFactor.uid, uid)).returning({ wasEnabled })
  return rows.some((row) => row.wasEnabled)
}
