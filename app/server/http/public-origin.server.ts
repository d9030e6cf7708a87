/**
 * The first step of every request: it finds out which origin the request is for.
 *
 * Requests for unknown host names are refused. For all others, the origin is replaced by that of
 * PUBLIC_URL, so that no Host header, forwarded header or absolute target can put another URL into
 * a link, a redirect or a comparison. The step also determines the IP address of the client, and
 * starts the trace of the request.
 */
import type { IncomingMessage, RequestListener } from 'node:http'
import type { BlockList } from 'node:net'
import { log } from '../operations/log.server'
import { countResponse, otherRoute } from '../operations/metrics/counters.server'
import { chooseClientIpAddress, isLoopbackIpAddress, isTrusted } from './client-ip-address.server'
import { isLoopbackUrl, listLoopbackOrigins, loopbackHostNames } from './loopback-url.server'
import { withRequestSource } from './request-source.server'
import { chooseRequestId, RequestTrace, withTrace } from './request-trace.server'
import { refusalHeaders } from './response-headers.server'
import { serverMessages } from './server-messages.server'

type Settings = {
  publicUrl: string
  /** The port the product listens on. A proxy that does not pass on the Host header requests it. */
  port: number
  trustedProxies: BlockList
  /** The headers of every response. */
  headers?: Record<string, string>
}

/** Health checks and Prometheus request these paths by the IP address of the process. */
const monitoringPaths = /^\/(healthz|readyz|metrics)(\?|$)/

/** Returns a listener that calls the given listener for each accepted request. */
export function enforcePublicOrigin(
  settings: Settings,
  listener: RequestListener,
): RequestListener {
  const { publicUrl, trustedProxies, headers } = settings
  const findOrigin = createOriginFinder(settings)
  const warnOnce = createWarner()

  const refuse = (
    request: IncomingMessage,
    response: Parameters<RequestListener>[1],
    { requestId, refusal }: { requestId: string; refusal: Refusal },
  ) => {
    countResponse(otherRoute, refusal.status, 0)
    log.info({ requestId, method: request.method, status: refusal.status }, 'request')
    response
      .writeHead(refusal.status, { ...refusalHeaders, ...headers, 'X-Request-Id': requestId })
      .end(refusal.message)
  }

  return (request, response) => {
    const { host, path } = readTarget(request)
    const socketAddress = request.socket.remoteAddress ?? ''
    const isFromTrustedProxy = () => isTrusted(trustedProxies, socketAddress)
    const requestId = chooseRequestId(request.headers, isFromTrustedProxy)

    if (!isReadablePath(path)) {
      refuse(request, response, { requestId, refusal: unreadablePath })
      return
    }

    const monitoringOrigin = monitoringPaths.test(path) ? publicUrl : null
    const origin = findOrigin(host, socketAddress) ?? monitoringOrigin
    if (!origin) {
      warnOnce(`host ${host}`, () => log.warn({ host }, describeUnknownHost(publicUrl)))
      refuse(request, response, { requestId, refusal: unknownHost })
      return
    }

    const forwardedFor = request.headers['x-forwarded-for']?.toString()
    if (forwardedFor && !isFromTrustedProxy()) {
      warnOnce(socketAddress, () =>
        log.warn({ proxy: socketAddress }, describeUntrustedProxy(socketAddress)),
      )
    }

    const source = {
      ipAddress: chooseClientIpAddress(socketAddress, forwardedFor, trustedProxies),
      isDirect: isDirectFromBrowser(request, host),
      isForData: isForData(request, path),
    }

    replaceOrigin(request, new URL(origin).origin, path)
    // Libraries write some responses, so the header is set here.
    response.setHeader('X-Request-Id', requestId)
    withTrace(new RequestTrace(requestId), () =>
      withRequestSource(source, () => listener(request, response)),
    )
  }
}

type Refusal = { status: number; message: string }
const unknownHost: Refusal = { status: 421, message: serverMessages.foreignHost }
const unreadablePath: Refusal = { status: 400, message: serverMessages.unreadableAddress }

