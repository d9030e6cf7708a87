/**
 * Stands in for Google and Facebook on a machine that has no keys for them.
 *
 * This is a real OpenID Connect provider, so the whole sign-in works offline. It accepts any identity
 * that somebody enters. Therefore it only runs on a loopback IP address, and only responds to clients
 * on the same machine.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Account, Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { env, isLoopback } from '~/server/env.server'
import { isDirectRequest, loopbackOrigins } from '~/server/http/client-address.server'
import { loggedPath } from '~/server/http/request-trace.server'
import { escapeHtml } from '~/server/mail/email-layout.server'
import { log } from '~/server/operations/log.server'
import { siteName } from '~/server/site/site.server'
import { toCanonicalEmail } from '../email-address/email-address.server'
import {
  type SocialConfiguration,
  sampleIdentityPath,
  socialConfigurations,
} from './social-providers.server'

const maxFormBytes = 10_000

/** Returns null unless the product runs on a loopback IP address without keys of a provider. */
export function openSampleIdentityProvider(): SampleIdentityProvider | null {
  const samples = socialConfigurations(env, isLoopback).filter(({ sample }) => sample)
  if (!isLoopback || samples.length === 0) {
    return null
  }

  return new SampleIdentityProvider(env.PUBLIC_URL, loopbackOrigins(env.PUBLIC_URL), samples)
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
    private clients: readonly SocialConfiguration[],
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
      response
        .writeHead(200, getPageHeaders(this.origins))
        .end(renderChooserPage(client.name, null))
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

/** The product's request log does not see these requests, because this provider handles them before. */
function logFinishedRequest(request: IncomingMessage, response: ServerResponse): void {
  const startedAt = performance.now()
  const { method } = request
  const path = loggedPath(getPath(request).split('?')[0] ?? '')
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

function getPageHeaders(origins: string[]) {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': getContentSecurityPolicy(origins),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  }
}

/** Opens the library's provider, with a client for each provider that it stands in for. */
async function openOidcProvider(
  publicUrl: string,
  origins: readonly string[],
  clients: readonly SocialConfiguration[],
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

/** A person whom somebody has entered or chosen. */
export type SamplePerson = {
  name: string
  /** An empty text if the person doesn't share an email. */
  email: string
  verified: boolean
}

/** The people whom the page offers. */
const offeredPeople = [
  { name: 'Maya Okonkwo', email: 'maya.okonkwo@example.com' },
  { name: 'Jonas Lindqvist', email: 'jonas.lindqvist@example.com' },
  { name: 'Priya Raghunathan', email: 'priya.raghunathan@example.com' },
]

const style = `
:root { color-scheme: light dark; --edge: light-dark(#8a8797, #737998); --accent: light-dark(#5140e0, #a79dff) }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.5 Figtree, system-ui, sans-serif }
main { max-width: 26rem; margin: 0 auto; padding: 1.75rem 1.25rem }
h1 { margin: .5rem 0 0; font-size: 1.5rem }
h2 { margin: 1.5rem 0 0; font-size: 1rem }
button, input:not([type=checkbox]) { display: block; width: 100%; min-height: 2.75rem; margin: .25rem 0 .75rem; padding: .5rem 1rem; border: 1px solid var(--edge); border-radius: .75rem; background: none; color: inherit; font: inherit; text-align: left; overflow-wrap: anywhere }
button { cursor: pointer }
.error { color: light-dark(#b3243c, #ff8b9a) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`

/** @param origins to which the forms may lead. A policy can't name an IPv6 address. */
function getContentSecurityPolicy(origins: string[]): string {
  const formOrigins = origins.filter((origin) => !origin.includes('['))
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    `form-action 'self' ${formOrigins.join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** @param invalidPerson the entered person if the email is invalid, otherwise null */
function renderChooserPage(provider: string, invalidPerson: SamplePerson | null): string {
  const checked = invalidPerson && !invalidPerson.verified ? '' : 'checked'
  const errorAttributes = invalidPerson ? 'aria-invalid="true" aria-describedby="email-error"' : ''
  const error = invalidPerson
    ? '<p id="email-error" class="error">Please enter a valid email, or leave it empty.</p>'
    : ''

  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Choose an account · Sample ${escapeHtml(provider)}</title>
<style>${style}</style>
</head>
<body>
<main>
<small>Sample ${escapeHtml(provider)}, on this machine only</small>
<h1>Choose an account</h1>
<p>to continue to ${escapeHtml(siteName())}</p>
${offeredPeople.map(renderPersonForm).join('\n')}
<h2>Use another account</h2>
<form method="post">
<p><label for="name">Name</label>
<input type="text" id="name" name="name" maxlength="500" value="${escapeHtml(invalidPerson?.name ?? '')}">
<label for="email">Email</label>
<input type="email" id="email" name="email" maxlength="254" value="${escapeHtml(invalidPerson?.email ?? '')}" ${errorAttributes}>
<label for="subject">Subject, by which the provider knows this person; if empty, it comes from the address</label>
<input type="text" id="subject" name="subject" maxlength="100"></p>
${error}
<p><label><input type="checkbox" name="verified" ${checked}> ${escapeHtml(provider)} has verified this address</label></p>
<button name="other">Continue</button>
</form>
<form method="post"><button name="cancel">Cancel</button></form>
</main>
</body>
</html>
`
}

function renderPersonForm({ name, email }: { name: string; email: string }): string {
  return `<form method="post">
<input type="hidden" name="name" value="${name}">
<input type="hidden" name="email" value="${email}">
<input type="hidden" name="verified" value="on">
<button><strong>${name}</strong><br>${email}</button>
</form>`
}
