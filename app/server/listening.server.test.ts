import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, createServer } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { listenOn } from './listening.server'

/** Asks on a new connection each time, from a process of its own, until one is refused. It writes what else went wrong. */
const visitors = `
  const ask = () => new Promise((resolve) => {
    const question = require('node:http').request({ port: Number(process.argv[1]), agent: false, method: 'POST' }, (answer) => {
      answer.resume().once('end', () => resolve(null))
    })
    question.once('error', (error) => resolve(error.code))
    question.end('a report')
  })
  const visit = async () => {
    for (;;) {
      const code = await ask()
      if (code) return process.stdout.write(code + ' ')
    }
  }
  for (let count = 0; count < 8; count++) visit()
`

/** A server whose answers wait until they are let go, and a way to ask it on connections that are kept. */
async function serve(patienceMs?: number) {
  const port = await freePort()
  const waiting: ServerResponse[] = []
  // More than a system takes for a reader that doesn't read.
  const largeLength = 20_000_000
  const listening = await listenOn({ hosts: ['127.0.0.1'], port, patienceMs }, (request, response) => {
    if (request.url === '/slow') waiting.push(response)
    else if (request.url === '/large') response.end(Buffer.alloc(largeLength))
    else response.end('at once')
  })
  const agent = new Agent({ keepAlive: true })
  onTestFinished(async () => {
    agent.destroy()
    await listening.close()
  })
  const ask = async (path = '/') => {
    const [response]: IncomingMessage[] = await once(get({ port, path, agent }), 'response')
    return path === '/large' ? response : response?.resume()
  }
  return { listening, port, waiting, ask, largeLength }
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

test('an answer of which its reader has only a part arrives whole', async () => {
  const { listening, ask, largeLength } = await serve()
  const answer = await ask('/large')
  const closed = listening.close()
  await expect.poll(() => ask().catch((error) => error.code)).toBe('ECONNREFUSED')
  expect((answer && (await buffer(answer)))?.length).toBe(largeLength)
  await closed
})

test('a connection that never asked does not hold up the end', async () => {
  const { listening, port, ask } = await serve(1_000_000)
  const silent = connect(port, '127.0.0.1')
  const ended = once(silent, 'close')
  await once(silent, 'connect')
  // Connections are taken in their order.
  await ask()
  await listening.close()
  expect(await ended).toEqual([false])
})

test('a request that never ends does not hold up the end for ever', async () => {
  const { listening, waiting, ask } = await serve(100)
  const answer = ask('/slow')
  await expect.poll(() => waiting.length).toBe(1)
  await Promise.all([listening.close(), expect(answer).rejects.toThrow(/socket hang up/)])
})

test('no connection that a proxy has made is lost while others keep the process busy', async () => {
  const port = await freePort()
  let answers = 0
  const listening = await listenOn({ hosts: ['127.0.0.1'], port }, (_request, response) => {
    answers += 1
    // As rendering a page does.
    for (const until = performance.now() + 4; performance.now() < until; );
    response.end('rendered')
  })
  const child = spawn(process.execPath, ['-e', visitors, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = text(child.stdout)
  await expect.poll(() => answers).toBeGreaterThan(100)
  await listening.close()
  expect(new Set((await said).trim().split(' '))).toEqual(new Set(['ECONNREFUSED']))
})
