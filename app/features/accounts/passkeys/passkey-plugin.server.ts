import { passkey } from '@better-auth/passkey'
import { APIError } from 'better-auth/api'
import { eq } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { passkeys } from '~/server/database/schema/index'
import { siteName } from '~/server/site/site.server'
import { recordSecurityEvent } from '../security/security-log.server'
import { mailSecurityChange } from '../security/security-mails.server'

/** Where better-auth begins a session by a passkey. */
export const passkeySignInPath = '/passkey/verify-authentication'

/** The refusal of a passkey that was used without the device's lock. */
const unverified = 'USER_NOT_VERIFIED'

type Verified = { userVerified: boolean }

/**
 * Passkeys of this host name and those below it. better-auth asks browsers for the device's lock
 * (fingerprint, face or PIN), but takes an answer without it; here it counts as two factors, so it
 * is required.
 */
export function passkeyPlugin(db: Database, publicUrl: string) {
  const { origin, hostname } = new URL(publicUrl)
  return passkey({
    rpID: hostname,
    rpName: siteName(),
    origin,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      // better-auth stores the passkey after this, so that no passkey exists without its event and
      // its mail.
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

function requireUserVerification(info: Verified | undefined): void {
  if (!info?.userVerified) {
    throw new APIError('UNAUTHORIZED', { code: unverified })
  }
}
