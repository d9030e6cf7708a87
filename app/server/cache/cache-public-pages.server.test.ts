import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { publicPages } from '~/public-pages'
import {
  cachePublicPages,
  createKeyFinder,
  PageCache,
  publicPage,
} from './cache-public-pages.server'

const okay = (text: string) => new Response(text, { headers: publicPage() })
const render = (text: string) => async () => okay(text)

/** A rendering that ends when the test says so. */
function slowPage() {
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

function cacheWithClock(maxSize?: number) {
  const clock = { seconds: 0 }
  const cache = new PageCache({ now: () => clock.seconds, ...(maxSize && { maxSize }) })
  const textOf = async (key: string, how: () => Promise<Response> = render('rendered again')) => {
    const { body, isBrotli } = await cache.get(key, how)
    return (isBrotli ? brotliDecompressSync(body) : body).toString()
  }

  return { clock, cache, textOf }
}

describe('a page in the cache', () => {
  it('is rendered once, and again after 45 seconds, for one visitor in the background', async () => {
    const { clock, textOf } = cacheWithClock()
    expect(await textOf('/', render('first'))).toBe('first')
    clock.seconds = 29
    expect(await textOf('/', render('second'))).toBe('first')
    clock.seconds = 45
    expect(await textOf('/', render('second'))).toBe('first')
    await expect.poll(() => textOf('/')).toBe('second')
  })

  it('is too old to be sent after a minute: the visitor waits for the new one', async () => {
    const { clock, textOf } = cacheWithClock()
    await textOf('/', render('first'))
    clock.seconds = 60
    expect(await textOf('/', render('second'))).toBe('second')
  })

  it('is rendered once for all who ask meanwhile', async () => {
    const { textOf } = cacheWithClock()
    const slow = slowPage()
    const waiting = [textOf('/', slow.render), textOf('/', slow.render), textOf('/', slow.render)]
    slow.end(okay('once'))
    expect(await Promise.all(waiting)).toEqual(['once', 'once', 'once'])
    expect(slow.count()).toBe(1)
  })

  it.each([
    ['says nothing of it', () => new Response('own')],
    ['is missing', () => new Response('gone', { status: 404, headers: publicPage() })],
    [
      'moved',
      () => new Response(null, { status: 301, headers: { ...publicPage(), Location: '/' } }),
    ],
    [
      'sets a cookie',
      () => new Response('own', { headers: { ...publicPage(), 'Set-Cookie': 'a=b' } }),
    ],
  ])('is none that %s', async (_what, response) => {
    const { cache, textOf } = cacheWithClock()
    await textOf('/', async () => response())
    expect(cache.size).toBe(0)
    expect(await textOf('/', render('again'))).toBe('again')
  })

  it('is rendered again after a rendering that failed', async () => {
    const { textOf } = cacheWithClock()
    await expect(textOf('/', () => Promise.reject(new Error('no database')))).rejects.toThrow(
      'no database',
    )
    expect(await textOf('/', render('fine'))).toBe('fine')
  })
})

describe('emptying the cache', () => {
  it('makes every page anew, also one that is being rendered at that time', async () => {
    const { cache, textOf } = cacheWithClock()
    await textOf('/Login', render('old'))
    const slow = slowPage()
    const before = textOf('/', slow.render)
    cache.clear()
    expect(await textOf('/', render('new'))).toBe('new')
    slow.end(okay('old'))
    expect(await before).toBe('old')
    expect(await textOf('/')).toBe('new')
    expect(await textOf('/Login', render('new'))).toBe('new')
  })

  it('takes away what would be sent while the database is away', async () => {
    const { clock, cache, textOf } = cacheWithClock()
    await textOf('/', render('old'))
    clock.seconds = 45
    const slow = slowPage()
    expect(await textOf('/', slow.render)).toBe('old')
    cache.clear()
    slow.end(new Response('failed', { status: 503 }))
    expect(await textOf('/', async () => new Response('failed', { status: 503 }))).toBe('failed')
  })
})

describe('while a page can’t be rendered', () => {
  it.each([
    ['the database is away', async () => new Response('Try again.', { status: 503 })],
    ['the process is busy', () => Promise.reject(new Error('busy'))],
  ])(
    'because %s, the old one is sent, and one attempt is made each five seconds',
    async (_why, failing) => {
      const { clock, textOf } = cacheWithClock()
      await textOf('/', render('old'))
      let attempts = 0
      const attempt = () => {
        attempts += 1
        return failing()
      }
      clock.seconds = 3600
      for (let second = 0; second < 20; second++) {
        expect(await textOf('/', attempt)).toBe('old')
        clock.seconds += 1
      }

      expect(attempts).toBe(4)
      const later = () => {
        clock.seconds += 5
        return textOf('/', render('new'))
      }
      await expect.poll(later).toBe('new')
    },
  )
})

it('the cache stays below its size by forgetting what was not asked for longest', async () => {
  const { cache, textOf } = cacheWithClock(7_000)
  await textOf('/a', render('a'))
  await textOf('/b', render('b'))
  await textOf('/a')
  await textOf('/c', render('c'))
  expect(cache.size).toBe(2)
  expect(await textOf('/a')).toBe('a')
  expect(await textOf('/b', render('b again'))).toBe('b again')
  expect(cache.bytes).toBeLessThan(7_000)
})

describe('the answer', () => {
  const html = '<p>Hello</p>'.repeat(500)
  const rendered: string[] = []
  const app = new Hono()
    .use(
      cachePublicPages(
        publicPages,
        async (key) => {
          rendered.push(key)
          const headers = {
            ...publicPage(),
            'Content-Type': 'text/html',
            'Content-Security-Policy': 'of the page',
          }

          return new Response(html, { headers })
        },
        new PageCache(),
      ),
    )
    .all('*', (context) => context.text('not public'))
  const ask = async (path: string, init: RequestInit = {}) =>
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
  ])('to %s is compressed as %s', async (accepted, encoding, decode) => {
    const response = await ask('/Terms', { headers: { 'Accept-Encoding': accepted } })
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(decode(bytes).toString()).toBe(html)
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('content-length')).toBe(String(bytes.length))
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
  })

  it('is 304 with the page’s own policy when the browser has the page', async () => {
    const etag = (await ask('/Terms')).headers.get('etag') ?? ''
    for (const known of [etag, `"other", ${etag}`, '*']) {
      const { status, headers } = await ask('/Terms', { headers: { 'If-None-Match': known } })
      expect([status, headers.get('content-security-policy')]).toEqual([304, 'of the page'])
      expect([headers.get('etag'), headers.get('content-type')]).toEqual([etag, null])
    }

    expect((await ask('/Terms', { headers: { 'If-None-Match': '"other"' } })).status).toBe(200)
  })

  it('has no body for HEAD', async () => {
    const head = await ask('/Terms', { method: 'HEAD', headers: { 'Accept-Encoding': 'br' } })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(10)
  })

  it('is made of the path and the declared parameters alone', async () => {
    rendered.length = 0
    await ask('/signup/?utm_source=x&from=%2FA', { headers: { Cookie: 'session=ada' } })
    await ask('/SignUp?from=%2FA&error=x')
    expect(rendered).toEqual(['/SignUp?from=%2FA'])
  })

  it('to a change, or of another page, is the next one’s', async () => {
    expect(await (await ask('/Terms', { method: 'POST' })).text()).toBe('not public')
    expect(await (await ask('/Profile')).text()).toBe('not public')
  })
})

describe('the key of an address', () => {
  const find = createKeyFinder(publicPages)
  const keyOf = (target: string) => find(new URL(target, 'http://localhost'))?.key ?? null

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
  ])('%s is %s', (target, key) => {
    expect(keyOf(target)).toBe(key)
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
  ])('%s has none', (target) => {
    expect(keyOf(target)).toBeNull()
  })

  it('names the route of the page, which says nothing of a course', () => {
    const routeOf = (target: string) => find(new URL(target, 'http://localhost'))?.route
    expect(['/', '/_.data', '/OneCourse/a.data', '/login'].map(routeOf)).toEqual([
      '/',
      '/',
      '/OneCourse/:slug',
      '/Login',
    ])
  })

  it('is its own key', () => {
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
          const key = URL.canParse(target, 'http://localhost') ? keyOf(target) : null
          expect(key && keyOf(key)).toBe(key)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
