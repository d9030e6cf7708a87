import { afterEach, describe, expect, it, vi } from 'vitest'
import { publicPageHeaders } from '~/server/cache/page-cache.server'
import { env } from '~/server/env.server'
import { createFileName, fileStore, getFileUrl } from '~/server/files/files.server'
import { recordSample } from '~/server/http/event-loop.server'
import { concurrencyLimits } from '~/server/http/limit-concurrency.server'
import { readiness } from '~/server/operations/readiness.server'
import { createHttpApp } from './http-app.server'
import { publicPages } from './public-pages'

const origin = 'http://localhost:3000'
type AppOptions = Partial<Parameters<typeof createHttpApp>[0]>

/** Creates the app with pages and accounts that respond with a short text. */
function createApp(options: AppOptions = {}) {
  return createHttpApp({
    handleRoute: async () => new Response('a page'),
    accounts: {
      handle: async () => new Response('an account response'),
      findSessionToken: async () => null,
    },
    publicPages: null,
    commonHeaders: {},
    ...options,
  })
}

/** Requests a page whose route sets the given headers. */
function requestPage(routeHeaders: HeadersInit = {}, init?: RequestInit) {
  const app = createApp({
    handleRoute: async () => new Response('a page', { headers: routeHeaders }),
    commonHeaders: { 'Learnify-Build': 'test' },
  })
  return app.request(`${origin}/AllCourses?page=of-a-test`, init)
}

