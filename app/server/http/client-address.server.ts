import { AsyncLocalStorage } from 'node:async_hooks'
import { BlockList, isIP } from 'node:net'

/** Who sent a request, and how it reached the product. */
type RequestSource = {
  /** The IP address of the client, which `chooseClientAddress` has chosen. */
  ipAddress: string
  /** Whether the request came from this machine without a proxy or tunnel. */
  isDirect: boolean
  /** Whether a script of a page sent the request, to get the data of a page or other JSON. */
  isForData?: boolean
}

const requestSources = new AsyncLocalStorage<RequestSource>()

/** Runs the handler of one request. During the handler, the functions below use its source. */
export const withRequestSource = requestSources.run.bind(requestSources) as <T>(
  source: RequestSource,
  handle: () => T,
) => T

/**
 * Returns the IP address of the current request's client. It is the address of the socket, or the one
 * that a proxy of TRUST_PROXY reports.
 */
export function getClientIpAddress(): string {
  return requestSources.getStore()?.ipAddress ?? 'unknown'
}

/**
 * Returns whether the current request comes from this machine without a proxy. Only such requests may
 * read `/mail` and use the sample sign-in provider.
 */
export function isDirectRequest(): boolean {
  return requestSources.getStore()?.isDirect ?? false
}

/**
 * Returns whether a script of a page sent the current request, so that the script displays the
 * response. Otherwise the browser opens the response as a page.
 */
export function isDataRequest(): boolean {
  return requestSources.getStore()?.isForData ?? false
}

/** Returns whether an IP address belongs to this machine. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}

/**
 * Returns the IP address of the client. Beginning with the socket, it goes back through the entries of
 * X-Forwarded-For to the first address that is not a trusted proxy. An unreadable entry ends the search.
 *
 * @param forwardedFor the header as it arrived, to which each proxy appends the address of its client
 */
export function chooseClientAddress(
  socket: string | undefined,
  forwardedFor: string | undefined,
  trusted: BlockList,
): string {
  const hops = forwardedFor?.split(',') ?? []
  let address = normalizeAddress(socket ?? 'unknown')
  while (isTrusted(trusted, address) && hops.length > 0) {
    const hop = normalizeAddress(hops.pop() ?? '')
    if (isIP(hop) === 0) {
      break
    }

    address = hop
  }

  return address
}

/**
 * Returns an IP address without the port and brackets that some proxies add. An IPv4 address that is
 * mapped into IPv6 becomes IPv4.
 */
function normalizeAddress(hop: string): string {
  return hop
    .trim()
    .toLowerCase()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/, '')
}

/**
 * Returns the network by which attempt limits count. It is the IPv4 address, or the /64 network of an
 * IPv6 address, because one household has all addresses of such a network.
 */
export function getClientNetwork(address: string): string {
  if (!address.includes(':')) {
    return address
  }

  // '::' stands for as many groups of zeros as are missing, and a zone follows '%'.
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const headGroups = head === '' ? [] : head.split(':')
  const tailGroups = tail ? tail.split(':') : []
  const zeroCount = tail === undefined ? 0 : 8 - headGroups.length - tailGroups.length
  const zeroGroups = Array.from({ length: zeroCount }, () => '0')

  return [...headGroups, ...zeroGroups, ...tailGroups].slice(0, 4).join(':')
}

const loopbackNetworks = ['127.0.0.0/8', '::1']

/**
 * Parses `TRUST_PROXY`: IP addresses and networks separated by commas, `loopback` for this machine, or
 * `off` for no proxy.
 *
 * @throws {Error} with the expected form as its message
 */
export function parseTrustedProxies(text: string): BlockList {
  const proxies = new BlockList()
  const value = text.trim().toLowerCase()
  if (['off', 'false', 'no', '0'].includes(value)) {
    return proxies
  }

  if (['on', 'true', 'yes', '1'].includes(value)) {
    throw new Error(
      "the addresses of your proxies instead of 'on': TRUST_PROXY=loopback for one on this machine",
    )
  }

  const entries = value.split(',').map((entry) => entry.trim())
  const networks = entries.flatMap((entry) => (entry === 'loopback' ? loopbackNetworks : [entry]))
  for (const network of networks) {
    addNetwork(proxies, network)
  }

  return proxies
}

function addNetwork(proxies: BlockList, entry: string): void {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const family = getAddressFamily(address)
  const maxBits = family === 'ipv4' ? 32 : 128
  const bits = prefix === undefined ? maxBits : Number(prefix)
  // A network of 0 bits contains all addresses, so that everyone would be trusted.
  if (!family || bits < 1 || bits > maxBits) {
    throw new Error(
      `addresses and networks of proxies like 10.0.0.5, 10.0.0.0/8 or loopback, or off; not '${entry}'`,
    )
  }

  proxies.addSubnet(address, bits, family)
}

/** Returns whether a proxy is trusted. `BlockList` treats an IPv4 address mapped into IPv6 as IPv4. */
export function isTrusted(proxies: BlockList, address: string): boolean {
  const family = getAddressFamily(address)
  return family !== null && proxies.check(address, family)
}

function getAddressFamily(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address)
  if (version === 0) {
    return null
  }

  return version === 4 ? 'ipv4' : 'ipv6'
}

/** The host names with which a browser reaches its own machine. */
export const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/** Returns whether a URL can be reached only from the machine that it is on. */
export function isLoopbackUrl(url: string): boolean {
  return loopbackNames.includes(new URL(url).hostname)
}

/** Returns the origin of a loopback URL with each host name of this machine. */
export function loopbackOrigins(publicUrl: string): string[] {
  const { protocol, port } = new URL(publicUrl)
  return loopbackNames.map((name) => `${protocol}//${name}${port && `:${port}`}`)
}
