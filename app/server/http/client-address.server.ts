import { AsyncLocalStorage } from 'node:async_hooks'
import { BlockList, isIP } from 'node:net'

/** How a request reached the product. */
export type Arrival = {
  /** Of the client, see `chooseClientAddress`. */
  address: string
  /** From this very machine, through no proxy and no tunnel. */
  direct: boolean
  /** A script of a page asks: React Router for a page's data, or another for JSON. */
  forData?: boolean
}

const arrivals = new AsyncLocalStorage<Arrival>()

/** Runs the answer to one request, which may then ask how it came. */
export const withArrival = arrivals.run.bind(arrivals) as <T>(arrival: Arrival, answer: () => T) => T

/** Where the request under way comes from: the socket, or what a proxy of TRUST_PROXY says. Never from a body. */
export function clientAddress(): string {
  return arrivals.getStore()?.address ?? 'unknown'
}

/** True for a request from someone at this machine: only they may see its kept email and use its sample provider. */
export function cameDirectly(): boolean {
  return arrivals.getStore()?.direct ?? false
}

/** True for a request of a page's script, which shows the answer itself; false for a browser that leaves its page. */
export function isDataRequest(): boolean {
  return arrivals.getStore()?.forData ?? false
}

/** True for a client on the very machine the product runs on. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}

/**
 * The nearest address that no trusted proxy stands for. What cannot be read ends the search: nobody vouches for it.
 *
 * @param forwardedFor the header as it arrived; each proxy adds the address that it was asked from at its end.
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
    if (isIP(hop) === 0) break
    address = hop
  }
  return address
}

/** Without the port and brackets that some proxies write, and IPv4 as IPv4. */
function plain(hop: string): string {
  return hop
    .trim()
    .toLowerCase()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/, '')
}

/** Whom an address counts as: itself, or for IPv6 its /64, of which one person has 2^64 addresses. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const groups = head === '' ? [] : head.split(':')
  const rest = tail ? tail.split(':') : []
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - groups.length - rest.length }, () => '0')
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':')
}

const loopbackNetworks = ['127.0.0.0/8', '::1']

/**
 * Reads `TRUST_PROXY`: addresses and networks with commas between, `loopback` for this machine, `off` for nobody.
 *
 * @throws an Error whose message says what is expected.
 */
export function parseTrustedProxies(text: string): BlockList {
  const list = new BlockList()
  const words = text.trim().toLowerCase()
  if (['off', 'false', 'no', '0'].includes(words)) return list
  if (['on', 'true', 'yes', '1'].includes(words)) {
    throw new Error("the addresses of your proxies instead of 'on': TRUST_PROXY=loopback for one on this machine")
  }
  const entries = words.split(',').map((entry) => entry.trim())
  for (const entry of entries.flatMap((one) => (one === 'loopback' ? loopbackNetworks : [one]))) add(list, entry)
  return list
}

function add(list: BlockList, entry: string): void {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const family = familyOf(address)
  const longest = family === 'ipv4' ? 32 : 128
  const bits = prefix === undefined ? longest : Number(prefix)
  // A network of every address would believe anyone.
  if (!family || bits < 1 || bits > longest) {
    throw new Error(`addresses and networks of proxies like 10.0.0.5, 10.0.0.0/8 or loopback, or off; not '${entry}'`)
  }
  list.addSubnet(address, bits, family)
}

/** True for an address of the list; an IPv4 address that arrived by IPv6 counts as itself. */
export function isTrusted(list: BlockList, address: string): boolean {
  const family = familyOf(address)
  return family !== null && list.check(address, family)
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address)
  return version === 0 ? null : version === 4 ? 'ipv4' : 'ipv6'
}