describe('the security headers', () => {
  it('are in every response', async () => {
    const { headers } = await requestPage()
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

  it('do not replace those that a route sets itself', async () => {
    const routeHeaders = {
      'content-security-policy': "default-src 'none'; script-src 'self'",
      'cross-origin-opener-policy': 'unsafe-none',
      'referrer-policy': 'no-referrer',
    }

    expect(Object.fromEntries((await requestPage(routeHeaders)).headers)).toMatchObject(
      routeHeaders,
    )
  })
})

it('an archive is sent while it is created, without compression', async () => {
  const stream = new TransformStream<Uint8Array, Uint8Array>()
  const archive = new Response(stream.readable, { headers: { 'Content-Type': 'application/zip' } })
  const app = createApp({ handleRoute: async () => archive, publicPages })
  const writer = stream.writable.getWriter()
  const firstWrite = writer.write(Buffer.from('PK'))

  const { headers, body } = await app.request(`${origin}/OwnData`, {
    headers: { 'Accept-Encoding': 'br' },
  })
  const reader = body?.getReader()

  expect(Buffer.from((await reader?.read())?.value ?? '').toString()).toBe('PK')
  await Promise.all([firstWrite, writer.close()])
  expect((await reader?.read())?.done).toBe(true)
  expect([headers.get('content-encoding'), headers.get('cache-control')]).toEqual([
    null,
    'no-store',
  ])
})

it('browsers may cache a learner’s photo, but proxies may not', async () => {
  const read = vi.spyOn(fileStore, 'read').mockResolvedValue(Buffer.from('photo'))

  const { status, headers } = await createApp().request(
    origin + getFileUrl(createFileName('photos')),
  )
  read.mockRestore()

  expect([status, headers.get('cache-control')]).toEqual([
    200,
    'private, max-age=31536000, immutable',
  ])
})

it('the response to a change is never cached, even if its route allows it', async () => {
  const routeHeaders = { 'Cache-Control': 'public, max-age=0' }
  expect((await requestPage(routeHeaders)).headers.get('cache-control')).toBe('public, max-age=0')

  const change = { method: 'POST', headers: { Origin: origin } }
  expect((await requestPage(routeHeaders, change)).headers.get('cache-control')).toBe('no-store')
})

it.each(['/Terms', '/Terms.data', '/Certificate/x'])(
  'a failure of %s is never cached, even if its route allows it',
  async (path) => {
    const headers = { 'Cache-Control': 'public, max-age=0, s-maxage=60' }
    const app = createApp({
      handleRoute: async () => new Response('failed', { status: 500, headers }),
      publicPages,
    })

    const response = await app.request(origin + path)

    expect([response.status, response.headers.get('cache-control')]).toEqual([500, 'no-store'])
  },
)

describe('an overloaded server', () => {
  const setDelay = (meanMs: number) => recordSample({ meanMs, worstMs: meanMs })
  const navigation = { headers: { Accept: 'text/html,*/*;q=0.8' } }
  const renderings = concurrencyLimits.find(({ name }) => name === 'renderings')
  const app = createApp({
    handleRoute: async () => new Response('a page', { headers: publicPageHeaders() }),
    publicPages,
  })

  afterEach(() => setDelay(0))

  /**
   * Requests pages that are rendered until the returned function is called.
   *
   * @returns a function that ends the renderings and returns the statuses of the pages
   */
  async function keepRendering(count: number): Promise<() => Promise<number[]>> {
    let endRendering = () => {}
    const rendering = new Promise<void>((resolve) => {
      endRendering = resolve
    })
    const slowApp = createApp({
      handleRoute: async () => {
        await rendering
        return new Response('a page')
      },
      publicPages: {},
    })
    const pages = Array.from({ length: count }, () =>
      slowApp.request(`${origin}/Profile`, navigation),
    )
    await vi.waitFor(() => expect(renderings?.running).toBe(count))

    return async () => {
      endRendering()
      return (await Promise.all(pages)).map(({ status }) => status)
    }
  }

  it('renders the pages of a few visitors while only the event loop is slow', async () => {
    setDelay(env.SHED_AFTER_MS * 10)
    const endRenderings = await keepRendering(7)
    expect((await app.request(`${origin}/Profile`, navigation)).status).toBe(200)
    expect(await endRenderings()).toEqual(Array.from({ length: 7 }, () => 200))
  })

  it('refuses to render pages with 503 and Retry-After, and responds to all other requests', async () => {
    const endRenderings = await keepRendering(8)
    setDelay(env.SHED_AFTER_MS)
    for (const path of ['/Instructor', '/Profile', '/OwnData']) {
      const { status, headers } = await app.request(origin + path, navigation)
      expect([status, headers.get('cache-control')]).toEqual([503, 'no-store'])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }

    const page = await app.request(`${origin}/Profile`, navigation)
    expect(await page.text()).toMatch(/name="viewport"[\s\S]*very busy[\s\S]*Try again/)
    expect((await app.request(`${origin}/viewer`)).status).toBe(200)
    expect((await app.request(`${origin}/account/session`)).status).toBe(200)
    const report = { method: 'POST', headers: { Origin: origin } }
    expect((await app.request(`${origin}/Learn/python/names/progress`, report)).status).toBe(200)
    setDelay(0)
    expect((await app.request(`${origin}/Instructor`, navigation)).status).toBe(200)
    expect(await endRenderings()).toEqual(Array.from({ length: 8 }, () => 200))
  })

  it('sends cached pages, and warns on /readyz', async () => {
    expect((await app.request(`${origin}/Privacy`)).status).toBe(200)
    setDelay(env.SHED_AFTER_MS)
    expect((await app.request(`${origin}/Privacy`)).status).toBe(200)
    expect((await readiness.report()).warnings).toHaveProperty('load')
    setDelay(0)
    expect((await readiness.report()).warnings).not.toHaveProperty('load')
  })
})

it('pages beyond the limit are refused at once, but requests of scripts are not', async () => {
  let endRendering = () => {}
  const rendering = new Promise<void>((resolve) => {
    endRendering = resolve
  })
  const app = createApp({
    handleRoute: async () => {
      await rendering
      return new Response('a page')
    },
    publicPages: {},
  })
  const getStatus = async (path: string, headers: HeadersInit) =>
    (await app.request(origin + path, { headers })).status
  const pages = Array.from({ length: 64 + 256 }, () =>
    getStatus('/Profile', { Accept: 'text/html' }),
  )
  const scriptRequests = Array.from({ length: 400 }, () => getStatus('/viewer', { Accept: '*/*' }))

  expect(await getStatus('/Profile', { Accept: 'text/html' })).toBe(503)
  endRendering()
  expect(new Set(await Promise.all([...pages, ...scriptRequests]))).toEqual(new Set([200]))
})

it('every response with status 429 or 503 has Retry-After, even if its route does not set it', async () => {
  for (const status of [429, 503]) {
    const handle = async () => new Response('later', { status })
    const app = createApp({
      handleRoute: handle,
      accounts: { handle, findSessionToken: async () => null },
    })

    for (const path of ['/Profile', '/account/session']) {
      const { headers } = await app.request(origin + path)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
  }
})

describe('a request body', () => {
  const learner = { Origin: origin, Cookie: 'session' }
  const app = createApp({
    handleRoute: async (request) => new Response(String((await request.arrayBuffer()).byteLength)),
    accounts: {
      handle: async () => new Response('an account response'),
      findSessionToken: async ({ headers }) => headers.get('cookie'),
    },
  })
  const post = async (
    path: string,
    type: string,
    bytes: number,
    headers: HeadersInit = learner,
  ) => {
    const bodyHeaders = { 'Content-Type': type, 'Content-Length': String(bytes) }
    const init = {
      method: 'POST',
      body: 'x'.repeat(bytes),
      headers: { ...headers, ...bodyHeaders },
    }

    return (await app.request(origin + path, init)).status
  }
  const form = 'application/x-www-form-urlencoded'
  const json = 'application/json'
  const multipart = 'multipart/form-data; boundary=b'

  it.each([
    ['a form', '/Profile/settings', form],
    ['a form that a script sends', '/Profile/settings.data', form],
    ['JSON', '/account/users/ada', json],
    ['text', '/Profile/settings', 'text/plain'],
    ['a multipart form elsewhere', '/Login', multipart],
  ])('may have 64 KiB as %s, even from a learner', async (_what, path, type) => {
    expect(await post(path, type, 64 * 1024)).toBe(200)
    expect(await post(path, type, 64 * 1024 + 1)).toBe(413)
  })

  it('may be a photo only from a learner', async () => {
    for (const path of ['/Profile/settings', '/Profile/settings.data', '/Profile']) {
      expect(await post(path, multipart, 5 * 1024 * 1024)).toBe(200)
      expect(await post(path, multipart, 12 * 1024 * 1024 + 1)).toBe(413)
      expect(await post(path, multipart, 64 * 1024 + 1, { Origin: origin })).toBe(413)
    }
  })
})

describe('a change without an origin', () => {
  const app = createApp({ publicPages })
  const getStatus = async (
    path: string,
    { method = 'POST', headers = {} }: { method?: string; headers?: HeadersInit } = {},
  ) => (await app.request(origin + path, { method, headers })).status

  it('is accepted only where an email program unsubscribes from reminders', async () => {
    expect(await getStatus('/StopReminders?learner=ada&key=k')).toBe(200)
    for (const path of [
      '/StopReminders/',
      '/StopReminders.data',
      '/stopreminders',
      '/Login',
      '/Profile/settings',
      '/x/StopReminders',
    ]) {
      expect([path, await getStatus(path)]).toEqual([path, 403])
    }

    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect(await getStatus('/StopReminders', { method })).toBe(403)
    }
  })

  it('is also refused there if it has another origin', async () => {
    for (const otherOrigin of ['https://evil.example', 'null', 'http://localhost:3001', '']) {
      expect([
        otherOrigin,
        await getStatus('/StopReminders', { headers: { Origin: otherOrigin } }),
      ]).toEqual([otherOrigin, 403])
    }

    expect(await getStatus('/StopReminders', { headers: { Origin: origin } })).toBe(200)
  })
})
