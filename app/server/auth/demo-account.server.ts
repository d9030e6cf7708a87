import type { Database } from '../database/client.server'
import { users } from '../database/schema'
import { findPasswordHash, findUser, recordPassword, setDisabled } from './account-queries.server'
import { hashPassword, verifyPassword } from './passwords.server'

/** The demo learner's fixed `uid`. */
export const demoUid = 'demo-learner'

/** Shown on the login page; the password meets the specification's own rule for 'strong'. */
export const demoCredentials = { email: 'demo@learnify.example', password: 'Learnify2026' }

const monthsHere = 7

/** Makes the demo account, or brings it back to its fixed password; switched off, nobody signs in to it. */
export async function keepDemoAccount(db: Database, enabled: boolean): Promise<void> {
  if (!enabled) {
    await setDisabled(db, demoCredentials.email, true)
    return
  }
  if (!(await findUser(db, demoUid))) await recordDemoAccount(db)
  await setDisabled(db, demoCredentials.email, false)
  const hash = await findPasswordHash(db, demoUid)
  if (hash && (await verifyPassword(demoCredentials.password, hash))) return
  await recordPassword(db, demoUid, await hashPassword(demoCredentials.password))
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
