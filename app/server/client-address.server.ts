import { AsyncLocalStorage } from 'node:async_hooks'

const addresses = new AsyncLocalStorage<string>()

/** Runs the answer to one request, which may then ask for the address it came from. */
export const withClientAddress = addresses.run.bind(addresses) as <T>(address: string, answer: () => T) => T

/** Where the request under way comes from: the socket, or X-Forwarded-For with TRUST_PROXY. Never from a body. */
export function clientAddress(): string {
  return addresses.getStore() ?? 'unknown'
}

/** True for a client on the very machine the product runs on. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}

/**
 * @param forwardedFor the header as it arrived; its last entry is the one that the nearest proxy wrote.
 * @param trustProxy false ignores the header, because any client can send one.
 */
export function chooseClientAddress(socket: string | undefined, forwardedFor: string | undefined, trustProxy: boolean) {
  const forwarded = trustProxy ? forwardedFor?.split(',').at(-1)?.trim() : undefined
  return (forwarded || socket || 'unknown').replace(/^::ffff:/, '')
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
