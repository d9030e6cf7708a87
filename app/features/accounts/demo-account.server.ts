import type { Database } from '~/server/database/client.server'
import { users } from '~/server/database/schema/index'
import { isLoopback } from '~/server/env.server'
import {
  demoUid,
  disableAccountByEmail,
  enableAccountByEmail,
  findUser,
} from './account-queries.server'
import { findPasswordHash, recordPassword } from './password/password-queries.server'
import { hashPassword, verifyPassword } from './password/passwords.server'

/**
 * The login page shows the credentials. The password is 'strong' by the specification's own rule.
 */
export const demoCredentials = { email: 'demo@learnify.example', password: 'Learnify2026' }

/**
 * Creates the demo account if it is missing, and restores its fixed password. If the demo account
 * is turned off, nobody can sign in to it.
 */
export async function syncDemoAccount(db: Database, isEnabled: boolean): Promise<void> {
  if (!isEnabled) {
    await disableAccountByEmail(db, demoCredentials.email)
    return
  }

  if (!(await findUser(db, demoUid))) {
    await createDemoAccount(db)
  }

  await enableAccountByEmail(db, demoCredentials.email)
  if (await hasDemoPassword(db)) {
    return
  }

  const passwordHash = await hashPassword(demoCredentials.password)
  if (passwordHash) {
    await recordPassword(db, demoUid, passwordHash)
  }
}

async function hasDemoPassword(db: Database): Promise<boolean> {
  const passwordHash = await findPasswordHash(db, demoUid)
  if (!passwordHash) {
    return false
  }

  return (await verifyPassword(demoCredentials.password, passwordHash)) === 'right'
}

/** The demo account looks as if it was created this many months ago. */
const accountAgeMonths = 7

async function createDemoAccount(db: Database): Promise<void> {
  const createdAt = new Date()
  createdAt.setUTCMonth(createdAt.getUTCMonth() - accountAgeMonths)

  await db
    .insert(users)
    .values({
      id: demoUid,
      name: 'Demo Learner',
      firstName: 'Demo',
      lastName: 'Learner',
      email: demoCredentials.email,
      emailVerified: true,
      emailVerifiedAt: createdAt,
      location: 'Lisbon, Portugal',
      createdAt,
    })
    .onConflictDoNothing()
}

/** Returns whether the account is the demo account of a public school, which strangers share. */
export function isSharedDemo(uid: string, isOnLoopback = isLoopback): boolean {
  return uid === demoUid && !isOnLoopback
}

/**
 * Returns why the shared demo account may not perform an action, as a sentence for the learner, or
 * null if it may.
 *
 * The account may not do what other people would see, or what would show one visitor's words to the
 * next visitor. On a loopback IP address, it may do everything.
 */
export function findDemoRefusal(
  uid: string,
  action: keyof typeof demoRefusals,
  isOnLoopback = isLoopback,
): string | null {
  return isSharedDemo(uid, isOnLoopback) ? demoRefusals[action] : null
}

const demoRefusals = {
  profile:
    'The demo account is shared, so its profile can’t be changed. Create your own account to try this.',
  review:
    'The demo account is shared, so it can’t write or rate reviews. Create your own account to try this.',
  note: 'The demo account is shared, so it can’t keep notes. Create your own account to try this.',
  certificate: 'The demo account is shared, so its certificates can’t be changed.',
} as const
