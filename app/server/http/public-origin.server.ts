import type { IncomingMessage, RequestListener } from 'node:http'
import type { BlockList } from 'node:net'
import { log } from '../operations/log.server'
import { countResponse, otherRoute } from '../operations/metrics/counters.server'
import {
  chooseClientAddress,
  isLoopbackAddress,
  isTrusted,
  withArrival,
} from './client-address.server'
import { isLoopbackUrl, loopbackNames, loopbackOrigins } from './loopback.server'
import { chooseRequestId, RequestTrace, withTrace } from './request-trace.server'
import { refusalHeaders } from './response-headers.server'
import { foreignHost, unreadableAddress } from './server-messages.server'

type Settings = {
  publicUrl: string
  /** The port the product listens on. A proxy that does not pass on the Host header requests it. */
  port: number
  trustedProxies: BlockList
  /** The headers of every response. */
  headers?: Record<string, string>
}

/** Health checks and Prometheus request these paths by the IP address of the process. */
const forPrograms = /^\/(healthz|readyz|metrics)(\?|$)/

/**
 * Wraps a listener in the first step of every request, which refuses unknown host names and replaces
 * the request's origin by that of PUBLIC_URL. No Host header, forwarded header or absolute target can
 * put another URL into a link, a redirect or a comparison.
 */
export function enforcePublicOrigin(
  settings: Settings,
  listener: RequestListener,
): RequestListener {
  const originOf = knownOrigins(settings)
  const warned = new Set<string>()

  const refuse = (
    request: IncomingMessage,
    response: Parameters<RequestListener>[1],
    { requestId, refusal: [status, message] }: { requestId: string; refusal: Refusal },
  ) => {
    countResponse(otherRoute, status, 0)
    log.info({ requestId, method: request.method, status }, 'request')
    response
      .writeHead(status, { ...refusalHeaders, ...settings.headers, 'X-Request-Id': requestId })
      .end(message)
  }

  return (request, response) => {
    const { host, path } = readTarget(request)
    const socket = request.socket.remoteAddress ?? ''
    const requestId = chooseRequestId(request.headers, () =>
      isTrusted(settings.trustedProxies, socket),
    )

    if (!isReadablePath(path)) {
      refuse(request, response, { requestId, refusal: unreadableTarget })
      return
    }

    const origin = originOf(host, socket) ?? (forPrograms.test(path) ? settings.publicUrl : null)
    if (!origin) {
      warnOnce(warned, `host ${host}`, () => log.warn({ host }, unknownHost(settings.publicUrl)))
      refuse(request, response, { requestId, refusal: wrongHost })
      return
    }

    const forwardedFor = request.headers['x-forwarded-for']?.toString()
    if (forwardedFor && !isTrusted(settings.trustedProxies, socket)) {
      warnOnce(warned, socket, () => log.warn({ proxy: socket }, untrustedProxy(socket)))
    }

    const arrival = {
      address: chooseClientAddress(socket, forwardedFor, settings.trustedProxies),
      direct: isDirect(request, host),
      forData:
        /^[^?]*\.data(\?|$)/.test(path) ||
        request.headers.accept?.includes('application/json') === true,
    }

    moveTo(request, new URL(origin).origin, path)
    // Libraries write some responses, so the header is set here.
    response.setHeader('X-Request-Id', requestId)
    withTrace(new RequestTrace(requestId), () =>
      withArrival(arrival, () => listener(request, response)),
    )
  }
}

function isReadablePath(path: string): boolean {
  return path.startsWith('/') && !path.startsWith('//') && !/^[^?]*[\\#]/.test(path)
}

/**
 * Returns the host and the path with its query. If the target is absolute, its host counts, not the Host
 * header (RFC 9112, 3.2.2).
 */
function readTarget(request: IncomingMessage): { host: string; path: string } {
  const target = request.url ?? ''
  const [, authority, path] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(target) ?? []
  if (authority !== undefined) {
    return { host: authority.toLowerCase(), path: path?.startsWith('/') ? path : `/${path}` }
  }

  return {
    host:
      countHosts(request.rawHeaders) === 1 ? (request.headers.host ?? '').trim().toLowerCase() : '',
    path: target,
  }
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') {
      count += 1
    }
  }

  return count
}

/**
 * Returns a function that finds the origin of an accepted host name. On a loopback address, each name
 * of the machine has its own origin, because browsers store cookies by host name. A proxy may also
 * use the host and port that Learnify listens on: no page of another site can make a browser send
 * that name through the proxy.
 */
function knownOrigins({ publicUrl, port, trustedProxies }: Settings) {
  const loopback = isLoopbackUrl(publicUrl)
  const origins = new Map<string, string>()
  for (const origin of [publicUrl, ...(loopback ? loopbackOrigins(publicUrl) : [])]) {
    const { protocol, host, hostname, port } = new URL(origin)
    origins.set(host, origin)
    origins.set(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`, origin)
  }

  const upstreams = new Set(
    loopbackNames.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])),
  )

  return (host: string, socket: string): string | null => {
    const fromProxy = isLoopbackAddress(socket) || isTrusted(trustedProxies, socket)
    return origins.get(host) ?? (fromProxy && upstreams.has(host) ? publicUrl : null)
  }
}

/**
 * Headers that proxies and tunnels add. Neither browsers nor our pages send any that begin with
 * `X-`.
 */
const proxyHeader =
  /^(x[-_]|max-forwards|front-end-|(cf|cdn|cloudfront|fastly|fly|akamai|tailscale|ngrok)-)|(^|[-_])(forwarded|via|proxy|client-ip)([-_]|$)/

/**
 * A browser on this machine: HTTP/1.1, which nginx doesn't use by default, and no header of a
 * proxy.
 */
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

/** An absolute target, because both Node.js and Hono take it as it is. */
function moveTo(request: IncomingMessage, origin: string, path: string): void {
  const { host } = new URL(origin)
  request.url = origin + path
  request.headers.host = host
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    if (/^host$/i.test(request.rawHeaders[index] ?? '')) {
      request.rawHeaders[index + 1] = host
    }
  }
}

type Refusal = readonly [status: number, message: string]
const wrongHost: Refusal = [421, foreignHost]
const unreadableTarget: Refusal = [400, unreadableAddress]

const unknownHost = (publicUrl: string) =>
  `refused a request for another host: learners use ${publicUrl} (PUBLIC_URL), and a proxy must pass their Host header on`
const untrustedProxy = (socket: string) =>
  `X-Forwarded-For from ${socket} is not trusted, so everyone behind it shares one limit; if it is your proxy, set TRUST_PROXY=${socket.replace(/^::ffff:/, '')}`

const mostWarnings = 20

/**
 * Logs each cause once, and at most `mostWarnings` causes, because strangers can invent new ones.
 */
function warnOnce(warned: Set<string>, cause: string, warn: () => void): void {
  if (warned.has(cause) || warned.size >= mostWarnings) {
    return
  }

  warned.add(cause)
  warn()
}
