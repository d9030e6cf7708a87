import type { GenericOAuthConfig } from 'better-auth/plugins'
import type { Environment } from '~/server/operations/settings/settings.server'
import type { SsoSettings } from '~/server/operations/settings/sso-settings.server'
import { accountLimits, placeholderName } from '../account-rules'
import { toCanonicalEmail } from '../email-address/email-address.server'
import { directionControls, hasVisibleCharacter, hasVisibleLetter } from '../form/visible-text'

/** The path below which the sample identity provider runs. */
export const sampleIdentityPath = '/sample-identity'

/** Returns the name of a single sign-on provider, and any other sign-in method unchanged. */
export function getSignInMethodName<Method extends string | null>(
  providers: readonly SocialConfiguration[],
  signInMethod: Method,
): Method | string {
  return (
    providers.find(({ id, organization }) => organization && id === signInMethod)?.name ??
    signInMethod
  )
}

type Endpoints = { authorization: string; token: string; userInfo: string }

const providers = {
  google: {
    scopes: ['openid', 'email', 'profile'],
    // Makes Google ask for the account each time.
    prompt: 'select_account',
    endpoints: {
      authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
      token: 'https://oauth2.googleapis.com/token',
      userInfo: 'https://openidconnect.googleapis.com/v1/userinfo',
    },
    isVerified: (claim: unknown) => claim === true,
  },
  facebook: {
    scopes: ['public_profile', 'email'],
    prompt: undefined,
    endpoints: {
      authorization: 'https://www.facebook.com/v23.0/dialog/oauth',
      token: 'https://graph.facebook.com/v23.0/oauth/access_token',
      userInfo: 'https://graph.facebook.com/v23.0/me?fields=id,name,email',
    },
    // Facebook only shares emails that it has verified, and sends no claim about that.
    isVerified: (claim: unknown) => claim !== false,
  },
} as const

/** What the button of a provider needs to know. */
export type SignInProvider = { id: string; name: string }

export type SocialConfiguration = SignInProvider & {
  /** Whether this is the sample provider, which works only on this machine. */
  sample: boolean
  config: GenericOAuthConfig
  /** The organization of a single sign-on provider. Google and Facebook have none. */
  organization?: { issuer: string; domains: string[]; isOnlySignInMethod: boolean }
}

export function toSignInProvider({ id, name }: SocialConfiguration): SignInProvider {
  return { id, name }
}

/**
 * Returns the providers that have keys in the settings, single sign-on first. On a loopback IP
 * address, the sample provider stands in for Google and Facebook if they have no keys.
 */
export function socialConfigurations(env: Environment, loopback: boolean): SocialConfiguration[] {
  return [
    ...env.SSO.map((settings) => organizationConfiguration(settings, env.PUBLIC_URL)),
    ...commonConfigurations(env, loopback),
  ]
}

function commonConfigurations(env: Environment, loopback: boolean): SocialConfiguration[] {
  return (['google', 'facebook'] as const).flatMap((id): SocialConfiguration | [] => {
    const label = id === 'google' ? 'Google' : 'Facebook'
    const name = id.toUpperCase() as 'GOOGLE' | 'FACEBOOK'
    const clientId = env[`${name}_CLIENT_ID`]
    const clientSecret = env[`${name}_CLIENT_SECRET`]
    if (clientId && clientSecret) {
      const { endpoints } = providers[id]
      const configuredEndpoints =
        id === 'google'
          ? {
              authorization: env.GOOGLE_AUTHORIZATION_URL ?? endpoints.authorization,
              token: env.GOOGLE_TOKEN_URL ?? endpoints.token,
              userInfo: env.GOOGLE_USERINFO_URL ?? endpoints.userInfo,
            }
          : endpoints

      return {
        id,
        name: label,
        sample: false,
        config: oauthConfig(id, { clientId, clientSecret }, configuredEndpoints),
      }
    }

    return loopback
      ? { id, name: label, sample: true, config: sampleConfig(id, env.PUBLIC_URL) }
      : []
  })
}

function sampleConfig(id: CommonProviderId, publicUrl: string): GenericOAuthConfig {
  const base = `${publicUrl}${sampleIdentityPath}`
  const endpoints = {
    authorization: `${base}/auth`,
    token: `${base}/token`,
    userInfo: `${base}/me`,
  }
  const config = oauthConfig(id, sampleClient(id), endpoints)

  return { ...config, scopes: ['openid', 'email', 'profile'], prompt: 'select_account' }
}

/** Returns the keys of a client of the sample provider. They are worth nothing elsewhere. */
export function sampleClient(id: CommonProviderId) {
  return { clientId: `sample-${id}`, clientSecret: `only-on-this-machine-${id}` }
}

function oauthConfig(
  id: CommonProviderId,
  keys: { clientId: string; clientSecret: string },
  endpoints: Endpoints,
): GenericOAuthConfig {
  const { scopes, prompt, isVerified } = providers[id]
  return {
    providerId: id,
    ...keys,
    authorizationUrl: endpoints.authorization,
    tokenUrl: endpoints.token,
    userInfoUrl: endpoints.userInfo,
    scopes: [...scopes],
    prompt,
    pkce: true,
    disableProviderLogout: true,
    accountSubject: ({ profile }) => profile.sub ?? profile.id ?? '',
    mapProfileToUser: (profile) => toUser(id, profile, isVerified(profile.email_verified)),
  }
}

