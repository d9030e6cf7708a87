import type { Statements } from '~/server/database/client.server'
import { endSessions } from '../account-queries.server'
import { recordSecurityEvent } from '../security/security-log.server'
import { mailSecurityChange } from '../security/security-mails.server'
import { removeApp } from './authenticator-app.server'

/**
 * For a learner who lost the phone and the recovery codes.
 *
 * @returns false if there was no second step.
 */
export async function turnOffByOperator(db: Statements, uid: string): Promise<boolean> {
  if (!(await removeApp(db, uid))) {
    return false
  }

  await endSessions(db, uid)
  await recordSecurityEvent(db, uid, { kind: 'two-factor-off', userAgent: null })
  await mailSecurityChange(db, uid, 'factors-reset')

  return true
}
