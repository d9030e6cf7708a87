import { describe, expect, it } from 'vitest'
import { isTrusted, parseTrustedProxies } from './trusted-proxies.server'

describe('the proxies that are trusted', () => {
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

  it.each(['on', 'true', 'yes', '1'])('cannot be everybody: %s', (word) => {
    expect(() => parseTrustedProxies(word)).toThrow("the addresses of your proxies instead of 'on'")
  })
})
