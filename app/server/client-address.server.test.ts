import { expect, it } from 'vitest'
import {
  chooseClientAddress,
  clientAddress,
  isLoopbackAddress,
  networkOf,
  withClientAddress,
} from './client-address.server'

it('believes the socket, whatever a client claims', () => {
  expect(chooseClientAddress('203.0.113.9', '10.0.0.1', false)).toBe('203.0.113.9')
})

it('believes the last hop that a trusted proxy wrote, not what the client put before it', () => {
  expect(chooseClientAddress('10.0.0.2', '6.6.6.6, 203.0.113.9', true)).toBe('203.0.113.9')
  expect(chooseClientAddress('10.0.0.2', undefined, true)).toBe('10.0.0.2')
})

it('is known while a request is answered, also after waiting', async () => {
  const seen = await withClientAddress('203.0.113.9', async () => {
    await Promise.resolve()
    return clientAddress()
  })
  expect(seen).toBe('203.0.113.9')
})

it.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['203.0.113.9', false],
  ['::ffff:203.0.113.9', false],
])('%s is on this machine: %s', (address, here) => {
  expect(isLoopbackAddress(address)).toBe(here)
})

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('counts %s as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
