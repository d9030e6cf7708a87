import { BlockList, isIP } from 'node:net'

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
