import { PassThrough } from 'node:stream'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProductServer, startProductServer } from '../../../tests/support/product-server'

type LogLine = {
  msg: string
  level: number
  requestId?: string
  status?: number
  err?: { message: string }
}

const createFailure = (part: string) => () => {
  throw new Error(`broken ${part}`)
}
const brokenRoutes = {
  BrokenLoader: { loader: createFailure('loader'), default: () => null },
  BrokenAction: { action: createFailure('action'), default: () => null },
  BrokenPage: { loader: () => ({}), default: createFailure('page') },
  BrokenMiddleware: {
    middleware: [createFailure('middleware')],
    loader: () => ({}),
    default: () => null,
  },
  BrokenResource: { loader: createFailure('resource') },
  BrokenStream: {
    loader: () => {
      const bytes = new PassThrough()
      bytes.write('the first of many')
      setImmediate(() => bytes.destroy(new Error('broken stream')))

      return new Response(PassThrough.toWeb(bytes).readable as unknown as BodyInit)
    },
  },
}

describe('the ID of a request', () => {
  const origin = 'https://school.example'
  const host = { Host: 'school.example' }
  const logLines: LogLine[] = []
  let server: ProductServer
  beforeAll(async () => {
    server = await startProductServer(
      { PUBLIC_URL: origin, LOG_LEVEL: 'info', TRUST_PROXY: 'loopback' },
      { routes: brokenRoutes, slowRequestMs: 60_000 },
    )
    const { log } = await import('../operations/log.server')
    const destination = Reflect.get(log, pino.symbols.streamSym) as { write(line: string): void }
    destination.write = (line) => logLines.push(JSON.parse(line))
  })

  afterAll(() => server.stop())

  const findLogLines = (id: unknown) => logLines.filter(({ requestId }) => requestId === id)
  const post = { method: 'POST', headers: { ...host, Origin: origin } }

  it.each([
    ['loader', '/BrokenLoader', {}],
    ['loader', '/BrokenLoader.data', {}],
    ['action', '/BrokenAction', post],
    ['page', '/BrokenPage', {}],
    ['middleware', '/BrokenMiddleware', {}],
    ['resource', '/BrokenResource', {}],
  ])(
    'with an error in a %s (%s) is in one log line with the cause',
    async (part, path, options) => {
      const response = await server.request(path, { headers: host, ...options })
      const id = response.headers['x-request-id']
      expect(response.status).toBe(500)
      expect(id).toMatch(/^[\da-f-]{36}$/)
      expect(findLogLines(id).filter(({ level }) => level >= 50)).toMatchObject([
        { err: { message: `broken ${part}` } },
      ])
      expect(findLogLines(id).filter(({ msg }) => msg === 'request')).toMatchObject([
        { status: 500 },
      ])

      if (!path.endsWith('.data') && part !== 'resource') {
        expect(response.body).toContain(`reference: ${id}`)
      }
    },
  )

  it.each([
    ['a page', '/Terms', 200, {}],
    ['a cached page', '/Terms', 200, {}],
    ['the page for unknown URLs', '/nowhere', 404, {}],
    ['a file', '/robots.txt', 200, {}],
    ['a health check', '/healthz', 200, {}],
    ['another host', '/', 421, { headers: { Host: 'other.example' } }],
    ['an unreadable target', '//evil.example/', 400, {}],
    ['an unreadable URL', '/%', 400, {}],
    ['an unknown method', '/', 405, { method: 'PROPFIND' }],
    ['a method that would show the request’s headers', '/', 405, { method: 'TRACE' }],
    [
      'another site’s form',
      '/Login',
      403,
      { method: 'POST', headers: { ...host, Origin: 'https://evil.example' } },
    ],
    ['too large a body', '/Login', 413, { ...post, body: 'x'.repeat(70_000) }],
    ['an account operation', '/account/session', 200, {}],
    ['a redirect', '/Profile', 302, {}],
  ])('is in the response and in one log line for %s', async (_what, path, status, options) => {
    const response = await server.request(path, { headers: host, ...options })
    const id = response.headers['x-request-id']

    expect([response.status, id]).toEqual([status, expect.stringMatching(/^[\da-f-]{36}$/)])
    expect(findLogLines(id).filter(({ msg }) => msg === 'request')).toMatchObject([{ status }])
  })

  it('of a failed registration is in one log line with the cause, which names nobody', async () => {
    await server.db.execute(
      sql`alter table users add constraint nobody check (email = 'nobody') not valid`,
    )

    const response = await server.request('/account/register', {
      method: 'POST',
      headers: { ...post.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        email: 'grace@hopper.example',
        password: 'Correct-horse-7',
        firstName: 'Grace',
        lastName: 'Hopper',
      }),
    })
    await server.db.execute(sql`alter table users drop constraint nobody`)

    expect(response.status).toBe(500)

    const errors = findLogLines(response.headers['x-request-id']).filter(({ level }) => level >= 50)
    expect(errors).toMatchObject([
      { path: '/account/register', err: { cause: { code: '23514', constraint: 'nobody' } } },
    ])
    expect(JSON.stringify(logLines)).not.toMatch(/grace|hopper/i)
  })

  it('is the one that the proxy has given, also for cached pages', async () => {
    for (const [index, path] of ['/Terms', '/Terms', '/nowhere', '/BrokenLoader'].entries()) {
      const id = `0a1b2c3d4e5f60718293a4b5c6d7e8f${index}`
      const response = await server.request(path, { headers: { ...host, 'X-Request-Id': id } })
      expect(response.headers['x-request-id']).toBe(id)
      expect(findLogLines(id).length).toBeGreaterThan(0)
    }
  })
})

