import { passkey } from '@better-auth/passkey'
import { APIError } from 'better-auth/api'
import { eq } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { passkeys } from '~/server/database/schema/index'
import { siteName } from '~/server/site/site.server'
import { recordSecurityEvent } from '../security/security-log.server'
import { mailSecurityChange } from '../security/security-mails.server'

/** The path at which better-auth creates a session after a passkey was verified. */
export const passkeySignInPath = '/passkey/verify-authentication'

/**
 * Returns better-auth's plugin for passkeys, for this host name and its subdomains.
 *
 * A passkey counts as two factors, because the learner opens the device with a fingerprint, a face
 * or a PIN. better-auth alone would break that promise: it asks browsers for this user
 * verification, but accepts a response without it. So both hooks require it.
 */
export function passkeyPlugin(db: Database, publicUrl: string) {
  const { origin, hostname } = new URL(publicUrl)
  return passkey({
    rpID: hostname,
    rpName: siteName(),
    origin,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      // better-auth stores the passkey after this hook, so there is no passkey without its entry in
      // the security log and its email.
      async afterVerification({ ctx, verification, user }) {
        requireUserVerification(verification.registrationInfo)
        await db.transaction(async (tx) => {
          const userAgent = ctx.headers?.get('user-agent') ?? ''
          await recordSecurityEvent(tx, user.id, { kind: 'passkey-added', userAgent })
          await mailSecurityChange(tx, user.id, 'passkey-added')
        })
      },
    },
    authentication: {
      async afterVerification({ verification, clientData }) {
        requireUserVerification(verification.authenticationInfo)
        await db
          .update(passkeys)
          .set({ lastUsedAt: new Date() })
          .where(eq(passkeys.credentialID, clientData.id))
      },
    },
    advanced: { webAuthnChallengeCookie: 'passkey' },
  })
}

/** @throws {APIError} if the device was not unlocked by its owner */
function requireUserVerification(info: { userVerified: boolean } | undefined): void {
  if (!info?.userVerified) {
    throw new APIError('UNAUTHORIZED', { code: 'USER_NOT_VERIFIED' })
  }
}
