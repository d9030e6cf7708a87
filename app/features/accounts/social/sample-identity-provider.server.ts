/**
 * Stands in for Google and Facebook on a machine that has no keys for them.
 *
 * This is a real OpenID Connect provider, so the whole sign-in works offline. It accepts any
 * identity that somebody enters. Therefore it only runs on a loopback IP address, and only responds
 * to clients on the same machine.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Account, Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { env, isLoopback } from '~/server/env.server'
import { toLoggedPath } from '~/server/http/logged-path.server'
import { listLoopbackOrigins } from '~/server/http/loopback-url.server'
import { isDirectRequest } from '~/server/http/request-source.server'
import { log } from '~/server/operations/log.server'
import { toCanonicalEmail } from '../email-address/email-address.server'
import { getPageHeaders, renderChooserPage, type SamplePerson } from './sample-identity-page.server'
import {
  listProviderConfigurations,
  type ProviderConfiguration,
  sampleIdentityPath,
} from './social-providers.server'

const maxFormBytes = 10_000

/** Returns null unless the product runs on a loopback IP address without keys of a provider. */
export function openSampleIdentityProvider(): SampleIdentityProvider | null {
  const providers = listProviderConfigurations(env, isLoopback)
  const sampleProviders = providers.filter(({ isSample }) => isSample)
  if (!isLoopback || sampleProviders.length === 0) {
    return null
  }

  return new SampleIdentityProvider(
    env.PUBLIC_URL,
    listLoopbackOrigins(env.PUBLIC_URL),
    sampleProviders,
  )
}

export class SampleIdentityProvider {
  #provider: Promise<Provider> | null = null
  readonly #peopleBySubject = new Map<string, SamplePerson>()

  /**
   * @param origins the origins of this product, to which sign-ins may lead back
   * @param clients the providers that this one stands in for
   */
  constructor(
    private publicUrl: string,
    private origins: string[],
    private clients: readonly ProviderConfiguration[],
  ) {}

  /** Returns whether a request is for this provider. */
  handles(request: IncomingMessage): boolean {
    return getPath(request).startsWith(`${sampleIdentityPath}/`)
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    logFinishedRequest(request, response)
    try {
      await this.#respond(request, response)
    } catch (error) {
      log.error({ err: error }, 'the sample identity provider failed')
      if (!response.headersSent) {
        sendText(response, 500, 'Something went wrong. Close this window and try again.')
      }
    }
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isDirectRequest()) {
      return sendText(response, 403, 'This page is only available on this machine.')
    }

    this.#provider ??= openOidcProvider(this.publicUrl, this.origins, this.clients, (subject) =>
      this.#findAccount(subject),
    )
    const provider = await this.#provider
    const path = getPath(request).slice(sampleIdentityPath.length)
    if (path.startsWith('/choose/')) {
      return this.#handleChooser(provider, request, response)
    }

    // oidc-provider expects a path below its own, as Connect and Express would set it.
    Object.assign(request, { originalUrl: getPath(request), url: path })
    await provider.callback()(request, response)
  }

  /** Shows the page on which people choose an account, and takes their choice. */
  async #handleChooser(
    provider: Provider,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const interaction = await provider.interactionDetails(request, response).catch(() => null)
    if (!interaction) {
      return sendText(response, 400, 'This sign-in has expired. Close this window and try again.')
    }

    const client = this.clients.find(
      ({ config }) => config.clientId === interaction.params.client_id,
    )
    if (!client) {
      return sendText(response, 400, 'This sign-in is for an unknown provider.')
    }

    if (request.method !== 'POST') {
      const page = renderChooserPage(client.name, null)
      response.writeHead(200, getPageHeaders(this.origins)).end(page)
      return
    }

    const form = new URLSearchParams((await text(request)).slice(0, maxFormBytes))
    if (form.has('cancel')) {
      return provider.interactionFinished(request, response, { error: 'access_denied' })
    }

    const person = readPerson(form)
    if (person.email !== '' && !toCanonicalEmail(person.email)) {
      const page = renderChooserPage(client.name, person)
      response.writeHead(400, getPageHeaders(this.origins)).end(page)
      return
    }

    const subject = form.get('subject')?.trim() || createSubject(person)
    this.#peopleBySubject.set(subject, person)
    // Without `select_account`, the chooser would open again.
    await provider.interactionFinished(request, response, {
      login: { accountId: subject },
      select_account: {},
    })
  }

  #findAccount(subject: string): Account | undefined {
    const person = this.#peopleBySubject.get(subject)
    if (!person) {
      return undefined
    }

    const { name, email, verified } = person

    return {
      accountId: subject,
      claims: () => ({
        sub: subject,
        name: name || undefined,
        ...(email && { email, email_verified: verified }),
      }),
    }
  }
}

