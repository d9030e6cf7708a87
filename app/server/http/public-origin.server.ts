import type { IncomingMessage, RequestListener } from 'node:http'
import type { BlockList } from 'node:net'
import { log } from '../operations/log.server'
import { countAnswer, otherRoute } from '../operations/metrics/counters.server'
import { chooseClientAddress, isLoopbackAddress, isTrusted, withArrival } from './client-address.server'
import { isLoopbackUrl, loopbackNames, loopbackOrigins } from './loopback.server'
import { chooseRequestId, RequestTrace, withTrace } from './request-trace.server'
import { foreignHost, unreadableAddress } from './server-messages.server'

type Settings = {
  publicUrl: string
  /** Where the product listens, which is what a proxy calls it that passes no name on. */
  port: number
  trustedProxies: BlockList
  /** What every answer of the product's has. */
  headers?: Record<string, string>
}

/** Programs ask a process for these by its own address. */
const forPrograms = /^\/(healthz|readyz|metrics)(\?|$)/

/**
 * The first step of every request: what lies behind sees the product's own origin, that of PUBLIC_URL, and of the
 * request only its path and query. So no Host, no forwarded header and no target can make the product name, redirect to,
 * or compare with an address that is not its own.
 */
export function onPublicOrigin(settings: Settings, listener: RequestListener): RequestListener {
  const originOf = knownOrigins(settings)
  const warned = new Set<string>()
  return (request, response) => {
    const { host, path } = readTarget(request)
    const socket = request.socket.remoteAddress ?? ''
    const requestId = chooseRequestId(request.headers, () => isTrusted(settings.trustedProxies, socket))
    const unreadable = !path.startsWith('/') || path.startsWith('//') || /^[^?]*[\\#]/.test(path)
    const origin = originOf(host, socket) ?? (forPrograms.test(path) ? settings.publicUrl : null)
    if (unreadable || !origin) {
      if (!unreadable) warnOnce(warned, `host ${host}`, () => log.warn({ host }, unknownHost(settings.publicUrl)))
      const [status, words] = unreadable ? unreadableTarget : wrongHost
      countAnswer(otherRoute, status, 0)
      log.info({ requestId, method: request.method, status }, 'request')
      response.writeHead(status, { ...refusalHeaders, ...settings.headers, 'X-Request-Id': requestId }).end(words)
      return
    }
    const forwardedFor = request.headers['x-forwarded-for']?.toString()
    if (forwardedFor && !isTrusted(settings.trustedProxies, socket)) {
      warnOnce(warned, socket, () => log.warn({ proxy: socket }, untrustedProxy(socket)))
    }
    const arrival = {
      address: chooseClientAddress(socket, forwardedFor, settings.trustedProxies),
      direct: isDirect(request, host),
      forData: /^[^?]*\.data(\?|$)/.test(path) || request.headers.accept?.includes('application/json') === true,
    }
    moveTo(request, new URL(origin).origin, path)
    // Whatever answers, also a library that knows nothing of it.
    response.setHeader('X-Request-Id', requestId)
    withTrace(new RequestTrace(requestId), () => withArrival(arrival, () => listener(request, response)))
  }
}

/** The host and the path with its query that are asked for; an absolute target has both, as RFC 9112 wants it. */
function readTarget(request: IncomingMessage): { host: string; path: string } {
  const target = request.url ?? ''
  const [, authority, path] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(target) ?? []
  if (authority !== undefined) return { host: authority.toLowerCase(), path: path?.startsWith('/') ? path : `/${path}` }
  return {
    host: countHosts(request.rawHeaders) === 1 ? (request.headers.host ?? '').trim().toLowerCase() : '',
    path: target,
  }
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') count += 1
  }
  return count
}

/**
 * The names by which the product may be asked, and the origin that each stands for. On a machine of one's own each of its
 * names is an origin, because a browser keeps cookies by name. A proxy may call it by the address that it listens on: a
 * page of another site can never make a browser send that name.
 */
function knownOrigins({ publicUrl, port, trustedProxies }: Settings) {
  const loopback = isLoopbackUrl(publicUrl)
  const origins = new Map<string, string>()
  for (const origin of [publicUrl, ...(loopback ? loopbackOrigins(publicUrl) : [])]) {
    const { protocol, host, hostname, port } = new URL(origin)
    origins.set(host, origin)
    origins.set(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`, origin)
  }
  const upstreams = new Set(loopbackNames.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])))
  return (host: string, socket: string): string | null => {
    const fromProxy = isLoopbackAddress(socket) || isTrusted(trustedProxies, socket)
    return origins.get(host) ?? (fromProxy && upstreams.has(host) ? publicUrl : null)
  }
}

/** What proxies and tunnels add. Of names that begin with `X-` browsers send none by themselves, and neither do our pages. */
const proxyHeader =
  /^(x[-_]|max-forwards|front-end-|(cf|cdn|cloudfront|fastly|fly|akamai|tailscale|ngrok)-)|(^|[-_])(forwarded|via|proxy|client-ip)([-_]|$)/

/** Somebody at this machine: HTTP/1.1, as browsers speak and nginx by default does not, and no trace of a proxy. */
function isDirect(request: IncomingMessage, host: string): boolean {
  const named = loopbackNames.some((name) => host === name || host.startsWith(`${name}:`))
  const here = isLoopbackAddress(request.socket.remoteAddress ?? '')
  return (
    here &&
    named &&
    request.httpVersion === '1.1' &&
    !Object.keys(request.headers).some((name) => proxyHeader.test(name))
  )
}

/** An absolute target is what every reader of a request takes as it is. */
function moveTo(request: IncomingMessage, origin: string, path: string): void {
  const { host } = new URL(origin)
  request.url = origin + path
  request.headers.host = host
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    if (/^host$/i.test(request.rawHeaders[index] ?? '')) request.rawHeaders[index + 1] = host
  }
}

const wrongHost = [421, foreignHost] as const
const unreadableTarget = [400, unreadableAddress] as const
const refusalHeaders = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

const unknownHost = (publicUrl: string) =>
  `refused a request for another host: learners use ${publicUrl} (PUBLIC_URL), and a proxy must pass their Host header on`
const untrustedProxy = (socket: string) =>
  `X-Forwarded-For from ${socket} is not trusted, so everyone behind it shares one limit; if it is your proxy, set TRUST_PROXY=${socket.replace(/^::ffff:/, '')}`

const mostWarnings = 20

/** Strangers can send anything: a cause is named once, and after so many no more. */
function warnOnce(warned: Set<string>, cause: string, warn: () => void): void {
  if (warned.has(cause) || warned.size >= mostWarnings) return
  warned.add(cause)
  warn()
}
