import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Account, InteractionDetails, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { env, isLoopback } from '~/server/env.server'
import { cameDirectly } from '~/server/http/client-address.server'
import { loopbackOrigins } from '~/server/http/loopback.server'
import { loggedPath } from '~/server/http/request-trace.server'
import { log } from '~/server/operations/log.server'
import { countAnswer } from '~/server/operations/metrics/counters.server'
import { canonicalEmail } from '../email-address/email-address.server'
import { chooserPage, type SamplePerson } from './sample-identity-page.server'
import {
  type SocialProviderId,
  sampleClient,
  sampleIdentityPath,
  socialConfigurations,
} from './social-providers.server'

const maxPeople = 1000
const maxFormBytes = 10_000

/** On a machine of one's own without keys of Google and Facebook; never anywhere else. */
export function openSampleProvider(): SampleIdentityProvider | null {
  if (!socialConfigurations(env, isLoopback).some(({ sample }) => sample)) return null
  return new SampleIdentityProvider(env.PUBLIC_URL, loopbackOrigins(env.PUBLIC_URL))
}

/**
 * Stands in for Google and Facebook on a machine that has no keys for them: a real OpenID Connect provider, so that the
 * whole flow works offline. It accepts any typed identity, which is why it is mounted on loopback addresses only.
 */
export class SampleIdentityProvider {
  #provider: Promise<Provider> | null = null
  #people = new Map<string, SamplePerson>()

  /** @param origins every address of this product's, to which an answer may go. */
  constructor(
    private publicUrl: string,
    private origins: string[],
  ) {}

  handles(request: IncomingMessage): boolean {
    return pathOf(request).startsWith(`${sampleIdentityPath}/`)
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    noteWhenDone(request, response)
    try {
      await this.#answer(request, response)
    } catch (error) {
      log.error({ err: error }, 'the sample identity provider failed')
      if (!response.headersSent) send(response, 500, 'Something went wrong. Close this window and try again.')
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!cameDirectly()) return send(response, 403, 'This page is only available on this machine.')
    this.#provider ??= openOidcProvider({
      publicUrl: this.publicUrl,
      origins: this.origins,
      findAccount: (subject) => this.#account(subject),
    })
    const provider = await this.#provider
    const path = pathOf(request).slice(sampleIdentityPath.length)
    if (path.startsWith('/choose/')) return this.#choose(provider, request, response)
    // Under its mount, as Connect and Express do it.
    Object.assign(request, { originalUrl: pathOf(request), url: path })
    await provider.callback()(request, response)
  }

  /** Both steps of the chooser: the page, and the submitted choice. */
  async #choose(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const interaction = await provider.interactionDetails(request, response).catch(() => null)
    if (!interaction) return send(response, 400, 'This sign-in has expired. Close this window and try again.')
    const name = nameOfClient(interaction)
    if (request.method !== 'POST') return sendPage(response, 200, chooserPage(name, null, this.origins))

    const form = new URLSearchParams((await text(request)).slice(0, maxFormBytes))
    if (form.has('cancel')) {
      return provider.interactionFinished(request, response, { error: 'access_denied' })
    }
    const person = {
      name: (form.get('name') ?? '').trim(),
      email: (form.get('email') ?? '').trim(),
      verified: form.has('verified'),
    }
    if (person.email !== '' && !canonicalEmail(person.email))
      return sendPage(response, 400, chooserPage(name, person, this.origins))
    await provider.interactionFinished(request, response, {
      login: { accountId: this.#remember(person) },
      // Completes the prompt; otherwise the chooser would open again.
      select_account: {},
    })
  }

  /** @returns the subject: the same for the same address, as real providers have it. */
  #remember(person: SamplePerson): string {
    const subject = createHash('sha256')
      .update(canonicalEmail(person.email) ?? `name:${person.name}`)
      .digest('hex')
      .slice(0, 24)
    this.#people.delete(subject)
    this.#people.set(subject, person)
    const [oldest] = this.#people.keys()
    if (oldest !== undefined && this.#people.size > maxPeople) this.#people.delete(oldest)
    return subject
  }

  #account(subject: string): Account | undefined {
    const person = this.#people.get(subject)
    if (!person) return undefined
    const email = person.email && { email: person.email, email_verified: person.verified }
    return { accountId: subject, claims: () => ({ sub: subject, name: person.name || undefined, ...email }) }
  }
}

/** The product's own log and figures begin behind this provider. */
function noteWhenDone(request: IncomingMessage, response: ServerResponse): void {
  const startedAt = performance.now()
  const { method } = request
  const path = loggedPath(pathOf(request).split('?')[0] ?? '')
  response.once('finish', () => {
    const ms = performance.now() - startedAt
    countAnswer(`${sampleIdentityPath}/*`, response.statusCode, ms / 1000)
    log.info({ method, path, status: response.statusCode, ms: Math.round(ms) }, 'request')
  })
}

/** With its query; behind `onPublicOrigin` the target is absolute. */
function pathOf({ url = '' }: IncomingMessage): string {
  return url.replace(/^https?:\/\/[^/]*/, '')
}

function nameOfClient({ params }: InteractionDetails): string {
  return params.client_id === sampleClient('facebook').clientId ? 'Facebook' : 'Google'
}

function send(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(words)
}

function sendPage(response: ServerResponse, status: number, page: { html: string; policy: string }): void {
  response
    .writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': page.policy,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    })
    .end(page.html)
}

type Settings = {
  publicUrl: string
  /** Every address of this product's, to which an answer may go. */
  origins: readonly string[]
  findAccount(subject: string): Account | undefined
}

/** The protocol of the sample identity provider, with a client for each provider that it stands in for. */
async function openOidcProvider({ publicUrl, origins, findAccount }: Settings): Promise<Provider> {
  const oidc = await import('oidc-provider')
  const policy = oidc.interactionPolicy.base()
  // This provider asks for the account each time: it has no sessions and asks for no consent.
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
