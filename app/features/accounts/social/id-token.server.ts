/**
 * Verifies the ID tokens of single sign-on with a tolerance of one minute for the times in them.
 *
 * better-auth verifies ID tokens without a tolerance, so sign-ins would fail while the provider's
 * clock is three seconds ahead. If a token is refused, a line in the log names the wrong claim.
 */
import type { AuthContext, BetterAuthPlugin } from 'better-auth'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import { log } from '~/server/operations/log.server'

const clockToleranceSeconds = 60

type IdTokenConfig = NonNullable<AuthContext['socialProviders'][number]['idToken']>
type KeySetConfig = Exclude<IdTokenConfig, { verify: unknown }>

/** Goes after the plugins that add providers. */
export function clockTolerance(): BetterAuthPlugin {
  return {
    id: 'clock-tolerance',
    init({ socialProviders }) {
      for (const provider of socialProviders) {
        const { id, idToken } = provider
        if (idToken && !('verify' in idToken)) {
          provider.idToken = {
            verify: (token, nonce) => verifyIdToken(id, idToken, { token, nonce }),
          }
        }
      }
    },
  }
}

/** Returns whether the provider has issued the token for this sign-in. The log says why not. */
export async function verifyIdToken(
  provider: string,
  { jwks, issuer, audience, algorithms }: KeySetConfig,
  { token, nonce }: { token: string; nonce: string | undefined },
): Promise<boolean> {
  try {
    const { payload } = await jwtVerify(token, jwks, {
      ...(issuer && { issuer }),
      ...(algorithms && { algorithms }),
      audience,
      clockTolerance: clockToleranceSeconds,
    })
    if (nonce === undefined || payload.nonce === nonce) {
      return true
    }

    log.warn({ provider, claim: 'nonce' }, refused)
  } catch (error) {
    log.warn({ provider, ...describeError(error) }, refused)
  }

  return false
}

const refused = 'the ID token of a provider was refused'

/**
 * Returns the claim that is wrong and, if it is a time, its difference to the clock of this
 * machine.
 */
function describeError(error: unknown) {
  const isAboutClaim =
    error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired
  if (!isAboutClaim) {
    return { err: error }
  }

  const { claim, payload } = error
  return { claim, secondsFromNow: getSecondsFromNow(payload, claim) }
}

function getSecondsFromNow(payload: JWTPayload, claim: string): number | undefined {
  const value = payload[claim]
  return typeof value === 'number' ? Math.round(value - Date.now() / 1000) : undefined
}
