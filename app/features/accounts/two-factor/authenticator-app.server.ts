/**
 * Codes of an authenticator app (time-based one-time passwords, RFC 6238).
 *
 * Each code is accepted once, and the account's secret is encrypted in the database. better-auth's
 * plugin `two-factor` breaks two promises: it leaves out sign-ins by a provider, and it accepts a
 * code as often as it is sent. So only better-auth's functions for codes and encryption are used
 * here.
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
import { cleanCode } from '~/ui/form/clean-text'

/** A code is valid for one step of time. */
const timeStepMs = 30_000
const secretLength = 32

type AppServices = { db: Database; encryptionKey: SecretConfig; now(): number }

type TwoFactorRow = typeof twoFactor.$inferSelect

export async function findTwoFactor(db: Statements, uid: string): Promise<TwoFactorRow | null> {
  const [row] = await db.select().from(twoFactor).where(eq(twoFactor.uid, uid))
  return row ?? null
}

/**
 * Returns whether the account has two-step sign-in. A setup that was only started does not count.
 */
export async function hasTwoFactor(db: Statements, uid: string): Promise<boolean> {
  const row = await findTwoFactor(db, uid)
  return row !== null && row.enabledAt !== null
}

/** Starts the setup of an app with a new secret. An app that is in use stays as it is. */
export async function startAppSetup(
  { db, encryptionKey, now }: AppServices,
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

/** Deletes a setup that was only started. */
export async function cancelAppSetup(db: Statements, uid: string): Promise<void> {
  await db.delete(twoFactor).where(and(eq(twoFactor.uid, uid), isNull(twoFactor.enabledAt)))
}

type AppSetup = {
  /** The URL in the QR code, which an app on the same phone can also open. */
  url: string
  /** The key to type into an app that can't scan the QR code. */
  key: string
}

/** Returns null if the secret can't be decrypted. */
export async function readAppSetup(
  { encryptionKey }: Pick<AppServices, 'encryptionKey'>,
  row: TwoFactorRow,
  email: string,
): Promise<AppSetup | null> {
  const secret = await decryptSecret(encryptionKey, row)
  if (secret === null) {
    return null
  }

  const url = createTotp(secret).url(siteName(), email)
  const key = new URL(url).searchParams.get('secret')
  if (key === null) {
    throw new Error('The URL for an authenticator app has no key.')
  }

  return { url, key }
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

/** Returns the six digits of a submitted code, or null if the text is not a code of an app. */
export function parseAppCode(submittedCode: string): string | null {
  const code = cleanCode(submittedCode)
  return /^\d{6}$/.test(code) ? code : null
}

/**
 * Returns whether a submitted code has digits only, but not six. No recovery code looks like this,
 * because it is longer.
 */
export function isIncompleteAppCode(submittedCode: string): boolean {
  return /^(?:\d{1,5}|\d{7,11})$/.test(cleanCode(submittedCode))
}

/**
 * Returns the time step that a code belongs to, or null for a wrong code. The neighbors of the
 * current step count as well, because clocks differ.
 */
export async function findTimeStep(
  { encryptionKey, now }: AppServices,
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
 * Consumes a code of the account's app. Exactly one of any number of parallel callers with the same
 * code gets `accepted`, because one statement compares the code's time step with the last accepted
 * one and stores it.
 */
export async function consumeAppCode(
  services: AppServices,
  uid: string,
  code: string,
): Promise<'accepted' | 'wrong'> {
  const row = await findTwoFactor(services.db, uid)
  if (!row?.enabledAt) {
    return 'wrong'
  }

  const timeStep = await findTimeStep(services, row, code)
  if (timeStep === null) {
    return 'wrong'
  }

  const isUnusedCode = and(
    eq(twoFactor.uid, uid),
    eq(twoFactor.secret, row.secret),
    lt(twoFactor.lastStep, timeStep),
  )
  const updated = await services.db
    .update(twoFactor)
    .set({ lastStep: timeStep })
    .where(isUnusedCode)
    .returning({ uid: twoFactor.uid })

  return updated.length > 0 ? 'accepted' : 'wrong'
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
  values: Pick<TwoFactorRow, 'lastStep' | 'recoveryHashes' | 'recoverySalt'>,
  now: number,
): Promise<boolean> {
  const isSameSetup = and(
    eq(twoFactor.uid, uid),
    eq(twoFactor.secret, secret),
    isNull(twoFactor.enabledAt),
  )
  const updated = await db
    .update(twoFactor)
    .set({ ...values, enabledAt: new Date(now) })
    .where(isSameSetup)
    .returning({ uid: twoFactor.uid })

  return updated.length > 0
}

/**
 * Removes the account's app with its recovery codes.
 *
 * @returns whether the account had two-step sign-in
 */
export async function removeAuthenticatorApp(db: Statements, uid: string): Promise<boolean> {
  const wasEnabled = sql<boolean>`${twoFactor.enabledAt} is not null`
  const deleted = await db.delete(twoFactor).where(eq(twoFactor.uid, uid)).returning({ wasEnabled })

  return deleted.some((row) => row.wasEnabled)
}
