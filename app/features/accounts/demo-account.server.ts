import type { Database } from '~/server/database/client.server'
import { users } from '~/server/database/schema/index'
import { isLoopback } from '~/server/env.server'
import {
  demoUid,
  findPasswordHash,
  findUser,
  recordPassword,
  setDisabled,
} from './account-queries.server'
import { hashPassword, verifyPassword } from './password/passwords.server'

/** Shown on the login page; the password meets the specification's own rule for 'strong'. */
export const demoCredentials = { email: 'demo@learnify.example', password: 'Learnify2026' }

const monthsHere = 7

/**
 * Makes the demo account, or brings it back to its fixed password; when switched off, no one can
 * sign in to it.
 */
export async function syncDemoAccount(db: Database, enabled: boolean): Promise<void> {
  if (!enabled) {
    await setDisabled(db, demoCredentials.email, true)
    return
  }

  if (!(await findUser(db, demoUid))) {
    await recordDemoAccount(db)
  }

  await setDisabled(db, demoCredentials.email, false)
  const former = await findPasswordHash(db, demoUid)
  if (former && (await verifyPassword(demoCredentials.password, former))) {
    return
  }

  const hash = await hashPassword(demoCredentials.password)
  if (hash) {
    await recordPassword(db, demoUid, hash)
  }
}

async function recordDemoAccount(db: Database): Promise<void> {
  const joined = new Date()
  joined.setUTCMonth(joined.getUTCMonth() - monthsHere)
  await db
    .insert(users)
    .values({
      id: demoUid,
      name: 'Demo Learner',
      firstName: 'Demo',
      lastName: 'Learner',
      email: demoCredentials.email,
      emailVerified: true,
      emailVerifiedAt: joined,
      location: 'Lisbon, Portugal',
      createdAt: joined,
    })
    .onConflictDoNothing()
}

/** On a public address, strangers share the demo account. */
export function isSharedDemo(uid: string, loopback = isLoopback): boolean {
  return uid === demoUid && !loopback
}

/**
 * The one list of actions that are closed to the shared demo account: everything that others see or
 * that would show one visitor's words to the next. Reading and learning stay open, and on a
 * loopback address so does everything else.
 *
 * @returns a sentence, or null if the action is allowed.
 */
export function findDemoRefusal(
  uid: string,
  action: keyof typeof demoRefusals,
  loopback = isLoopback,
): string | null {
  return isSharedDemo(uid, loopback) ? demoRefusals[action] : null
}

/** The actions that are closed to the shared demo account. */
export const demoRefusals = {
  profile:
    'The demo account is shared, so its profile can’t be changed. Create your own account to try this.',
  review:
    'The demo account is shared, so it can’t write or rate reviews. Create your own account to try this.',
  note: 'The demo account is shared, so it can’t keep notes. Create your own account to try this.',
  certificate: 'The demo account is shared, so its certificates can’t be changed.',
} as const
