import { AsyncLocalStorage } from 'node:async_hooks'
import { BlockList, isIP } from 'node:net'

/** How a request reached the product. */
export type Arrival = {
  /** The client's address, see `chooseClientAddress`. */
  address: string
  /** True if it came from this machine without a proxy or tunnel. */
  direct: boolean
  /**
   * True if a script of a page sent it: React Router for a page's data, or another one for JSON.
   */
  forData?: boolean
}

const arrivals = new AsyncLocalStorage<Arrival>()

/** Runs the handler of one request. The functions below tell it how the request arrived. */
export const withArrival = arrivals.run.bind(arrivals) as <T>(
  arrival: Arrival,
  answer: () => T,
) => T

/**
 * The address of the current request: the socket's, or the one that a proxy of TRUST_PROXY names.
 */
export function clientAddress(): string {
  return arrivals.getStore()?.address ?? 'unknown'
}

/**
 * True for a request from this machine: only those may see `/mail` and use the sample sign-in
 * provider.
 */
export function cameDirectly(): boolean {
  return arrivals.getStore()?.direct ?? false
}

/**
 * True for a request of a page's script, which shows the response itself; false when the browser
 * opens a page.
 */
export function isDataRequest(): boolean {
  return arrivals.getStore()?.forData ?? false
}

/** True for an address of this machine. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}

/**
 * Goes from the socket back through X-Forwarded-For to the first address that isn't a trusted
 * proxy's. An unreadable entry ends the search.
 *
 * @param forwardedFor the header as it arrived. Each proxy appends the address of its own client.
 */
export function chooseClientAddress(
  socket: string | undefined,
  forwardedFor: string | undefined,
  trusted: BlockList,
): string {
  const hops = forwardedFor?.split(',') ?? []
  let address = plain(socket ?? 'unknown')
  while (isTrusted(trusted, address) && hops.length > 0) {
    const hop = plain(hops.pop() ?? '')
    if (isIP(hop) === 0) {
      break
    }

    address = hop
  }

  return address
}

/**
 * Without the port and brackets that some proxies add; an IPv4 address within IPv6 becomes plain
 * IPv4.
 */
function plain(hop: string): string {
  return hop
    .trim()
    .toLowerCase()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/, '')
}

/**
 * The network that limits count by: the IPv4 address, or the /64 of an IPv6 address, because one
 * household has all of it.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) {
    return address
  }

  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const groups = head === '' ? [] : head.split(':')
  const rest = tail ? tail.split(':') : []
  const zeros =
    tail === undefined ? [] : Array.from({ length: 8 - groups.length - rest.length }, () => '0')

  return [...groups, ...zeros, ...rest].slice(0, 4).join(':')
}

const loopbackNetworks = ['127.0.0.0/8', '::1']

/**
 * Reads `TRUST_PROXY`: addresses and networks with commas between, `loopback` for this machine,
 * `off` for none.
 *
 * @throws an Error with the expected form as its message.
 */
export function parseTrustedProxies(text: string): BlockList {
  const list = new BlockList()
  const words = text.trim().toLowerCase()
  if (['off', 'false', 'no', '0'].includes(words)) {
    return list
  }

  if (['on', 'true', 'yes', '1'].includes(words)) {
    throw new Error(
      "the addresses of your proxies instead of 'on': TRUST_PROXY=loopback for one on this machine",
    )
  }

  const entries = words.split(',').map((entry) => entry.trim())
  for (const entry of entries.flatMap((one) => (one === 'loopback' ? loopbackNetworks : [one]))) {
    add(list, entry)
  }

  return list
}

function add(list: BlockList, entry: string): void {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const family = familyOf(address)
  const longest = family === 'ipv4' ? 32 : 128
  const bits = prefix === undefined ? longest : Number(prefix)
  // A network of all addresses would trust everyone.
  if (!family || bits < 1 || bits > longest) {
    throw new Error(
      `addresses and networks of proxies like 10.0.0.5, 10.0.0.0/8 or loopback, or off; not '${entry}'`,
    )
  }

  list.addSubnet(address, bits, family)
}

/** True for an address in the list. An IPv4 address within IPv6 counts as IPv4. */
export function isTrusted(list: BlockList, address: string): boolean {
  const family = familyOf(address)
  return family !== null && list.check(address, family)
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address)
  if (version === 0) {
    return null
  }

  return version === 4 ? 'ipv4' : 'ipv6'
}