function toUser(
  provider: string,
  { email, ...nameClaims }: NameClaims & { email?: unknown },
  emailVerified: boolean,
) {
  const { firstName, lastName } = readName(nameClaims)
  return {
    email: (typeof email === 'string' && toCanonicalEmail(email)) || undefined,
    emailVerified,
    name: `${firstName} ${lastName}`.trim(),
    // Loading the provider's picture would tell the provider about every visit to the page.
    image: undefined,
    firstName,
    lastName,
    provider,
  }
}

/** Keeps the IDs of single sign-on providers apart from those of other sign-in methods. */
const organizationPrefix = 'sso-'

/**
 * Returns the configuration of a single sign-on provider (OpenID Connect). better-auth discovers the
 * provider's endpoints, and checks the signature, issuer, audience and nonce of its ID tokens.
 */
function organizationConfiguration(settings: SsoSettings, publicUrl: string): SocialConfiguration {
  const {
    NAME: name,
    ISSUER: issuer,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    VERIFIES: verifies,
  } = settings
  const id = `${organizationPrefix}${settings.id}`

  return {
    id,
    name,
    sample: isSampleIssuer(issuer, publicUrl),
    organization: { issuer, domains: settings.DOMAINS, isOnlySignInMethod: settings.ONLY_WAY },
    config: {
      providerId: id,
      clientId,
      clientSecret,
      discoveryUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      requireIdTokenVerification: true,
      scopes: ['openid', 'email', 'profile'],
      pkce: true,
      disableProviderLogout: true,
      accountSubject: ({ profile }) => profile.sub ?? '',
      mapProfileToUser: (profile) => {
        const claim = profile.email_verified
        // Some providers send the claim as text.
        const isVerified = claim === true || claim === 'true'
        const isAlwaysVerified = verifies === 'always' && claim === undefined
        return toUser(id, profile, isVerified || isAlwaysVerified)
      },
    },
  }
}

/** Returns whether the settings name the sample provider as the issuer. */
function isSampleIssuer(issuer: string, publicUrl: string): boolean {
  return issuer === `${publicUrl}${sampleIdentityPath}`
}

type CommonProviderId = keyof typeof providers

/** OpenID Connect's claims about a name. A provider may leave out each of them. */
type NameClaims = { name?: unknown; given_name?: unknown; family_name?: unknown }

type PersonName = { firstName: string; lastName: string }

const unknownName: PersonName = { firstName: placeholderName, lastName: '' }

/**
 * Returns the name from a provider's claims: `given_name` and `family_name` if both are known,
 * otherwise the display name, otherwise the one of the two that is known.
 */
export function readName({ name, given_name, family_name }: NameClaims): PersonName {
  const givenName = toNameWords(given_name).join(' ')
  const familyName = toNameWords(family_name).join(' ')
  if (givenName && familyName) {
    return { firstName: truncate(givenName), lastName: truncate(familyName) }
  }

  const displayName = toNameWords(name).join(' ')
  return splitDisplayName(displayName || givenName || familyName)
}

/** Matches "Lovelace, Ada", but not a title after the name, as in "Ada Lovelace, PhD". */
const familyNameFirst = /^([^,]+),(?! ?(?:jr|sr|ii|iii|iv|ph\.? ?d|m\.?d)\.?$) ?([^,]+)$/i

/**
 * Splits a display name at its first space, or "Last, First" at its comma. Without a visible name,
 * the first name is the placeholder and the last name is empty.
 */
export function splitDisplayName(displayName: unknown): PersonName {
  const words = toNameWords(displayName)
  const [, familyName, givenName] = familyNameFirst.exec(words.join(' ')) ?? []
  if (familyName && givenName && [familyName, givenName].every(hasVisibleLetter)) {
    return { firstName: truncate(givenName), lastName: truncate(familyName) }
  }

  const [firstName, ...rest] = words
  if (firstName === undefined) {
    return unknownName
  }

  return { firstName: truncate(firstName), lastName: truncate(rest.join(' ')) }
}

const emailAddress = /[^\s@]@[^\s@]/

/** Returns the words of a name claim. Invisible words and email addresses are left out. */
function toNameWords(claim: unknown): string[] {
  if (typeof claim !== 'string') {
    return []
  }

  const plain = claim.replaceAll('\0', '').replaceAll(directionControls, '')
  return plain.split(/\s+/).filter((word) => hasVisibleCharacter(word) && !emailAddress.test(word))
}

/** Cuts a name to its maximum length, and drops half a surrogate pair at the end. */
function truncate(name: string): string {
  return name.slice(0, accountLimits.name).replace(/[\uD800-\uDBFF]$/, '')
}

/** Returns whether a name is so long that a sign-in may have truncated it. */
export function isPossiblyTruncated(name: string): boolean {
  return name.length >= accountLimits.name - 1
}
