import { BlockList, isIP } from 'node:net'

/**
 * Returns the IP address of the client. Beginning with the socket, it goes back through the entries
 * of X-Forwarded-For to the first address that is not a trusted proxy. An unreadable entry ends the
 * search.
 *
 * @param forwardedFor the header as it arrived, to which each proxy appends the address of its
 *   client
 */
export function chooseClientIpAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: BlockList,
): string {
  const forwardedAddresses = forwardedFor?.split(',') ?? []
  let ipAddress = normalizeIpAddress(socketAddress ?? 'unknown')

  while (isTrusted(trustedProxies, ipAddress) && forwardedAddresses.length > 0) {
    const previousAddress = normalizeIpAddress(forwardedAddresses.pop() ?? '')
    if (isIP(previousAddress) === 0) {
      break
    }

    ipAddress = previousAddress
  }

  return ipAddress
}

/**
 * Returns an IP address without the port and brackets that some proxies add. An IPv4 address that
 * is mapped into IPv6 becomes IPv4.
 */
function normalizeIpAddress(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/, '')
}

/**
 * Returns the network by which attempt limits count. It is the IPv4 address, or the /64 network of
 * an IPv6 address, because one household has all addresses of such a network.
 */
export function getClientNetwork(ipAddress: string): string {
  if (!ipAddress.includes(':')) {
    return ipAddress
  }

  // '::' stands for as many groups of zeros as are missing, and a zone follows '%'.
  const [head = '', tail] = ipAddress.split('%')[0]?.split('::') ?? []
  const headGroups = head === '' ? [] : head.split(':')
  const tailGroups = tail ? tail.split(':') : []
  const zeroCount = tail === undefined ? 0 : 8 - headGroups.length - tailGroups.length
  const zeroGroups = Array.from({ length: zeroCount }, () => '0')

  return [...headGroups, ...zeroGroups, ...tailGroups].slice(0, 4).join(':')
}

const loopbackNetworks = ['127.0.0.0/8', '::1']

/**
 * Parses `TRUST_PROXY`: IP addresses and networks separated by commas, `loopback` for this machine,
 * or `off` for no proxy.
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
  const [, ipAddress = '', prefixLength] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const family = getAddressFamily(ipAddress)
  const maxBits = family === 'ipv4' ? 32 : 128
  const bits = prefixLength === undefined ? maxBits : Number(prefixLength)
  // A network of 0 bits contains all addresses, so that everyone would be trusted.
  if (!family || bits < 1 || bits > maxBits) {
    throw new Error(
      `addresses and networks of proxies like 10.0.0.5, 10.0.0.0/8 or loopback, or off; not '${entry}'`,
    )
  }

  proxies.addSubnet(ipAddress, bits, family)
}

/**
 * Returns whether an IP address is that of a trusted proxy. `BlockList` treats an IPv4 address
 * mapped into IPv6 as IPv4.
 */
export function isTrusted(trustedProxies: BlockList, ipAddress: string): boolean {
  const family = getAddressFamily(ipAddress)
  return family !== null && trustedProxies.check(ipAddress, family)
}

function getAddressFamily(ipAddress: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(ipAddress)
  if (version === 0) {
    return null
  }

  return version === 4 ? 'ipv4' : 'ipv6'
}

/** Returns whether an IP address belongs to this machine. */
export function isLoopbackIpAddress(ipAddress: string): boolean {
  return ipAddress === '::1' || /^(::ffff:)?127\./.test(ipAddress)
}
