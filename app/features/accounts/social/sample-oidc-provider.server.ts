import { randomBytes } from 'node:crypto'
import type { Account, KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { SocialProviderId } from './social-provider'
import { sampleClient, sampleIdentityPath } from './social-providers.server'

type Settings = {
  publicUrl: string
  /** Every address of this product's, to which an answer may go. */
  origins: readonly string[]
  findAccount(subject: string): Account | undefined
}

/** The protocol of the sample identity provider, with a client for each provider that it stands in for. */
export async function openOidcProvider({ publicUrl, origins, findAccount }: Settings): Promise<Provider> {
  const oidc = await import('oidc-provider')
  const policy = oidc.interactionPolicy.base()
  // Whoever signs in here is asked every time: this provider keeps nobody signed in and asks for no consent.
  policy.clear()
  policy.add(
    new oidc.interactionPolicy.Prompt(
      { name: 'select_account', requestable: true },
      new oidc.interactionPolicy.Check(
        'not_chosen',
        'no account has been chosen yet',
        (context) => !context.oidc.result?.login,
      ),
    ),
  )
  const { privateKey } = (await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair
  const key = await crypto.subtle.exportKey('jwk', privateKey)
  return new oidc.Provider(`${publicUrl}${sampleIdentityPath}`, {
    clients: (['google', 'facebook'] as const).map((id) => clientOf(id, origins)),
    jwks: { keys: [{ ...key, alg: 'ES256', use: 'sig' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')], long: { path: sampleIdentityPath } },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_context, { uid }) => `${sampleIdentityPath}/choose/${uid}` },
    pkce: { required: () => true },
    findAccount: (_context, subject) => findAccount(subject),
    loadExistingGrant: grantEverything,
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    renderError: (context, { error }) => {
      context.type = 'text'
      context.body = `The sample identity provider rejected the request: ${error}.`
    },
  })
}

function clientOf(id: SocialProviderId, origins: readonly string[]) {
  const { clientId, clientSecret } = sampleClient(id)
  return {
    client_id: clientId,
    client_secret: clientSecret,
    client_name: id === 'google' ? 'Google' : 'Facebook',
    id_token_signed_response_alg: 'ES256',
    redirect_uris: origins.map((origin) => `${origin}/account/callback/${id}`),
  }
}

async function grantEverything(context: KoaContextWithOIDC) {
  const { provider, client, session } = context.oidc
  const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId })
  grant.addOIDCScope('openid email profile')
  await grant.save()
  return grant
}
