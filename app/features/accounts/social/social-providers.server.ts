import type { GenericOAuthConfig } from 'better-auth/plugins'
import type { Environment } from '~/server/operations/settings/settings.server'
import { accountLimits } from '../account-rules'
import { canonicalEmail } from '../email-address/email-address.server'
import { directionControls, hasVisibleCharacter } from '../form/visible-text'

/** The sample identity provider's place in this product, and its two clients. */
export const sampleIdentityPath = '/sample-identity'

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
    // Facebook gives an application only addresses that it has confirmed, and makes no claim about it.
    isVerified: (claim: unknown) => claim !== false,
  },
} as const

export type SocialConfiguration = { id: SocialProviderId; sample: boolean; config: GenericOAuthConfig }

/** The providers that have keys; on a loopback address without any keys, both of them by the sample provider. */
export function socialConfigurations(env: Environment, loopback: boolean): SocialConfiguration[] {
  const ids = ['google', 'facebook'] as const
  return ids.flatMap((id) => {
    const name = id.toUpperCase() as 'GOOGLE' | 'FACEBOOK'
    const clientId = env[`${name}_CLIENT_ID`]
    const clientSecret = env[`${name}_CLIENT_SECRET`]
    if (clientId && clientSecret) {
      const endpoints = {
        authorization: env[`${name}_AUTHORIZATION_URL`] ?? providers[id].endpoints.authorization,
        token: env[`${name}_TOKEN_URL`] ?? providers[id].endpoints.token,
        userInfo: env[`${name}_USERINFO_URL`] ?? providers[id].endpoints.userInfo,
      }
      return { id, sample: false, config: oauthConfig(id, { clientId, clientSecret }, endpoints) }
    }
    return loopback ? { id, sample: true, config: sampleConfig(id, env.PUBLIC_URL) } : []
  })
}

function sampleConfig(id: SocialProviderId, publicUrl: string): GenericOAuthConfig {
  const base = `${publicUrl}${sampleIdentityPath}`
  const endpoints = { authorization: `${base}/auth`, token: `${base}/token`, userInfo: `${base}/me` }
  const config = oauthConfig(id, sampleClient(id), endpoints)
  return { ...config, scopes: ['openid', 'email', 'profile'], prompt: 'select_account' }
}

/** Keys of a client that exists only inside this product, on this machine. */
export function sampleClient(id: SocialProviderId) {
  return { clientId: `sample-${id}`, clientSecret: `only-on-this-machine-${id}` }
}

function oauthConfig(
  id: SocialProviderId,
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
    mapProfileToUser: (profile) => {
      const { firstName, lastName } = socialNames(profile.name)
      return {
        email: (typeof profile.email === 'string' && canonicalEmail(profile.email)) || undefined,
        emailVerified: isVerified(profile.email_verified),
        name: `${firstName} ${lastName}`.trim(),
        // The picture isn't linked: loading it would tell the provider about every visit to the page.
        image: undefined,
        firstName,
        lastName,
        provider: id,
      }
    },
  }
}

export type SocialProviderId = 'google' | 'facebook'

/**
 * Names of a first social sign-in: the provider's first word and the remaining words; without a visible display
 * name the first name is 'User' and the last name is empty.
 */
export function socialNames(displayName: string | null | undefined): { firstName: string; lastName: string } {
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
