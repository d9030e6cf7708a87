import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { workOf } from '../request-work'
import { createHttpApp } from './http.server'
import { publicPage } from './page-cache.server'
import { renderings } from './renderings.server'
import { shedding } from './shedding.server'

const origin = 'http://localhost:3000'
const answer = (own: HeadersInit = {}, change?: RequestInit) =>
  createHttpApp({
    pages: async () => new Response('a page', { headers: own }),
    accounts: { handle: async () => new Response('an answer'), findSessionToken: async () => null },
    workOf,
    headers: { 'Learnify-Build': 'test' },
  }).request(`${origin}/AllCourses?page=of-a-test`, change)

describe('the security headers', () => {
  it('stand on every answer', async () => {
    const { headers } = await answer()
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
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
    pages: async () => archive,
    accounts: { handle: async () => new Response('an answer'), findSessionToken: async () => null },
    workOf,
    headers: {},
  })
  const writer = made.writable.getWriter()
  const written = writer.write(Buffer.from('PK'))
  const { headers, body } = await own.request(`${origin}/OwnData`, { headers: { 'Accept-Encoding': 'br' } })
  const reader = body?.getReader()
  expect(Buffer.from((await reader?.read())?.value ?? '').toString()).toBe('PK')
  await Promise.all([written, writer.close()])
  expect((await reader?.read())?.done).toBe(true)
  expect([headers.get('content-encoding'), headers.get('cache-control')]).toEqual([null, 'no-store'])
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
      pages: async () => new Response('failed', { status: 500, headers }),
      accounts: { handle: async () => new Response('an answer'), findSessionToken: async () => null },
      workOf,
      headers: {},
    })
    const failed = await app.request(origin + path)
    expect([failed.status, failed.headers.get('cache-control')]).toEqual([500, 'no-store'])
  },
)

describe('a server that is behind with its work', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })
  const rendered: string[] = []
  const app = createHttpApp({
    pages: async ({ url }) => {
      rendered.push(new URL(url).pathname)
      return new Response('a page', { headers: publicPage() })
    },
    accounts: { handle: async () => new Response('an answer'), findSessionToken: async () => null },
    workOf,
    headers: {},
  })
  const status = async (path: string) => (await app.request(origin + path)).status

  it('sends a kept page of any age, and for as long as it is behind', async () => {
    expect(await status('/Privacy')).toBe(200)
    vi.spyOn(shedding, 'level', 'get').mockReturnValue(4)
    expect(await status('/Instructor')).toBe(503)
    vi.advanceTimersByTime(5 * 60_000)
    expect([await status('/Privacy'), rendered]).toEqual([200, ['/Privacy']])
    for (let minute = 5; minute < 30; minute++) {
      vi.advanceTimersByTime(60_000)
      expect([minute, await status('/Privacy')]).toEqual([minute, 200])
    }
    expect(rendered.length).toBeLessThan(6)
  })

  it('sends a kept page of any age also while as many pages are made as may be', async () => {
    expect(await status('/Terms')).toBe(200)
    vi.advanceTimersByTime(5 * 60_000)
    let end = () => {}
    const made = new Promise<void>((resolve) => {
      end = resolve
    })
    const others = Array.from({ length: 64 }, () => renderings.run(() => made))
    const statuses = [await status('/SignUp'), await status('/Terms')]
    end()
    await Promise.all(others)
    expect(statuses).toEqual([503, 200])
  })

  it.each(['/Instructor', '/Profile', '/account/session'])(
    'refuses %s with an answer that nobody stores',
    async (path) => {
      vi.spyOn(shedding, 'level', 'get').mockReturnValue(4)
      const { status, headers } = await app.request(origin + path)
      expect([status, headers.get('cache-control')]).toEqual([503, 'no-store'])
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
    },
  )

  it('is asked for its load by /readyz, too, or its warning would outlive the load', async () => {
    const level = vi.spyOn(shedding, 'level', 'get')
    expect(await status('/readyz')).toBe(503)
    expect(level).toHaveBeenCalled()
  })
})

describe('what open pages ask for', () => {
  it('takes no rendering from those who open a page', async () => {
    let end = () => {}
    const made = new Promise<void>((resolve) => {
      end = resolve
    })
    const app = createHttpApp({
      pages: async () => {
        await made
        return new Response('made')
      },
      accounts: { handle: async () => new Response('an answer'), findSessionToken: async () => null },
      workOf,
      headers: {},
    })
    const ask = (path: string) => Array.from({ length: 65 }, async () => (await app.request(origin + path)).status)
    const answers = [ask('/viewer?exam=x'), ask('/Profile/settings.data'), ask('/Profile')]
    // The last page is refused at once; everybody else waits.
    expect(await answers[2]?.at(-1)).toBe(503)
    end()
    const all = (await Promise.all(answers.flat())).filter((status) => status !== 200)
    expect(all).toEqual([503])
  })
})

describe('a change without an origin', () => {
  const ask = async (
    path: string,
    { method = 'POST', headers = {} }: { method?: string; headers?: HeadersInit } = {},
  ) => {
    const app = createHttpApp({
      pages: async () => new Response('done'),
      accounts: { handle: async () => new Response('an answer'), findSessionToken: async () => null },
      workOf,
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
    ])
      expect([path, await ask(path)]).toEqual([path, 403])
    for (const method of ['PUT', 'PATCH', 'DELETE']) expect(await ask('/StopReminders', { method })).toBe(403)
  })

  it('is refused there, too, once it says that it comes from elsewhere', async () => {
    for (const other of ['https://evil.example', 'null', 'http://localhost:3001', ''])
      expect([other, await ask('/StopReminders', { headers: { Origin: other } })]).toEqual([other, 403])
    expect(await ask('/StopReminders', { headers: { Origin: origin } })).toBe(200)
  })
})
