import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Account, Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { env, isLoopback } from '~/server/env.server'
import { cameDirectly } from '~/server/http/client-address.server'
import { loopbackOrigins } from '~/server/http/loopback.server'
import { loggedPath } from '~/server/http/request-trace.server'
import { escapeHtml } from '~/server/mail/mail-letter.server'
import { log } from '~/server/operations/log.server'
import { siteName } from '~/server/site/site.server'
import { canonicalEmail } from '../email-address/email-address.server'
import {
  type SocialConfiguration,
  sampleIdentityPath,
  socialConfigurations,
} from './social-providers.server'

const maxFormBytes = 10_000

/** On a machine of one's own without keys of Google and Facebook; never anywhere else. */
export function openSampleProvider(): SampleIdentityProvider | null {
  const samples = socialConfigurations(env, isLoopback).filter(({ sample }) => sample)
  if (!isLoopback || samples.length === 0) {
    return null
  }

  return new SampleIdentityProvider(env.PUBLIC_URL, loopbackOrigins(env.PUBLIC_URL), samples)
}

/**
 * Stands in for Google and Facebook on a machine that has no keys for them: a real OpenID Connect
 * provider, so that the whole flow works offline. It accepts any typed identity, which is why it is
 * mounted on loopback addresses only.
 */
export class SampleIdentityProvider {
  #provider: Promise<Provider> | null = null
  /** By subject. */
  #people = new Map<string, SamplePerson>()

  /**
   * @param origins the addresses of this product. Only they may get an answer.
   * @param clients the IDs of the providers that it stands in for.
   */
  constructor(
    private publicUrl: string,
    private origins: string[],
    private clients: readonly SocialConfiguration[],
  ) {}

  handles(request: IncomingMessage): boolean {
    return pathOf(request).startsWith(`${sampleIdentityPath}/`)
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    logWhenDone(request, response)
    try {
      await this.#answer(request, response)
    } catch (error) {
      log.error({ err: error }, 'the sample identity provider failed')
      if (!response.headersSent) {
        sendText(response, 500, 'Something went wrong. Close this window and try again.')
      }
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!cameDirectly()) {
      return sendText(response, 403, 'This page is only available on this machine.')
    }

    this.#provider ??= openOidcProvider(this.publicUrl, this.origins, this.clients, (subject) =>
      this.#findAccount(subject),
    )
    const provider = await this.#provider
    const path = pathOf(request).slice(sampleIdentityPath.length)
    if (path.startsWith('/choose/')) {
      return this.#choose(provider, request, response)
    }

    // Under its mount, as Connect and Express do it.
    Object.assign(request, { originalUrl: pathOf(request), url: path })
    await provider.callback()(request, response)
  }

  /** Both steps of the chooser: the page, and the submitted choice. */
  async #choose(
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
    const name = client?.name ?? ''
    const show = (status: number, refused: SamplePerson | null) =>
      response.writeHead(status, pageHeaders(this.origins)).end(chooserPage(name, refused))
    if (request.method !== 'POST') {
      return void show(200, null)
    }

    const form = new URLSearchParams((await text(request)).slice(0, maxFormBytes))
    if (form.has('cancel')) {
      return provider.interactionFinished(request, response, { error: 'access_denied' })
    }

    const person = {
      name: form.get('name')?.trim() ?? '',
      email: form.get('email')?.trim() ?? '',
      verified: form.has('verified'),
    }

    if (person.email !== '' && !canonicalEmail(person.email)) {
      return void show(400, person)
    }

    const subject = form.get('subject')?.trim() || subjectOf(person)
    this.#people.set(subject, person)
    // Both, or the chooser would open again.
    await provider.interactionFinished(request, response, {
      login: { accountId: subject },
      select_account: {},
    })
  }

  #findAccount(subject: string): Account | undefined {
    const person = this.#people.get(subject)
    if (!person) {
      return undefined
    }

    const email = person.email && { email: person.email, email_verified: person.verified }

    return {
      accountId: subject,
      claims: () => ({ sub: subject, name: person.name || undefined, ...email }),
    }
  }
}

/** The same for the same address, as with real providers. */
function subjectOf({ email, name }: SamplePerson): string {
  const identity = canonicalEmail(email) ?? `name:${name}`
  return createHash('sha256').update(identity).digest('hex').slice(0, 24)
}

/** The product's own log begins behind this provider. */
function logWhenDone(request: IncomingMessage, response: ServerResponse): void {
  const startedAt = performance.now()
  const { method } = request
  const path = loggedPath(pathOf(request).split('?')[0] ?? '')
  response.once('finish', () => {
    const ms = Math.round(performance.now() - startedAt)
    log.info({ method, path, status: response.statusCode, ms }, 'request')
  })
}

/** With its query; behind `onPublicOrigin` the target is absolute. */
function pathOf({ url = '' }: IncomingMessage): string {
  return url.replace(/^https?:\/\/[^/]*/, '')
}

function sendText(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(words)
}

const pageHeaders = (origins: string[]) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': contentSecurityPolicyOf(origins),
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
})

/** The protocol, with a client for each provider that it stands in for. */
async function openOidcProvider(
  publicUrl: string,
  origins: readonly string[],
  clients: readonly SocialConfiguration[],
  findAccount: (subject: string) => Account | undefined,
): Promise<Provider> {
  const { interactionPolicy, Provider } = await import('oidc-provider')
  const { Check, Prompt } = interactionPolicy

  // This provider asks for the account each time: it has no sessions and asks for no consent.
  const policy = interactionPolicy.base()
  policy.clear()
  const notChosen = new Check(
    'not_chosen',
    'no account has been chosen yet',
    ({ oidc }) => !oidc.result?.login,
  )

  policy.add(new Prompt({ name: 'select_account', requestable: true }, notChosen))

  return new Provider(`${publicUrl}${sampleIdentityPath}`, {
    clients: clients.map(({ id, config }) => ({
      client_id: config.clientId,
      client_secret: config.clientSecret,
      id_token_signed_response_alg: 'ES256',
      redirect_uris: origins.map((origin) => `${origin}/account/callback/${id}`),
    })),
    jwks: { keys: [await newSigningKey()] },
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

async function newSigningKey() {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  // The private key's `key_ops` is 'sign', which would forbid verifying with the public key.
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

/** A person in the chooser. `email` is empty if the person doesn't share it. */
export type SamplePerson = { name: string; email: string; verified: boolean }

const people = [
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

/** @param origins where choosing may lead; a policy can't name an IPv6 address. */
function contentSecurityPolicyOf(origins: string[]): string {
  const named = origins.filter((origin) => !origin.includes('['))
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    `form-action 'self' ${named.join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** @param refused the typed person, if the address doesn't look like one. */
function chooserPage(provider: string, refused: SamplePerson | null): string {
  const checked = refused && !refused.verified ? '' : 'checked'
  const wrong = refused ? 'aria-invalid="true" aria-describedby="email-error"' : ''
  const error = refused
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
${people.map(personForm).join('\n')}
<h2>Use another account</h2>
<form method="post">
<p><label for="name">Name</label>
<input type="text" id="name" name="name" maxlength="500" value="${escapeHtml(refused?.name ?? '')}">
<label for="email">Email</label>
<input type="email" id="email" name="email" maxlength="254" value="${escapeHtml(refused?.email ?? '')}" ${wrong}>
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

function personForm({ name, email }: { name: string; email: string }): string {
  return `<form method="post">
<input type="hidden" name="name" value="${name}">
<input type="hidden" name="email" value="${email}">
<input type="hidden" name="verified" value="on">
<button><strong>${name}</strong><br>${email}</button>
</form>`
}
