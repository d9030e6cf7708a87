import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { publicPages } from '~/public-pages'
import { PageCache, publicPageHeaders } from './page-cache.server'
import { createPageKeyFinder } from './page-keys.server'
import { servePublicPages } from './serve-public-pages.server'

const createPublicResponse = (text: string) => new Response(text, { headers: publicPageHeaders() })
const render = (text: string) => async () => createPublicResponse(text)

/** Creates a rendering that ends when the test calls `end`. */
function createSlowPage() {
  let end = (_response: Response) => {}
  const response = new Promise<Response>((resolve) => {
    end = resolve
  })
  let count = 0
  const render = async () => {
    count += 1
    return (await response).clone()
  }

  return { render, end, count: () => count }
}

function createCacheWithClock(maxSize?: number) {
  const clock = { seconds: 0 }
  const cache = new PageCache({ now: () => clock.seconds, ...(maxSize && { maxSize }) })
  const getText = async (
    key: string,
    renderPage: () => Promise<Response> = render('rendered again'),
  ) => {
    const { body, etag } = await cache.get(key, renderPage)
    return (etag ? brotliDecompressSync(body) : body).toString()
  }

  return { clock, cache, getText }
}

describe('a page in the cache', () => {
  it('is sent for 30 seconds, and then once more while it is rendered again', async () => {
    const { clock, getText } = createCacheWithClock()
    expect(await getText('/', render('first'))).toBe('first')

    clock.seconds = 29
    expect(await getText('/', render('second'))).toBe('first')

    clock.seconds = 45
    expect(await getText('/', render('second'))).toBe('first')
    await expect.poll(() => getText('/')).toBe('second')
  })

  it('is rendered again before it is sent after a minute', async () => {
    const { clock, getText } = createCacheWithClock()
    await getText('/', render('first'))
    clock.seconds = 60

    expect(await getText('/', render('second'))).toBe('second')
  })

  it('is rendered once for concurrent requests', async () => {
    const { getText } = createCacheWithClock()
    const slow = createSlowPage()
    const waiting = [
      getText('/', slow.render),
      getText('/', slow.render),
      getText('/', slow.render),
    ]
    slow.end(createPublicResponse('once'))

    expect(await Promise.all(waiting)).toEqual(['once', 'once', 'once'])
    expect(slow.count()).toBe(1)
  })

  it.each([
    ['does not allow caching', () => new Response('own')],
    ['is not found', () => new Response('gone', { status: 404, headers: publicPageHeaders() })],
    [
      'is a redirect',
      () => new Response(null, { status: 301, headers: { ...publicPageHeaders(), Location: '/' } }),
    ],
    [
      'sets a cookie',
      () => new Response('own', { headers: { ...publicPageHeaders(), 'Set-Cookie': 'a=b' } }),
    ],
  ])('is no page that %s', async (_case, response) => {
    const { cache, getText } = createCacheWithClock()
    await getText('/', async () => response())

    expect(cache.size).toBe(0)
    expect(await getText('/', render('again'))).toBe('again')
  })

  it('is rendered again after a rendering that failed', async () => {
    const { getText } = createCacheWithClock()

    await expect(getText('/', () => Promise.reject(new Error('no database')))).rejects.toThrow(
      'no database',
    )
    expect(await getText('/', render('fine'))).toBe('fine')
  })
})

describe('clearing the cache', () => {
  it('makes every page render again, also one that is being rendered at that time', async () => {
    const { cache, getText } = createCacheWithClock()
    await getText('/Login', render('old'))
    const slow = createSlowPage()
    const textBefore = getText('/', slow.render)
    cache.clear()
    expect(await getText('/', render('new'))).toBe('new')

    slow.end(createPublicResponse('old'))
    expect(await textBefore).toBe('old')
    expect(await getText('/')).toBe('new')
    expect(await getText('/Login', render('new'))).toBe('new')
  })

  it('removes the pages that would be sent while the database is down', async () => {
    const { clock, cache, getText } = createCacheWithClock()
    await getText('/', render('old'))
    clock.seconds = 45
    const slow = createSlowPage()
    expect(await getText('/', slow.render)).toBe('old')

    cache.clear()
    slow.end(new Response('failed', { status: 503 }))
    expect(await getText('/', async () => new Response('failed', { status: 503 }))).toBe('failed')
  })
})

