import { afterEach, describe, expect, it, vi } from 'vitest'
import { publicPage } from '~/server/cache/cache-public-pages.server'
import { env } from '~/server/env.server'
import { fileStore, getFileUrl, newFileName } from '~/server/files/files.server'
import { takeSample } from '~/server/http/event-loop.server'
import { readiness } from '~/server/operations/readiness.server'
import { createHttpApp } from './http-app.server'
import { publicPages } from './public-pages'

const origin = 'http://localhost:3000'
const answer = (own: HeadersInit = {}, change?: RequestInit) =>
  createHttpApp({
    handlePage: async () => new Response('a page', { headers: own }),
    accounts: { handle: async () => new Response('an answer'), findSessionToken: async () => null },
    publicPages: null,
    headers: { 'Learnify-Build': 'test' },
  }).request(`${origin}/AllCourses?page=of-a-test`, change)

describe('the security headers', () => {
  it('stand on every answer', async () => {
    const { headers } = await answer()
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
    })

    expect(headers.has('strict-transport-security')).toBe(false)
  })

  it('give way to those that a route sets itself', async () => {
    const own = {
      'content-security-policy': "default-src 'none'; script-src 'self'",
      'cross-origin-opener-policy': 'unsafe-none',
      'referrer-policy': 'no-referrer',
    }

    expect(Object.fromEntries((await answer(own)).headers)).toMatchObject(own)
  })
})

it('an archive goes out while it is made, and as it is', async () => {
  const made = new TransformStream<Uint8Array, Uint8Array>()
  const archive = new Response(made.readable, { headers: { 'Content-Type': 'application/zip' } })
  const own = createHttpApp({
    handlePage: async () => archive,
    accounts: { handle: async () => new Response('an answer'), findSessionToken: async () => null },
    publicPages,
    headers: {},
  })
  const writer = made.writable.getWriter()
  const written = writer.write(Buffer.from('PK'))
  const { headers, body } = await own.request(`${origin}/OwnData`, {
    headers: { 'Accept-Encoding': 'br' },
  })
  const reader = body?.getReader()
  expect(Buffer.from((await reader?.read())?.value ?? '').toString()).toBe('PK')
  await Promise.all([written, writer.close()])
  expect((await reader?.read())?.done).toBe(true)
  expect([headers.get('content-encoding'), headers.get('cache-control')]).toEqual([
    null,
    'no-store',
  ])
})

it('a learner’s photo is stored by browsers, and by no proxy', async () => {
  const read = vi.spyOn(fileStore, 'read').mockResolvedValue(Buffer.from('photo'))
  const own = createHttpApp({
    handlePage: async () => new Response('a page'),
    accounts: { handle: async () => new Response('an answer'), findSessionToken: async () => null },
    publicPages: null,
    headers: {},
  })
  const { status, headers } = await own.request(origin + getFileUrl(newFileName('photos')))
  read.mockRestore()
  expect([status, headers.get('cache-control')]).toEqual([
    200,
    'private, max-age=31536000, immutable',
  ])
})

it('the answer to a change is never stored, whatever its route says', async () => {
  const stored = { 'Cache-Control': 'public, max-age=0' }
  expect((await answer(stored)).headers.get('cache-control')).toBe('public, max-age=0')
  const change = { method: 'POST', headers: { Origin: origin } }
  expect((await answer(stored, change)).headers.get('cache-control')).toBe('no-store')
})

it.each(['/Terms', '/Terms.data', '/Certificate/x'])(
  'a failure of %s is never stored, whatever its route says',
  async (path) => {
    const headers = { 'Cache-Control': 'public, max-age=0, s-maxage=60' }
    const app = createHttpApp({
      handlePage: async () => new Response('failed', { status: 500, headers }),
      accounts: {
        handle: async () => new Response('an answer'),
        findSessionToken: async () => null,
      },
      publicPages,
      headers: {},
    })
    const failed = await app.request(origin + path)
    expect([failed.status, failed.headers.get('cache-control')]).toEqual([500, 'no-store'])
  },
)

describe('a server that is behind with its work', () => {
  const takeSeconds = (meanMs: number) => takeSample({ meanMs, worstMs: meanMs })
  const visit = { headers: { Accept: 'text/html,*/*;q=0.8' } }
  const app = createHttpApp({
    handlePage: async () => new Response('a page', { headers: publicPage() }),
    accounts: { handle: async () => new Response('an answer'), findSessionToken: async () => null },
    publicPages,
    headers: {},
  })

  afterEach(() => takeSeconds(0))

  it('refuses to render pages with 503 and a time to come back, and answers everything else', async () => {
    takeSeconds(env.SHED_AFTER_MS)
    for (const path of ['/Instructor', '/Profile', '/OwnData']) {
      const { status, headers } = await app.request(origin + path, visit)
      expect([status, headers.get('cache-control')]).toEqual([503, 'no-store'])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }

    const opened = await app.request(`${origin}/Profile`, visit)
    expect(await opened.text()).toMatch(/name="viewport"[\s\S]*very busy[\s\S]*Try again/)
    expect((await app.request(`${origin}/viewer`)).status).toBe(200)
    expect((await app.request(`${origin}/account/session`)).status).toBe(200)
    const report = { method: 'POST', headers: { Origin: origin } }
    expect((await app.request(`${origin}/Learn/python/names/progress`, report)).status).toBe(200)
    takeSeconds(0)
    expect((await app.request(`${origin}/Instructor`, visit)).status).toBe(200)
  })

  it('sends a cached page, and says on /readyz that it is behind', async () => {
    expect((await app.request(`${origin}/Privacy`)).status).toBe(200)
    takeSeconds(env.SHED_AFTER_MS)
    expect((await app.request(`${origin}/Privacy`)).status).toBe(200)
    expect((await readiness.report()).warnings).toHaveProperty('load')
    takeSeconds(0)
    expect((await readiness.report()).warnings).not.toHaveProperty('load')
  })
})