describe('with a loopback URL', () => {
  const logLines: (LogLine & Record<string, unknown>)[] = []
  let server: ProductServer
  beforeAll(async () => {
    server = await startProductServer(
      { PUBLIC_URL: 'http://localhost:3000', LOG_LEVEL: 'info' },
      { slowRequestMs: 1 },
    )
    const { log } = await import('../operations/log.server')
    const destination = Reflect.get(log, pino.symbols.streamSym) as { write(line: string): void }
    destination.write = (line) => logLines.push(JSON.parse(line))
  })

  afterAll(() => server.stop())

  it('a response of the sample provider has an ID and one log line', async () => {
    const response = await server.request('/sample-identity/choose/nobody', {
      headers: { Host: 'localhost:3000' },
    })
    const id = response.headers['x-request-id']
    expect([response.status, id]).toEqual([400, expect.stringMatching(/^[\da-f-]{36}$/)])

    const path = '/sample-identity/choose/*'
    expect(logLines.filter(({ requestId }) => requestId === id)).toMatchObject([
      { msg: 'request', path, status: 400 },
    ])
  })

  it('a slow request has one log line with its times and without values of queries', async () => {
    const response = await server.request('/AllCourses?q=ada', {
      headers: { Host: 'localhost:3000', 'Accept-Encoding': 'br' },
    })
    const [logLine, ...otherLines] = logLines.filter(
      ({ requestId }) => requestId === response.headers['x-request-id'],
    )
    expect(otherLines).toEqual([])
    expect(logLine).toMatchObject({
      msg: 'slow request',
      level: 40,
      path: '/AllCourses',
      status: 200,
    })

    const times = logLine as unknown as Record<string, number>
    expect(times.queries).toBeGreaterThan(0)

    for (const name of ['sqlMs', 'poolMs', 'renderMs', 'compressMs']) {
      expect(times[name]).toBeGreaterThanOrEqual(0)
    }

    expect(times.renderMs).toBeLessThanOrEqual(times.ms ?? 0)
    expect(JSON.stringify(logLine)).not.toContain('ada')
    expect(response.headers['server-timing']).toMatch(
      /^sql;dur=\d+\.\d;desc="queries: \d+", pool;dur=/,
    )
  })
})
