import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProductServer, startProductServer } from '../../../tests/support/product-server'

describe('cached pages', () => {
  let server: ProductServer
  /** The session cookie of a signed-in learner. */
  let session = ''
  const host = 'localhost:3000'
  const get = (target: string, headers: Record<string, string> = {}, method = 'GET') =>
    server.request(target, { method, headers: { Host: host, ...headers } })
  beforeAll(async () => {
    server = await startProductServer({ PUBLIC_URL: `http://${host}`, PORT: '3000' })
    const learner = {
      email: 'ada@test.example',
      password: 'Correct-horse-7',
      firstName: 'Ada',
      lastName: 'Lovelace',
    }
    const { headers } = await server.request('/account/register', {
      method: 'POST',
      headers: { Host: host, Origin: `http://${host}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(learner),
    })

    session = (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ')
  })

  afterAll(() => server.stop())

  it('a URL with another path in its query does not become that page', async () => {
    expect((await get('/?abcd/Login', { Host: '1' })).status).toBe(421)

    const [home, login] = [await get('/?abcd/Login'), await get('/Login')]
    expect(login.body.includes('<title>Login · Learnify</title>')).toBe(true)
    expect(home.headers.etag).toBe((await get('/')).headers.etag)
  })

  it.each([
    '/',
    '/AllCourses',
    '/OneCourse',
    '/OneCourse/python-from-zero',
    '/Login',
    '/SignUp',
    '/Instructor',
    '/sitemap.xml',
    '/robots.txt',
  ])(
    '%s is the same page for a learner, and does not depend on other parameters and headers',
    async (path) => {
      expect((await get('/account/session', { Cookie: session })).body).toContain('Ada')

      const learnerPage = await get(
        `${path}?x=<script>alert(1)</script>&utm_source=${Math.random()}`,
        {
          Cookie: session,
          'Accept-Language': 'de',
          'X-Forwarded-Host': 'evil.example',
          'X-Rewrite-Url': '/SignUp',
          'X-React-Router-SPA-Mode': 'yes',
        },
      )
      const visitorPage = await get(path)
      expect(visitorPage.headers.etag).toMatch(/^W\//)
      expect(learnerPage.headers.etag).toBe(visitorPage.headers.etag)
      expect(visitorPage.body.includes('alert(1)')).toBe(false)
      expect(visitorPage.headers['set-cookie']).toBeUndefined()
    },
  )

  it('a cached page is the same for the exact URL and for other forms of the URL', async () => {
    await get('/SignUp')
    const exactUrlResponse = await get('/SignUp')
    const otherUrlResponse = await get('/signup/?utm_source=x')
    expect(otherUrlResponse.body).toBe(exactUrlResponse.body)

    const requestHeaders = ['date', 'x-request-id', 'server-timing']
    const getPageHeaders = ({ headers }: typeof exactUrlResponse) =>
      Object.entries(headers).filter(([name]) => !requestHeaders.includes(name))
    expect(getPageHeaders(otherUrlResponse)).toEqual(getPageHeaders(exactUrlResponse))

    const { 'x-request-id': first, ...headers } = exactUrlResponse.headers
    const second = otherUrlResponse.headers['x-request-id']
    expect(
      [first, second].filter((id) => /^[\da-f-]{36}$/.test(id?.toString() ?? '')),
    ).toHaveLength(2)
    expect(headers['learnify-build']).toBe('test')
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  it('a request that is refused elsewhere is refused for a cached page, too', async () => {
    await get('/SignUp')

    expect((await get('/SignUp', { Host: 'evil.example' })).status).toBe(421)
    expect((await get('/SignUp?x=%00')).status).toBe(400)
    expect((await get('/SignUp', {}, 'OPTIONS')).status).toBe(204)
    expect((await get('/SignUp', {}, 'POST')).status).toBe(403)
  })

  it('a HEAD request gets the headers of the page', async () => {
    const head = await get('/OneCourse/python-from-zero?tab=reviews', {}, 'HEAD')
    const page = await get('/OneCourse/python-from-zero?tab=reviews')
    expect(head.body).toBe('')

    for (const name of [
      'etag',
      'content-length',
      'content-type',
      'content-security-policy',
      'cache-control',
      'vary',
    ]) {
      expect([name, head.headers[name]]).toEqual([name, page.headers[name]])
    }
  })

  it('a page that the browser has is not sent again, and a range request gets the whole page', async () => {
    const { etag = '' } = (await get('/')).headers
    for (const ifNoneMatch of [etag, `"other", ${etag}`, '*']) {
      const response = await get('/', { 'If-None-Match': ifNoneMatch })
      expect([response.status, response.headers.vary]).toEqual([304, 'Accept-Encoding'])
    }

    expect((await get('/', { Range: 'bytes=0-9' })).status).toBe(200)
  })

  it('the policy of a page allows each inline script of the product, but no data', async () => {
    const { body, headers } = await get('/OneCourse/python-from-zero')
    const inlineScripts = [
      ...body.matchAll(/<script(?![^>]* src=)(?![^>]*ld\+json)[^>]*>([\s\S]*?)<\/script>/g),
    ]
    const hashes = inlineScripts.map(
      ([, script]) =>
        `'sha256-${createHash('sha256')
          .update(script ?? '')
          .digest('base64')}'`,
    )
    const [policy = ''] = /script-src [^;]*/.exec(String(headers['content-security-policy'])) ?? []

    expect(new Set(policy.match(/'sha256-[^']+'/g))).toEqual(new Set(hashes))
    expect(/<script type="application\/ld\+json">[^<]*<\/script>/.test(body)).toBe(true)
    expect(body.includes('nonce=')).toBe(false)
  })
})