it('of more pages than can be rendered or wait, the rest are refused at once; the scripts of open pages are not', async () => {
  let end = () => {}
  const made = new Promise<void>((resolve) => {
    end = resolve
  })
  const app = createHttpApp({
    handlePage: async () => {
      await made
      return new Response('made')
    },
    accounts: { handle: async () => new Response('an answer'), findSessionToken: async () => null },
    publicPages: {},
    headers: {},
  })
  const ask = async (path: string, headers: HeadersInit) =>
    (await app.request(origin + path, { headers })).status
  const pages = Array.from({ length: 64 + 256 }, () => ask('/Profile', { Accept: 'text/html' }))
  const data = Array.from({ length: 400 }, () => ask('/viewer', { Accept: '*/*' }))
  expect(await ask('/Profile', { Accept: 'text/html' })).toBe(503)
  end()
  expect(new Set(await Promise.all([...pages, ...data]))).toEqual(new Set([200]))
})

it('each answer of 429 or 503 says when to come back, also where its route says nothing', async () => {
  for (const status of [429, 503]) {
    const app = createHttpApp({
      handlePage: async () => new Response('later', { status }),
      accounts: {
        handle: async () => new Response('later', { status }),
        findSessionToken: async () => null,
      },
      publicPages: null,
      headers: {},
    })

    for (const path of ['/Profile', '/account/session']) {
      const { headers } = await app.request(origin + path)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
  }
})

describe('a body', () => {
  const learner = { Origin: origin, Cookie: 'session' }
  const app = createHttpApp({
    handlePage: async (request) => new Response(String((await request.arrayBuffer()).byteLength)),
    accounts: {
      handle: async () => new Response('an answer'),
      findSessionToken: async ({ headers }) => headers.get('cookie'),
    },
    publicPages: null,
    headers: {},
  })
  const post = async (
    path: string,
    type: string,
    bytes: number,
    headers: HeadersInit = learner,
  ) => {
    const length = { 'Content-Type': type, 'Content-Length': String(bytes) }
    const init = { method: 'POST', body: 'x'.repeat(bytes), headers: { ...headers, ...length } }
    return (await app.request(origin + path, init)).status
  }
  const [form, json, multipart] = [
    'application/x-www-form-urlencoded',
    'application/json',
    'multipart/form-data; boundary=b',
  ]

  it.each([
    ['a form', '/Profile/settings', form],
    ['a form that a script sends', '/Profile/settings.data', form],
    ['JSON', '/account/users/ada', json],
    ['text', '/Profile/settings', 'text/plain'],
    ['a multipart form elsewhere', '/Login', multipart],
  ])('may have 64 kB as %s, from a learner, too', async (_what, path, type) => {
    expect(await post(path, type, 64 * 1024)).toBe(200)
    expect(await post(path, type, 64 * 1024 + 1)).toBe(413)
  })

  it('may be a photo from a learner alone', async () => {
    for (const path of ['/Profile/settings', '/Profile/settings.data', '/Profile']) {
      expect(await post(path, multipart, 5 * 1024 * 1024)).toBe(200)
      expect(await post(path, multipart, 12 * 1024 * 1024 + 1)).toBe(413)
      expect(await post(path, multipart, 64 * 1024 + 1, { Origin: origin })).toBe(413)
    }
  })
})

describe('a change without an origin', () => {
  const ask = async (
    path: string,
    { method = 'POST', headers = {} }: { method?: string; headers?: HeadersInit } = {},
  ) => {
    const app = createHttpApp({
      handlePage: async () => new Response('done'),
      accounts: {
        handle: async () => new Response('an answer'),
        findSessionToken: async () => null,
      },
      publicPages,
      headers: {},
    })

    return (await app.request(origin + path, { method, headers })).status
  }

  it('is taken where a mail program stops reminders, and nowhere else', async () => {
    expect(await ask('/StopReminders?learner=ada&key=k')).toBe(200)
    for (const path of [
      '/StopReminders/',
      '/StopReminders.data',
      '/stopreminders',
      '/Login',
      '/Profile/settings',
      '/x/StopReminders',
    ]) {
      expect([path, await ask(path)]).toEqual([path, 403])
    }

    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect(await ask('/StopReminders', { method })).toBe(403)
    }
  })

  it('is refused there, too, once it says that it comes from elsewhere', async () => {
    for (const other of ['https://evil.example', 'null', 'http://localhost:3001', '']) {
      expect([other, await ask('/StopReminders', { headers: { Origin: other } })]).toEqual([
        other,
        403,
      ])
    }

    expect(await ask('/StopReminders', { headers: { Origin: origin } })).toBe(200)
  })
})
