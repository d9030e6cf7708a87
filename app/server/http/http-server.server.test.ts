import { once } from 'node:events'
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, createServer } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from './http-server.server'

/**
 * Starts a server that holds its responses until they are released, and a client that keeps
 * connections alive.
 */
async function startServer(closeTimeoutMs?: number) {
  const port = await freePort()
  const waiting: ServerResponse[] = []
  // More than a system takes for a reader that doesn't read.
  const largeLength = 20_000_000
  function* largeParts() {
    for (let sent = 0; sent < largeLength; sent += 50_000) {
      yield Buffer.alloc(50_000)
    }
  }

  const server = await listen(
    { hosts: ['127.0.0.1'], port, closeTimeoutMs },
    (request, response) => {
      if (request.url === '/slow') {
        waiting.push(response)
      } else if (request.url === '/forwarded') {
        response.end(request.headers['x-forwarded-for'])
      } else if (request.url === '/large') {
        Readable.from(largeParts()).pipe(response)
      } else {
        response.end('at once')
      }
    },
  )
  const agent = new Agent({ keepAlive: true })
  onTestFinished(async () => {
    agent.destroy()
    await server.close()
  })
  const request = async (path = '/') => {
    const [response]: IncomingMessage[] = await once(get({ port, path, agent }), 'response')
    return path === '/large' ? response : response?.resume()
  }

  return { server, port, waiting, request, largeLength }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()

  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

test('a header that a proxy adds after many others is read, or the request is refused', async () => {
  const { port } = await startServer()
  const sendHeaders = async (headerCount: number) => {
    const socket = connect(port, '127.0.0.1')
    const junk = Array.from(
      { length: headerCount },
      (_, index) => `${index.toString(36)}:\r\n`,
    ).join('')
    socket.write(
      `GET /forwarded HTTP/1.1\r\nHost: x\r\n${junk}X-Forwarded-For: 203.0.113.9\r\nConnection: close\r\n\r\n`,
    )

    return (await buffer(socket)).toString()
  }

  expect(await sendHeaders(90)).toContain('203.0.113.9')

  for (const headerCount of [100, 130, 2_300, 9_000]) {
    expect(await sendHeaders(headerCount)).toMatch(/^HTTP\/1.1 431 /)
  }
})

test('the refusal of too many headers has the security headers of every refusal', async () => {
  const { port } = await startServer()
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(100)}\r\n`)
  const response = (await buffer(socket)).toString()

  expect(response).toMatch(/^HTTP\/1.1 431 /)
  expect(response).toMatch(/^X-Content-Type-Options: nosniff\r$/m)
  expect(response).toMatch(/^Content-Security-Policy: .*frame-ancestors 'none'/m)
})

test.each([
  ['a length and parts', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['two lengths', 'Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde'],
  ['a length that is no number', 'Content-Length: +4\r\n\r\nabcd'],
  ['parts that are not the last coding', 'Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n'],
  ['a space before the colon', 'Content-Length : 4\r\n\r\nabcd'],
])('a request with %s is refused, so that no proxy reads it otherwise', async (_what, rest) => {
  const { port } = await startServer()
  const socket = connect(port, '127.0.0.1')
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${rest}`)

  expect((await buffer(socket)).toString()).toMatch(/^HTTP\/1.1 400 /)
})

test('while the server drains, it handles requests on old and new connections, and each response closes its connection', async () => {
  const { server, request } = await startServer()
  expect((await request())?.headers.connection).toBe('keep-alive')

  server.closeConnectionsAfterResponses()
  for (let count = 0; count < 3; count++) {
    const response = await request()
    expect([response?.statusCode, response?.headers.connection]).toEqual([200, 'close'])
  }
})

test('a running request is completed before the server closes, and an idle connection does not delay the close', async () => {
  const { server, waiting, request } = await startServer()
  const response = request('/slow')
  await expect.poll(() => waiting.length).toBe(1)

  const closed = server.close()
  await expect.poll(() => request().catch((error) => error.code)).toBe('ECONNREFUSED')

  waiting[0]?.end('late')
  expect((await response)?.statusCode).toBe(200)

  await closed
})

test('a response that the client has partly read is sent completely', async () => {
  const { server, request, largeLength } = await startServer()
  const response = await request('/large')
  const closed = server.close()
  await expect.poll(() => request().catch((error) => error.code)).toBe('ECONNREFUSED')
  expect((response && (await buffer(response)))?.length).toBe(largeLength)

  await closed
})

test('a connection without a request does not delay the close', async () => {
  const { server, port, request } = await startServer(1_000_000)
  const silent = connect(port, '127.0.0.1')
  const ended = once(silent, 'close')
  await once(silent, 'connect')
  // Connections are taken in their order.
  await request()
  await server.close()

  expect(await ended).toEqual([false])
})

test('a request that never ends delays the close only up to the time limit', async () => {
  const { server, waiting, request } = await startServer(100)
  const response = request('/slow')
  await expect.poll(() => waiting.length).toBe(1)

  await Promise.all([server.close(), expect(response).rejects.toThrow(/socket hang up/)])
})