function isReadablePath(path: string): boolean {
  return path.startsWith('/') && !path.startsWith('//') && !/^[^?]*[\\#]/.test(path)
}

/**
 * Returns whether a script of a page requests data: from React Router's `.data` URLs, or as JSON.
 */
function isForData({ headers }: IncomingMessage, path: string): boolean {
  const isDataPath = /^[^?]*\.data(\?|$)/.test(path)
  return isDataPath || headers.accept?.includes('application/json') === true
}

/**
 * Returns the host and the path with its query. If the target is absolute, its host counts, not the
 * Host header (RFC 9112, 3.2.2). A request with several Host headers has no host.
 */
function readTarget(request: IncomingMessage): { host: string; path: string } {
  const target = request.url ?? ''
  const [, authority, path] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(target) ?? []
  if (authority !== undefined) {
    return { host: authority.toLowerCase(), path: path?.startsWith('/') ? path : `/${path}` }
  }

  const hasOneHost = countHostHeaders(request.rawHeaders) === 1
  const host = hasOneHost ? (request.headers.host ?? '').trim().toLowerCase() : ''
  return { host, path: target }
}

/** @param rawHeaders names and values in turn, as Node.js has received them */
function countHostHeaders(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (isHostHeader(rawHeaders[index])) {
      count += 1
    }
  }

  return count
}

function isHostHeader(name: string | undefined): boolean {
  // Comparing the length first is cheaper than changing the case of every header.
  return name?.length === 4 && name.toLowerCase() === 'host'
}

/**
 * Returns a function that finds the origin of a host name, or null if the name is not accepted.
 *
 * With a loopback URL, each name of the machine has its own origin, because browsers store cookies
 * by host name. A proxy may also use the host and port that Learnify listens on. That is safe,
 * because no page of another site can make a browser send this name through the proxy.
 */
function createOriginFinder({ publicUrl, port, trustedProxies }: Settings) {
  const origins = isLoopbackUrl(publicUrl)
    ? [publicUrl, ...listLoopbackOrigins(publicUrl)]
    : [publicUrl]

  const originsByHost = new Map<string, string>()
  for (const origin of origins) {
    const { protocol, host, hostname, port: originPort } = new URL(origin)
    const defaultPort = protocol === 'https:' ? 443 : 80
    originsByHost.set(host, origin)
    originsByHost.set(`${hostname}:${originPort || defaultPort}`, origin)
  }

  const upstreamHosts = new Set(
    loopbackHostNames.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])),
  )

  return (host: string, socketAddress: string): string | null => {
    const knownOrigin = originsByHost.get(host)
    if (knownOrigin) {
      return knownOrigin
    }

    const isFromProxy =
      isLoopbackIpAddress(socketAddress) || isTrusted(trustedProxies, socketAddress)
    return isFromProxy && upstreamHosts.has(host) ? publicUrl : null
  }
}

/**
 * Matches headers that proxies and tunnels add. Browsers and our pages send no headers that begin
 * with `X-`.
 */
const proxyHeader =
  /^(x[-_]|max-forwards|front-end-|(cf|cdn|cloudfront|fastly|fly|akamai|tailscale|ngrok)-)|(^|[-_])(forwarded|via|proxy|client-ip)([-_]|$)/

/**
 * Returns whether a browser on this machine sent the request, and not a proxy. Such a request uses
 * HTTP/1.1, which nginx does not use by default, and has no header of a proxy.
 */
function isDirectFromBrowser(request: IncomingMessage, host: string): boolean {
  const hasLoopbackName = loopbackHostNames.some(
    (name) => host === name || host.startsWith(`${name}:`),
  )
  const isFromThisMachine = isLoopbackIpAddress(request.socket.remoteAddress ?? '')
  const hasProxyHeader = Object.keys(request.headers).some((name) => proxyHeader.test(name))

  return isFromThisMachine && hasLoopbackName && request.httpVersion === '1.1' && !hasProxyHeader
}

/** Makes the target of a request absolute. Node.js and Hono use an absolute target as it is. */
function replaceOrigin(request: IncomingMessage, origin: string, path: string): void {
  const { host } = new URL(origin)
  request.url = origin + path
  request.headers.host = host
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    if (isHostHeader(request.rawHeaders[index])) {
      request.rawHeaders[index + 1] = host
    }
  }
}

function describeUnknownHost(publicUrl: string): string {
  return `refused a request for another host: learners use ${publicUrl} (PUBLIC_URL), and a proxy must pass their Host header on`
}

function describeUntrustedProxy(ipAddress: string): string {
  return `X-Forwarded-For from ${ipAddress} is not trusted, so everyone behind it shares one limit; if it is your proxy, set TRUST_PROXY=${ipAddress.replace(/^::ffff:/, '')}`
}

const maxWarnings = 20

/**
 * Returns a function that warns of each cause once. It warns of at most `maxWarnings` causes,
 * because strangers can invent new ones.
 */
function createWarner(): (cause: string, warn: () => void) => void {
  const causes = new Set<string>()

  return (cause, warn) => {
    if (!causes.has(cause) && causes.size < maxWarnings) {
      causes.add(cause)
      warn()
    }
  }
}
