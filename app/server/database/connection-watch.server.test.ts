import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { ConnectionWatch } from './connection-watch.server'

afterEach(() => {
  vi.useRealTimers()
})

test('after a lost connection and a clock that was set back an hour, the next one is opened within a second', async () => {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = { host: ['127.0.0.1'], port: [(server.address() as AddressInfo).port], path: false as const }
  const watch = new ConnectionWatch(1_000)
  const lost = await watch.openSocket(address)
  await once(lost.resume(), 'close')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
  const startedAt = performance.now()
  const socket = await watch.openSocket(address)
  expect(performance.now() - startedAt).toBeLessThan(1_000)
  socket.destroy()
  server.close()
})

test('a connection that fails at once fails only after whoever opened it listens', async () => {
  const watch = new ConnectionWatch(1_000)
  // No server has the address of everybody.
  const everybody = { host: ['255.255.255.255'], port: [5432], path: false as const }
  const heard = await new Promise((resolve) => {
    setImmediate(() => watch.openSocket(everybody).then((socket) => socket.on('error', resolve)))
  })
  expect(heard).toMatchObject({ syscall: 'connect' })
})
