import type { Statements } from '~/server/database/client.server'
import { queueMail, queueMailWith } from '~/server/mail/outbox.server'
import { demoUid } from '../account-queries.server'
import type { SecurityChange } from '../mail/security-letters.server'
import { describeDevice } from './device-name.server'

/** A sign-in within this time after the account was made is no news. */
const newAccountMs = 10 * 60_000

export function isNewAccount(createdAt: Date, now = Date.now()): boolean {
  return now - createdAt.getTime() < newAccountMs
}

/** Tells of a sign-in from an unknown browser, in its transaction. */
export async function mailNewDevice(tx: Statements, uid: string, userAgent: string): Promise<void> {
  if (uid === demoUid) {
    return
  }

  await queueMailWith(tx, uid, 'new-device', { about: describeDevice(userAgent).name })
}

/** Tells of a changed password, in its transaction. */
export async function mailPasswordChanged(tx: Statements, uid: string): Promise<void> {
  if (uid !== demoUid) {
    await queueMail(tx, uid, 'password-changed')
  }
}

/**
 * Tells of another change of how one signs in, in its transaction. Call `mailQueued` of the service
 * after the commit.
 */
export async function mailSecurityChange(
  tx: Statements,
  uid: string,
  change: SecurityChange,
): Promise<void> {
  if (uid !== demoUid) {
    await queueMailWith(tx, uid, 'security-changed', { about: change })
  }
}
