import { once } from 'node:events'
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { listenOn } from './listening.server'

/** A server whose answers wait until they are let go, and a way to ask it on connections that are kept. */
async function serve(patienceMs?: number) {
  const port = await freePort()
  const waiting: ServerResponse[] = []
  const listening = await listenOn({ hosts: ['127.0.0.1'], port, patienceMs }, (request, response) => {
    if (request.url === '/slow') waiting.push(response)
    else response.end('at once')
  })
  const agent = new Agent({ keepAlive: true })
  onTestFinished(async () => {
    agent.destroy()
    await listening.close()
  })
  const ask = async (path = '/') => {
    const [response]: IncomingMessage[] = await once(get({ port, path, agent }), 'response')
    return response?.resume()
  }
  return { listening, waiting, ask }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

test('while connections end, requests on old and new ones are answered, and each answer closes its own', async () => {
  const { listening, ask } = await serve()
  expect((await ask())?.headers.connection).toBe('keep-alive')
  listening.endConnections()
  for (let count = 0; count < 3; count++) {
    const response = await ask()
    expect([response?.statusCode, response?.headers.connection]).toEqual([200, 'close'])
  }
})

test('a request under way is answered before the end, which its kept connection does not hold up', async () => {
  const { listening, waiting, ask } = await serve()
  const answer = ask('/slow')
  await expect.poll(() => waiting.length).toBe(1)
  const closed = listening.close()
  await expect.poll(() => ask().catch((error) => error.code)).toBe('ECONNREFUSED')
  waiting[0]?.end('late')
  expect((await answer)?.statusCode).toBe(200)
  await closed
})

test('a request that never ends does not hold up the end for ever', async () => {
  const { listening, waiting, ask } = await serve(100)
  const answer = ask('/slow')
  await expect.poll(() => waiting.length).toBe(1)
  await Promise.all([listening.close(), expect(answer).rejects.toThrow(/socket hang up/)])
})
