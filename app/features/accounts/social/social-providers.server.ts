import type { GenericOAuthConfig } from 'better-auth/plugins'
import type { Environment } from '~/server/operations/settings/settings.server'
import type { SsoSettings } from '~/server/operations/settings/sso-settings.server'
import { accountLimits } from '../account-rules'
import { canonicalEmail } from '../email-address/email-address.server'
import { directionControls, hasVisibleCharacter } from '../form/visible-text'

/** The sample identity provider's place in this product, and its two clients. */
export const sampleIdentityPath = '/sample-identity'

/** Replaces the ID of a single sign-on provider by its name. */
export function namedWay<Way extends string | null>(
  providers: readonly SocialConfiguration[],
  way: Way,
): Way | string {
  return providers.find(({ id, organization }) => organization && id === way)?.name ?? way
}

type Endpoints = { authorization: string; token: string; userInfo: string }

const providers = {
  google: {
    scopes: ['openid', 'email', 'profile'],
    // Google's own setting for 'always ask which account'.
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
    // Facebook gives an application only addresses that it has confirmed, and makes no claim about
    // it.
    isVerified: (claim: unknown) => claim !== false,
  },
} as const

/** The part of a provider that its button needs. */
export type ProviderName = { id: string; name: string }

export type SocialConfiguration = ProviderName & {
  /** The sample provider, which works only on this machine. */
  sample: boolean
  config: GenericOAuthConfig
  /** Present for single sign-on. */
  organization?: { issuer: string; domains: string[]; isOnlyWay: boolean }
}

export const nameOf = ({ id, name }: SocialConfiguration): ProviderName => ({ id, name })

/**
 * The providers that have keys. On a loopback address without any keys, the sample provider stands
 * in for Google and Facebook. Single sign-on comes first.
 */
export function socialConfigurations(env: Environment, loopback: boolean): SocialConfiguration[] {
  return [
    ...env.SSO.map((settings) => organizationConfiguration(settings, env.PUBLIC_URL)),
    ...commonOnes(env, loopback),
  ]
}

function commonOnes(env: Environment, loopback: boolean): SocialConfiguration[] {
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

/** Keys of a client that exists only inside this product, on this machine. */
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
    mapProfileToUser: (profile) => userOf(id, profile, isVerified(profile.email_verified)),
  }
}

function userOf(
  provider: string,
  { email, name }: { email?: unknown; name?: string },
  emailVerified: boolean,
) {
  const { firstName, lastName } = socialNames(name)
  return {
    email: (typeof email === 'string' && canonicalEmail(email)) || undefined,
    emailVerified,
    name: `${firstName} ${lastName}`.trim(),
    // Loading the picture would tell the provider about every visit to the page.
    image: undefined,
    firstName,
    lastName,
    provider,
  }
}

/** Keeps the IDs of single sign-on providers apart from other ways to sign in. */
const organizationPrefix = 'sso-'

/**
 * A single sign-on provider with OpenID Connect. better-auth reads its configuration, and checks
 * the signature, issuer, audience and nonce of its tokens.
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
    organization: { issuer, domains: settings.DOMAINS, isOnlyWay: settings.ONLY_WAY },
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
        return userOf(
          id,
          profile,
          claim === true || claim === 'true' || (verifies === 'always' && claim === undefined),
        )
      },
    },
  }
}

/** Whether the settings name the sample provider as the issuer. */
function isSampleIssuer(issuer: string, publicUrl: string): boolean {
  return issuer === `${publicUrl}${sampleIdentityPath}`
}

type CommonProviderId = keyof typeof providers

/**
 * Names of a first social sign-in: the provider's first word and the remaining words; without a
 * visible display name the first name is 'User' and the last name is empty.
 */
export function socialNames(displayName: string | null | undefined): {
  firstName: string
  lastName: string
} {
  const plain = (displayName ?? '').replaceAll('\0', '').replaceAll(directionControls, '')
  const words = plain.split(/\s+/).filter(hasVisibleCharacter)
  const [firstName = 'User', ...rest] = words

  return { firstName: shorten(firstName), lastName: shorten(rest.join(' ')) }
}

/** Without the first half of a character that the limit cuts in two. */
function shorten(name: string): string {
  return name.slice(0, accountLimits.name).replace(/[\uD800-\uDBFF]$/, '')
}

/** Whether a name is as long as names can be, so that a sign-in may have shortened it. */
export function mayBeCut(name: string): boolean {
  return name.length >= accountLimits.name - 1
}
