import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProductServer, startProductServer } from '../../../tests/support/product-server'

type Line = {
  msg: string
  level: number
  requestId?: string
  status?: number
  err?: { message: string }
}

const fail = (where: string) => () => {
  throw new Error(`broken ${where}`)
}
const broken = {
  BrokenLoader: { loader: fail('loader'), default: () => null },
  BrokenAction: { action: fail('action'), default: () => null },
  BrokenPage: { loader: () => ({}), default: fail('page') },
  BrokenMiddleware: { middleware: [fail('middleware')], loader: () => ({}), default: () => null },
  BrokenResource: { loader: fail('resource') },
  BrokenStream: {
    loader: () => {
      const bytes = new PassThrough()
      bytes.write('the first of many')
      setImmediate(() => bytes.destroy(new Error('broken stream')))

      return new Response(PassThrough.toWeb(bytes).readable as unknown as BodyInit)
    },
  },
}

describe('the number of a request', () => {
  const origin = 'https://school.example'
  const host = { Host: 'school.example' }
  const lines: Line[] = []
  let server: ProductServer
  beforeAll(async () => {
    server = await startProductServer(
      { PUBLIC_URL: origin, LOG_LEVEL: 'info', TRUST_PROXY: 'loopback' },
      { routes: broken, slowRequestMs: 60_000 },
    )
    const { log } = await import('../operations/log.server')
    const destination = Reflect.get(log, pino.symbols.streamSym) as { write(line: string): void }
    destination.write = (line) => lines.push(JSON.parse(line))
  })

  afterAll(() => server.stop())

  const linesOf = (id: unknown) => lines.filter(({ requestId }) => requestId === id)
  const post = { method: 'POST', headers: { ...host, Origin: origin } }

  it.each([
    ['loader', '/BrokenLoader', {}],
    ['loader', '/BrokenLoader.data', {}],
    ['action', '/BrokenAction', post],
    ['page', '/BrokenPage', {}],
    ['middleware', '/BrokenMiddleware', {}],
    ['resource', '/BrokenResource', {}],
  ])(
    'of an error in a %s (%s) leads to its one line with the cause',
    async (where, path, options) => {
      const answer = await server.request(path, { headers: host, ...options })
      const id = answer.headers['x-request-id']
      expect(answer.status).toBe(500)
      expect(id).toMatch(/^[\da-f-]{36}$/)
      expect(linesOf(id).filter(({ level }) => level >= 50)).toMatchObject([
        { err: { message: `broken ${where}` } },
      ])
      expect(linesOf(id).filter(({ msg }) => msg === 'request')).toMatchObject([{ status: 500 }])
      if (!path.endsWith('.data') && where !== 'resource') {
        expect(answer.body).toContain(`reference: ${id}`)
      }
    },
  )

  it.each([
    ['a page', '/Terms', 200, {}],
    ['a kept page', '/Terms', 200, {}],
    ['the page for unknown addresses', '/nowhere', 404, {}],
    ['a file', '/robots.txt', 200, {}],
    ['a health check', '/healthz', 200, {}],
    ['another host', '/', 421, { headers: { Host: 'other.example' } }],
    ['an unreadable target', '//evil.example/', 400, {}],
    ['an unreadable address', '/%', 400, {}],
    ['an odd method', '/', 405, { method: 'PROPFIND' }],
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
  ])('is in the answer and one line of the log for %s', async (_what, path, status, options) => {
    const answer = await server.request(path, { headers: host, ...options })
    const id = answer.headers['x-request-id']
    expect([answer.status, id]).toEqual([status, expect.stringMatching(/^[\da-f-]{36}$/)])
    expect(linesOf(id).filter(({ msg }) => msg === 'request')).toMatchObject([{ status }])
  })

  it('is the proxy’s own, on kept pages, too', async () => {
    for (const [turn, path] of ['/Terms', '/Terms', '/nowhere', '/BrokenLoader'].entries()) {
      const id = `0a1b2c3d4e5f60718293a4b5c6d7e8f${turn}`
      const answer = await server.request(path, { headers: { ...host, 'X-Request-Id': id } })
      expect(answer.headers['x-request-id']).toBe(id)
      expect(linesOf(id).length).toBeGreaterThan(0)
    }
  })
})

describe('on a machine of one’s own', () => {
  const lines: (Line & Record<string, unknown>)[] = []
  let server: ProductServer
  beforeAll(async () => {
    server = await startProductServer(
      { PUBLIC_URL: 'http://localhost:3000', LOG_LEVEL: 'info' },
      { slowRequestMs: 1 },
    )
    const { log } = await import('../operations/log.server')
    const destination = Reflect.get(log, pino.symbols.streamSym) as { write(line: string): void }
    destination.write = (line) => lines.push(JSON.parse(line))
  })

  afterAll(() => server.stop())

  it('the sample provider’s answer has a number, and one line with it', async () => {
    const answer = await server.request('/sample-identity/choose/nobody', {
      headers: { Host: 'localhost:3000' },
    })
    const id = answer.headers['x-request-id']
    expect([answer.status, id]).toEqual([400, expect.stringMatching(/^[\da-f-]{36}$/)])
    const path = '/sample-identity/choose/*'
    expect(lines.filter(({ requestId }) => requestId === id)).toMatchObject([
      { msg: 'request', path, status: 400 },
    ])
  })

  it('a slow request has one line that says where the time went, and no value of a query', async () => {
    const answer = await server.request('/AllCourses?q=ada', {
      headers: { Host: 'localhost:3000', 'Accept-Encoding': 'br' },
    })
    const [line, ...more] = lines.filter(
      ({ requestId }) => requestId === answer.headers['x-request-id'],
    )
    expect(more).toEqual([])
    expect(line).toMatchObject({ msg: 'slow request', level: 40, path: '/AllCourses', status: 200 })
    const times = line as unknown as Record<string, number>
    expect(times.queries).toBeGreaterThan(0)
    for (const name of ['sqlMs', 'poolMs', 'renderMs', 'compressMs']) {
      expect(times[name]).toBeGreaterThanOrEqual(0)
    }

    expect(times.renderMs).toBeLessThanOrEqual(times.ms ?? 0)
    expect(JSON.stringify(line)).not.toContain('ada')
    expect(answer.headers['server-timing']).toMatch(
      /^sql;dur=\d+\.\d;desc="queries: \d+", pool;dur=/,
    )
  })
})