describe('while a page can’t be rendered', () => {
  it.each([
    ['the database is down', async () => new Response('Try again.', { status: 503 })],
    ['the process is busy', () => Promise.reject(new Error('busy'))],
  ])(
    'because %s, the cached page is sent, with one attempt every five seconds',
    async (_reason, fail) => {
      const { clock, getText } = createCacheWithClock()
      await getText('/', render('old'))
      let attempts = 0
      const attempt = () => {
        attempts += 1
        return fail()
      }
      clock.seconds = 3600
      for (let second = 0; second < 20; second++) {
        expect(await getText('/', attempt)).toBe('old')
        clock.seconds += 1
      }

      expect(attempts).toBe(4)

      const getLaterText = () => {
        clock.seconds += 5
        return getText('/', render('new'))
      }
      await expect.poll(getLaterText).toBe('new')
    },
  )
})

it('the cache stays below its size by removing the least recently used page', async () => {
  const { cache, getText } = createCacheWithClock(7_000)
  await getText('/a', render('a'))
  await getText('/b', render('b'))
  await getText('/a')
  await getText('/c', render('c'))

  expect(cache.size).toBe(2)
  expect(await getText('/a')).toBe('a')
  expect(await getText('/b', render('b again'))).toBe('b again')
  expect(cache.bytes).toBeLessThan(7_000)
})

it('a page whose compression failed is compressed again for the next request', async () => {
  const cache = new PageCache()
  const renderPage = render('<p>Hello</p>')
  const app = new Hono().use(servePublicPages(publicPages, renderPage, cache))
  const requestGzip = () =>
    app.request('http://localhost/Terms', { headers: { 'Accept-Encoding': 'gzip' } })

  const page = await cache.get('/Terms', renderPage)
  const brotli = Buffer.from(page.body)
  page.body.fill(0)
  expect((await requestGzip()).status).toBe(500)

  page.body.set(brotli)
  const response = await requestGzip()
  expect(gunzipSync(await response.arrayBuffer()).toString()).toBe('<p>Hello</p>')
})

describe('the response', () => {
  const html = '<p>Hello</p>'.repeat(500)
  const renderedKeys: string[] = []
  const app = new Hono()
    .use(
      servePublicPages(
        publicPages,
        async (key) => {
          renderedKeys.push(key)
          const headers = {
            ...publicPageHeaders(),
            'Content-Type': 'text/html',
            'Content-Security-Policy': 'policy of the page',
          }

          return new Response(html, { headers })
        },
        new PageCache(),
      ),
    )
    .all('*', (context) => context.text('not public'))
  const request = async (path: string, init: RequestInit = {}) =>
    app.request(`http://localhost${path}`, init)

  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['BR;q=0.5', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['br ; q=0.000, GZIP', 'gzip', gunzipSync],
    ['gzip;q=0', null, Buffer.from],
    ['identity', null, Buffer.from],
    ['', null, Buffer.from],
  ])('for a request that accepts %s is compressed as %s', async (accepted, encoding, decode) => {
    const response = await request('/Terms', { headers: { 'Accept-Encoding': accepted } })
    const bytes = Buffer.from(await response.arrayBuffer())

    expect(decode(bytes).toString()).toBe(html)
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('content-length')).toBe(String(bytes.length))
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
  })

  it('is 304 with the page’s own policy if the browser has the page', async () => {
    const etag = (await request('/Terms')).headers.get('etag') ?? ''
    for (const ifNoneMatch of [etag, `"other", ${etag}`, '*']) {
      const { status, headers } = await request('/Terms', {
        headers: { 'If-None-Match': ifNoneMatch },
      })
      expect([status, headers.get('content-security-policy')]).toEqual([304, 'policy of the page'])
      expect([headers.get('etag'), headers.get('content-type')]).toEqual([etag, null])
    }

    expect((await request('/Terms', { headers: { 'If-None-Match': '"other"' } })).status).toBe(200)
  })

  it('has no body for HEAD', async () => {
    const head = await request('/Terms', { method: 'HEAD', headers: { 'Accept-Encoding': 'br' } })

    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(10)
  })

  it('depends only on the path and the declared parameters', async () => {
    renderedKeys.length = 0
    await request('/signup/?utm_source=x&from=%2FA', { headers: { Cookie: 'session=ada' } })
    await request('/SignUp?from=%2FA&error=x')

    expect(renderedKeys).toEqual(['/SignUp?from=%2FA'])
  })

  it('to a change, or of a page that is not public, comes from the next handler', async () => {
    expect(await (await request('/Terms', { method: 'POST' })).text()).toBe('not public')
    expect(await (await request('/Profile')).text()).toBe('not public')
  })
})

