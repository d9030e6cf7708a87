import { AsyncLocalStorage } from 'node:async_hooks'
import { type BlockList, isIP } from 'node:net'
import { isTrusted } from './trusted-proxies.server'

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