function readPerson(form: URLSearchParams): SamplePerson {
  return {
    name: form.get('name')?.trim() ?? '',
    email: form.get('email')?.trim() ?? '',
    verified: form.has('verified'),
  }
}

/** Returns the same subject for the same email, like real providers. */
function createSubject({ email, name }: SamplePerson): string {
  const identity = toCanonicalEmail(email) ?? `name:${name}`
  return createHash('sha256').update(identity).digest('hex').slice(0, 24)
}

/**
 * The product's request log does not see these requests, because this provider handles them before.
 */
function logFinishedRequest(request: IncomingMessage, response: ServerResponse): void {
  const startedAt = performance.now()
  const { method } = request
  const path = toLoggedPath(getPath(request).split('?')[0] ?? '')
  response.once('finish', () => {
    const ms = Math.round(performance.now() - startedAt)
    log.info({ method, path, status: response.statusCode, ms }, 'request')
  })
}

/** Returns the path with its query. Behind `enforcePublicOrigin`, the request's URL is absolute. */
function getPath({ url = '' }: IncomingMessage): string {
  return url.replace(/^https?:\/\/[^/]*/, '')
}

function sendText(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(message)
}

/** Opens the library's provider, with a client for each provider that it stands in for. */
async function openOidcProvider(
  publicUrl: string,
  origins: readonly string[],
  clients: readonly ProviderConfiguration[],
  findAccount: (subject: string) => Account | undefined,
): Promise<Provider> {
  const { interactionPolicy, Provider } = await import('oidc-provider')
  const { Check, Prompt } = interactionPolicy

  // The provider asks for an account at each sign-in, and for nothing else.
  const policy = interactionPolicy.base()
  policy.clear()
  const isAccountMissing = new Check(
    'not_chosen',
    'no account has been chosen yet',
    ({ oidc }) => !oidc.result?.login,
  )
  policy.add(new Prompt({ name: 'select_account', requestable: true }, isAccountMissing))

  return new Provider(`${publicUrl}${sampleIdentityPath}`, {
    clients: clients.map(({ id, config }) => ({
      client_id: config.clientId,
      client_secret: config.clientSecret,
      id_token_signed_response_alg: 'ES256',
      redirect_uris: origins.map((origin) => `${origin}/account/callback/${id}`),
    })),
    jwks: { keys: [await createSigningKey()] },
    cookies: { keys: [randomBytes(32).toString('base64url')], long: { path: sampleIdentityPath } },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_context, { uid }) => `${sampleIdentityPath}/choose/${uid}` },
    findAccount: (_context, subject) => findAccount(subject),
    loadExistingGrant: grantEverything,
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    renderError: (context, { error }) => {
      context.type = 'text'
      context.body = `The sample identity provider rejected the request: ${error}.`
    },
  } satisfies Configuration)
}

async function createSigningKey() {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  // `key_ops` of the private key is 'sign', which would forbid to verify with its public key.
  const { key_ops: _, ...key } = await crypto.subtle.exportKey('jwk', privateKey)

  return { ...key, alg: 'ES256', use: 'sig' }
}

async function grantEverything({ oidc }: KoaContextWithOIDC) {
  const { client, session, provider } = oidc
  const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId })
  grant.addOIDCScope('openid email profile')
  await grant.save()

  return grant
}