describe('the cache key of a URL', () => {
  const findKey = createPageKeyFinder(publicPages)
  const getKey = (target: string) => findKey(new URL(target, 'http://localhost'))?.key ?? null

  it.each([
    ['/', '/'],
    ['/?abcd/Login', '/'],
    ['/?utm_source=x&fbclid=y', '/'],
    ['/_.data', '/_.data'],
    ['/_.data?_routes=routes%2Fhome&x=1', '/_.data?_routes=routes%2Fhome'],
    ['/login', '/Login'],
    ['/Login/', '/Login'],
    ['/Login?notice=b&x=1&from=%2FA', '/Login?from=%2FA&notice=b'],
    ['/Login.data?from=%2FA', '/Login.data?from=%2FA'],
    ["/OneCourse/a$'", "/OneCourse/a$'"],
    ['/OneCourse/$&.data', '/OneCourse/$&.data'],
    ['/SignUp?from=%2FA&error=x', '/SignUp?from=%2FA'],
    ['/robots.txt', '/robots.txt'],
    ['/OneCourse?why=enroll&stars=5&sort=newest', '/OneCourse?sort=newest&stars=5&why=enroll'],
    ['/login/_.data', '/Login.data'],
    [
      '/AllCourses?q=a+b&level=beginner&category=design',
      '/AllCourses?category=design&level=beginner&q=a+b',
    ],
    ['/AllCourses?skill=b&skill=a', '/AllCourses?skill=b&skill=a'],
    ['/AllCourses?Q=a', '/AllCourses'],
    [
      '/OneCourse/python-from-zero?tab=reviews&page=2&_routes=x',
      '/OneCourse/python-from-zero?page=2&tab=reviews',
    ],
    ['/ONECOURSE/Python', '/OneCourse/Python'],
    ['/OneCourse/a%20b', '/OneCourse/a%20b'],
    ['/OneCourse/python.data', '/OneCourse/python.data'],
  ])('of %s is %s', (target, key) => {
    expect(getKey(target)).toBe(key)
  })

  it.each([
    '/Profile',
    '/OneCourse/a/b',
    '/OneCourse%2Fa/b',
    '/OneCourse//a',
    '/OneCourse//',
    '/Login/x',
    '/:slug',
    '/constructor',
    '/OneCourse/python.data/',
    '/OneCourse/_/.data',
    `/AllCourses?q=${'a'.repeat(1_000)}`,
  ])('is missing for %s', (target) => {
    expect(getKey(target)).toBeNull()
  })

  it('comes with the route of the page, which names no course', () => {
    const getRoute = (target: string) => findKey(new URL(target, 'http://localhost'))?.route
    expect(['/', '/_.data', '/OneCourse/a.data', '/login'].map(getRoute)).toEqual([
      '/',
      '/',
      '/OneCourse/:slug',
      '/Login',
    ])
  })

  it('of a cache key is the key itself', () => {
    const segment = fc.oneof(
      fc.constantFrom(
        'OneCourse',
        'allcourses',
        'Login',
        '',
        '_root',
        '_',
        'a%20b',
        '%2F',
        '.data',
      ),
      fc.webSegment(),
    )
    const query = fc.array(
      fc.tuple(fc.constantFrom('q', 'tab', 'from', '_routes', 'x'), fc.string({ unit: 'binary' })),
    )
    fc.assert(
      fc.property(
        fc.array(segment, { maxLength: 3 }),
        fc.boolean(),
        query,
        (segments, data, pairs) => {
          const target = `/${segments.join('/')}${data ? '.data' : ''}?${new URLSearchParams(pairs)}`
          const key = URL.canParse(target, 'http://localhost') ? getKey(target) : null
          expect(key && getKey(key)).toBe(key)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
