/**
 * Queues emails about changes of how a learner signs in. The caller passes the transaction of the
 * change, and calls `wakeEmailSender` of the account service after the commit. The demo account
 * gets no emails, because strangers share it.
 */

import type { Statements } from '~/server/database/client.server'
import { queueMail, queueMailWith } from '~/server/mail/outbox.server'
import { demoUid } from '../account-queries.server'
import type { SecurityChange } from '../mail/security-emails.server'
import { describeDevice } from './device-name.server'

const newAccountMs = 10 * 60_000

/** Returns whether an account is so new that its owner needs no email about a sign-in. */
export function isNewAccount(createdAt: Date, now = Date.now()): boolean {
  return now - createdAt.getTime() < newAccountMs
}

/** Queues an email about a sign-in from a browser that is new to the account. */
export async function mailNewDevice(tx: Statements, uid: string, userAgent: string): Promise<void> {
  if (uid === demoUid) {
    return
  }

  const device = describeDevice(userAgent).name
  await queueMailWith(tx, uid, 'new-device', { topic: device })
}

/** Queues an email about a changed password. */
export async function mailPasswordChanged(tx: Statements, uid: string): Promise<void> {
  if (uid === demoUid) {
    return
  }

  await queueMail(tx, uid, 'password-changed')
}

/** Queues an email about any other change of how the learner signs in. */
export async function mailSecurityChange(
  tx: Statements,
  uid: string,
  change: SecurityChange,
): Promise<void> {
  if (uid === demoUid) {
    return
  }

  await queueMailWith(tx, uid, 'security-changed', { topic: change })
}
