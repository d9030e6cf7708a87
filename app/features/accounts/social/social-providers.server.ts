/**
 * The sign-in providers: Google and Facebook, and the single sign-on of organizations, as the
 * settings configure them.
 */
import type { GenericOAuthConfig } from 'better-auth/plugins'
import type { Environment } from '~/server/operations/settings/settings.server'
import type { SsoSettings } from '~/server/operations/settings/sso-settings.server'
import { toCanonicalEmail } from '../email-address/email-address.server'
import { type NameClaims, readName } from './provider-names.server'

/** What the button of a provider needs to know. */
export type SignInProvider = { id: string; name: string }

export type ProviderConfiguration = SignInProvider & {
  /** Whether this is the sample provider, which works only on this machine. */
  isSample: boolean
  config: GenericOAuthConfig
  /** The organization of a single sign-on provider. Google and Facebook have none. */
  organization?: { issuer: string; domains: string[]; isOnlySignInMethod: boolean }
}

/**
 * Returns the providers that have keys in the settings, single sign-on first. On a loopback IP
 * address, the sample provider stands in for Google and Facebook if they have no keys.
 */
export function listProviderConfigurations(
  env: Environment,
  isLoopback: boolean,
): ProviderConfiguration[] {
  const organizations = env.SSO.map((settings) =>
    createOrganizationConfiguration(settings, env.PUBLIC_URL),
  )
  const socialNetworks = [
    createSocialConfiguration('google', env, isLoopback),
    createSocialConfiguration('facebook', env, isLoopback),
  ].filter((configuration) => configuration !== null)

  return [...organizations, ...socialNetworks]
}

export function toSignInProvider({ id, name }: ProviderConfiguration): SignInProvider {
  return { id, name }
}

/** Returns the name of a single sign-on provider, and any other sign-in method unchanged. */
export function getSignInMethodName<Method extends string | null>(
  providers: readonly ProviderConfiguration[],
  signInMethod: Method,
): Method | string {
  const organizationProvider = providers.find(
    ({ id, organization }) => organization && id === signInMethod,
  )

  return organizationProvider?.name ?? signInMethod
}

type Endpoints = { authorization: string; token: string; userInfo: string }
type ClientKeys = { clientId: string; clientSecret: string }
type SocialProviderId = keyof typeof socialProviders

const socialProviders = {
  google: {
    name: 'Google',
    scopes: ['openid', 'email', 'profile'],
    // Makes Google ask for the account each time.
    prompt: 'select_account',
    endpoints: {
      authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
      token: 'https://oauth2.googleapis.com/token',
      userInfo: 'https://openidconnect.googleapis.com/v1/userinfo',
    },
    isEmailVerified: (claim: unknown) => claim === true,
  },
  facebook: {
    name: 'Facebook',
    scopes: ['public_profile', 'email'],
    prompt: undefined,
    endpoints: {
      authorization: 'https://www.facebook.com/v23.0/dialog/oauth',
      token: 'https://graph.facebook.com/v23.0/oauth/access_token',
      userInfo: 'https://graph.facebook.com/v23.0/me?fields=id,name,email',
    },
    // Facebook only shares emails that it has verified, and sends no claim about that.
    isEmailVerified: (claim: unknown) => claim !== false,
  },
} as const

/** Returns null for a provider that has no keys, unless the sample provider stands in for it. */
function createSocialConfiguration(
  id: SocialProviderId,
  env: Environment,
  isLoopback: boolean,
): ProviderConfiguration | null {
  const { name } = socialProviders[id]
  const keys = readClientKeys(id, env)
  if (keys) {
    const config = createOAuthConfig(id, keys, getEndpoints(id, env))
    return { id, name, isSample: false, config }
  }

  if (!isLoopback) {
    return null
  }

  return { id, name, isSample: true, config: createSampleConfig(id, env.PUBLIC_URL) }
}

function readClientKeys(id: SocialProviderId, env: Environment): ClientKeys | null {
  const clientId = id === 'google' ? env.GOOGLE_CLIENT_ID : env.FACEBOOK_CLIENT_ID
  const clientSecret = id === 'google' ? env.GOOGLE_CLIENT_SECRET : env.FACEBOOK_CLIENT_SECRET

  return clientId && clientSecret ? { clientId, clientSecret } : null
}

/** Returns the provider's endpoints. The settings may replace those of Google. */
function getEndpoints(id: SocialProviderId, env: Environment): Endpoints {
  const { endpoints } = socialProviders[id]
  if (id === 'facebook') {
    return endpoints
  }

  return {
    authorization: env.GOOGLE_AUTHORIZATION_URL ?? endpoints.authorization,
    token: env.GOOGLE_TOKEN_URL ?? endpoints.token,
    userInfo: env.GOOGLE_USERINFO_URL ?? endpoints.userInfo,
  }
}

function createOAuthConfig(
  id: SocialProviderId,
  keys: ClientKeys,
  endpoints: Endpoints,
): GenericOAuthConfig {
  const { scopes, prompt, isEmailVerified } = socialProviders[id]
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
    mapProfileToUser: (profile) => toUser(id, profile, isEmailVerified(profile.email_verified)),
  }
}

/** The path below which the sample identity provider runs. */
export const sampleIdentityPath = '/sample-identity'

function createSampleConfig(id: SocialProviderId, publicUrl: string): GenericOAuthConfig {
  const baseUrl = `${publicUrl}${sampleIdentityPath}`
  const endpoints = {
    authorization: `${baseUrl}/auth`,
    token: `${baseUrl}/token`,
    userInfo: `${baseUrl}/me`,
  }
  const config = createOAuthConfig(id, sampleClient(id), endpoints)

  return { ...config, scopes: ['openid', 'email', 'profile'], prompt: 'select_account' }
}

/** Returns the keys of a client of the sample provider. They are worth nothing elsewhere. */
export function sampleClient(id: SocialProviderId): ClientKeys {
  return { clientId: `sample-${id}`, clientSecret: `only-on-this-machine-${id}` }
}

/** Keeps the IDs of single sign-on providers apart from those of other sign-in methods. */
const organizationIdPrefix = 'sso-'

/**
 * Returns the configuration of a single sign-on provider (OpenID Connect). better-auth discovers
 * the provider's endpoints, and checks the signature, issuer, audience and nonce of its ID tokens.
 */
function createOrganizationConfiguration(
  settings: SsoSettings,
  publicUrl: string,
): ProviderConfiguration {
  const {
    NAME: name,
    ISSUER: issuer,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    VERIFIES: verifies,
  } = settings
  const id = `${organizationIdPrefix}${settings.id}`

  return {
    id,
    name,
    isSample: isSampleIssuer(issuer, publicUrl),
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

/** Returns the account that better-auth creates for a person whom it does not know yet. */
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
