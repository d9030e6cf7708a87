import { describe, expect, it } from 'vitest'
import {
  chooseClientIpAddress,
  getClientNetwork,
  isLoopbackIpAddress,
  isTrusted,
  parseTrustedProxies,
} from './client-ip-address.server'
import { getClientIpAddress, isDirectRequest, withRequestSource } from './request-source.server'

const proxies = parseTrustedProxies('10.0.0.0/8, fd00::/8')

it('the client address is the socket’s, whatever X-Forwarded-For says, unless a trusted proxy sent it', () => {
  expect(chooseClientIpAddress('203.0.113.9', '10.0.0.1', proxies)).toBe('203.0.113.9')
  expect(chooseClientIpAddress('::ffff:203.0.113.9', '192.0.2.1', proxies)).toBe('203.0.113.9')
})

it.each([
  [
    'what the proxy wrote last, not what the client put before it',
    '6.6.6.6, 203.0.113.9',
    '203.0.113.9',
  ],
  [
    'what stands before other trusted proxies',
    '6.6.6.6, 203.0.113.9, 10.0.0.3, fd00::7',
    '203.0.113.9',
  ],
  ['an address with a port', '203.0.113.9:4711', '203.0.113.9'],
  ['an IPv6 address in brackets', '[2001:DB8::9]:4711', '2001:db8::9'],
  ['an IPv6 address in brackets without a port', '[2001:db8::9]', '2001:db8::9'],
  ['the proxy itself for brackets with words', '[2001:db8::9]x', '10.0.0.2'],
  ['the proxy itself for a port with words', '203.0.113.9:80x', '10.0.0.2'],
  ['an address with two digits in each part and a port', '20.30.11.90:80', '20.30.11.90'],
  ['an IPv4 address that arrived by IPv6', '::ffff:203.0.113.9', '203.0.113.9'],
  ['the proxy itself without the header', undefined, '10.0.0.2'],
  ['the proxy itself for an empty header', '', '10.0.0.2'],
  ['the proxy itself for words', '203.0.113.9, unknown', '10.0.0.2'],
  ['the proxy itself for an empty entry', '203.0.113.9,', '10.0.0.2'],
  ['the first of trusted ones only', '10.0.0.9, 10.0.0.3', '10.0.0.9'],
  ['the last of ten thousand', `${'1.1.1.1,'.repeat(10_000)}203.0.113.9`, '203.0.113.9'],
])('takes from a trusted proxy %s', (_what, header, address) => {
  expect(chooseClientIpAddress('10.0.0.2', header, proxies)).toBe(address)
})

it('the source of a request is known while the request is handled, also after an await', async () => {
  const source = await withRequestSource({ ipAddress: '203.0.113.9', isDirect: true }, async () => {
    await Promise.resolve()
    return { ipAddress: getClientIpAddress(), isDirect: isDirectRequest() }
  })

  expect(source).toEqual({ ipAddress: '203.0.113.9', isDirect: true })
})

it('outside of a request, no request is direct', () => {
  expect(isDirectRequest()).toBe(false)
})

it.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['203.0.113.9', false],
  ['::ffff:203.0.113.9', false],
  ['10.127.0.1', false],
])('%s is on this machine: %s', (address, here) => {
  expect(isLoopbackIpAddress(address)).toBe(here)
})

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['1:2:3:4:5::8', '1:2:3:4'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['1:2::', '1:2:0:0'],
])('counts %s as %s', (address, network) => {
  expect(getClientNetwork(address)).toBe(network)
})

describe('TRUST_PROXY', () => {
  it.each([
    ['10.0.0.5', '10.0.0.5', true],
    ['10.0.0.5', '10.0.0.6', false],
    ['10.0.0.5', '::ffff:10.0.0.5', true],
    ['::ffff:10.0.0.5', '10.0.0.5', true],
    ['10.0.0.0/8', '10.200.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['2001:db8::/32', '2001:db8:5::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['loopback', '127.0.0.1', true],
    ['loopback', '::1', true],
    ['loopback', '::ffff:127.0.0.1', true],
    ['loopback', '192.168.0.1', false],
    [' 10.0.0.5 , loopback ', '::1', true],
    ['off', '127.0.0.1', false],
    [' Off ', '127.0.0.1', false],
    ['false', '127.0.0.1', false],
    ['no', '127.0.0.1', false],
    ['0', '127.0.0.1', false],
    ['128.0.0.0/1', '200.0.0.1', true],
    ['loopback', 'unknown', false],
  ])('with %s, %s: %s', (setting, address, trusted) => {
    expect(isTrusted(parseTrustedProxies(setting), address)).toBe(trusted)
  })

  it.each([
    '10.0.0.0/33',
    '0.0.0.0/0',
    '::/0',
    'proxy.example',
    '10.0.0.5,',
    '10.0.0.5/x',
    '1.2.3',
    ',',
    'x/10.0.0.0/8',
  ])('cannot be %s', (setting) => {
    expect(() => parseTrustedProxies(setting)).toThrow('addresses and networks of proxies like')
  })

  it.each(['on', 'true', 'yes', '1'])(
    'does not accept a value that would trust everyone: %s',
    (value) => {
      expect(() => parseTrustedProxies(value)).toThrow(
        "the addresses of your proxies instead of 'on'",
      )
    },
  )
})
