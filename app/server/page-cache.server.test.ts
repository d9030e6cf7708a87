import { randomBytes } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { chooseEncoding } from './compression.server'
import { PageCache, pageShows, publicPage } from './page-cache.server'
import { Renderings, TooManyRenderings } from './renderings.server'

const pageWith = (text: string) => async () => new Response(text, { headers: publicPage() })
const keep = (cache: PageCache, address: string, text = '<p>Hello</p>') => cache.render(address, pageWith(text))
const kept = (cache: PageCache, ...addresses: string[]) => addresses.filter((address) => cache.find(address))

/** A page that shows a course, known once its rows were read. */
const showing = (id: string, make: () => Promise<Response>) => async () => {
  const response = await make()
  pageShows(`course:${id}`)
  return response
}

/** A rendering that ends when the test says so. */
function slowPage() {
  let resolve = (_: Response) => {}
  const ended = new Promise<Response>((end) => {
    resolve = end
  })
  let count = 0
  const make = async () => {
    count += 1
    return (await ended).clone()
  }
  const end = (text: string, init: ResponseInit = { headers: publicPage() }) => resolve(new Response(text, init))
  return { make, end, count: () => count }
}

async function textOf(cache: PageCache, address: string): Promise<string | undefined> {
  const page = cache.find(address)
  await page?.prepare('identity')
  return page?.findAnswer({})?.body?.toString()
}

describe('the page cache', () => {
  it('gives back what was kept, compressed, under its address only', async () => {
    const cache = new PageCache({})
    const page = await keep(cache, '/AllCourses')
    await cache.prepare('/AllCourses', page, 'gzip')
    const answer = cache.find('/AllCourses')?.findAnswer({ 'accept-encoding': 'gzip' })
    expect(gunzipSync(answer?.body ?? '').toString()).toBe('<p>Hello</p>')
    expect(cache.find('/AllCourses?q=other')).toBeNull()
  })

  it('keeps nothing that is not for everyone, or no page', async () => {
    const cache = new PageCache({})
    await cache.render('/a', async () => new Response('own'))
    await cache.render('/b', async () => new Response('gone', { status: 404, headers: publicPage() }))
    expect(kept(cache, '/a', '/b')).toEqual([])
  })

  it('renders a page once for all who ask meanwhile', async () => {
    const cache = new PageCache({})
    const slow = slowPage()
    const waiting = [cache.render('/', slow.make), cache.render('/', slow.make), cache.render('/', slow.make)]
    slow.end('once')
    expect(new Set(await Promise.all(waiting)).size).toBe(1)
    expect(slow.count()).toBe(1)
  })

  it('renders again for whoever asks after something changed, although a page is under way', async () => {
    const cache = new PageCache({})
    const slow = slowPage()
    const before = cache.render('/OneCourse/a', showing('a', slow.make))
    cache.change(['course:a'])
    await keep(cache, '/OneCourse/a', 'new rows')
    slow.end('old rows')
    await before
    expect(await textOf(cache, '/OneCourse/a')).toBe('new rows')
  })

  it('renders again after a rendering that failed', async () => {
    const cache = new PageCache({})
    await expect(cache.render('/', () => Promise.reject(new Error('no database')))).rejects.toThrow('no database')
    await keep(cache, '/')
    expect(kept(cache, '/')).toEqual(['/'])
  })

  it('forgets the pages that show what changed, whatever their address, and no others', async () => {
    const cache = new PageCache({})
    const course = ['/OneCourse/a', '/OneCourse/a.data?tab=reviews', '/AllCourses?q=a']
    const others = ['/', '/OneCourse/ab']
    for (const address of course) await cache.render(address, showing('a', pageWith('a')))
    await cache.render('/', pageWith('home'))
    await cache.render('/OneCourse/ab', showing('ab', pageWith('ab')))
    cache.change(['course:a', 'course:b'])
    expect(kept(cache, ...course, ...others)).toEqual(others)
  })

  it('does not keep a page that shows what changed while it was rendered, but others that were', async () => {
    const cache = new PageCache({})
    const slow = slowPage()
    const both = ['a', 'b'].map((id) => cache.render(`/OneCourse/${id}`, showing(id, slow.make)))
    cache.change(['course:c'])
    cache.change(['course:a'])
    slow.end('page')
    await Promise.all(both)
    expect(kept(cache, '/OneCourse/a', '/OneCourse/b')).toEqual(['/OneCourse/b'])
  })

  it('keeps nothing of a time before everything changed', async () => {
    const cache = new PageCache({})
    await keep(cache, '/')
    const slow = slowPage()
    const rendering = cache.render('/Login', slow.make)
    cache.change(null)
    slow.end('old')
    await rendering
    expect(kept(cache, '/', '/Login')).toEqual([])
  })
})

describe('a page past its minute', () => {
  const clock = () => {
    const time = { ms: 1 }
    return { time, cache: new PageCache({ now: () => time.ms }) }
  }

  it('is due for a new one, for one who asks', async () => {
    const { time, cache } = clock()
    await keep(cache, '/')
    time.ms += 60_000
    expect(cache.isDue('/')).toBe(false)
    time.ms += 1
    expect(cache.isDue('/')).toBe(true)
    const slow = slowPage()
    const renewal = cache.renew('/', slow.make)
    expect([cache.isDue('/'), await textOf(cache, '/')]).toEqual([false, '<p>Hello</p>'])
    slow.end('anew')
    await renewal
    expect([cache.isDue('/'), await textOf(cache, '/')]).toEqual([false, 'anew'])
  })

  it('is compressed better when it is made anew, since many ask for it', async () => {
    const { time, cache } = clock()
    const words = Array.from({ length: 4_000 }, (_, index) => `<p class="${index % 7}">${(index * 7_919) % 997}</p>`)
    const text = words.join('')
    const asked = { 'accept-encoding': 'br' }
    const bodies: Buffer[] = []
    await keep(cache, '/', text)
    for (let minute = 0; minute < 2; minute++) {
      await cache.find('/')?.prepare('br')
      bodies.push(cache.find('/')?.findAnswer(asked)?.body ?? Buffer.of())
      time.ms += 60_001
      await cache.renew('/', pageWith(text))
    }
    expect(bodies.map((body) => brotliDecompressSync(body).toString() === text)).toEqual([true, true])
    expect(bodies[1]?.length).toBeLessThan(bodies[0]?.length ?? 0)
  })

  it('is sent five seconds longer when there is no time to make it anew', async () => {
    const { time, cache } = clock()
    await keep(cache, '/')
    time.ms += 60_001
    cache.postpone('/')
    expect([cache.isDue('/'), await textOf(cache, '/')]).toEqual([false, '<p>Hello</p>'])
    time.ms += 5_001
    expect(cache.isDue('/')).toBe(true)
  })

  it('is not sent again when it cannot be made anew', async () => {
    const { time, cache } = clock()
    for (const make of [
      () => Promise.reject(new Error('no database')),
      async () => new Response('', { status: 500 }),
    ]) {
      await keep(cache, '/')
      time.ms += 60_001
      await cache.renew('/', make)
      expect(cache.find('/')).toBeNull()
    }
  })

  it('is sent on while the database is away, and anew once it is back', async () => {
    const { time, cache } = clock()
    const away = async () => new Response('Try again.', { status: 503 })
    await keep(cache, '/')
    time.ms += 60_001
    for (let seconds = 0; seconds < 180; seconds += 5) {
      expect([cache.isDue('/'), await textOf(cache, '/')]).toEqual([true, '<p>Hello</p>'])
      await cache.renew('/', away)
      time.ms += 5_001
    }
    await cache.renew('/', pageWith('anew'))
    expect([cache.isDue('/'), await textOf(cache, '/')]).toEqual([false, 'anew'])
  })

  it('is sent on to one who asks after a quiet time while the database is away, for twelve minutes at most', async () => {
    const { time, cache } = clock()
    const away = async () => new Response('Try again.', { status: 503 })
    await keep(cache, '/')
    time.ms += 600_000
    expect(cache.find('/')).toBeNull()
    expect((await cache.render('/', away)).keepable).toBe(true)
    expect(await textOf(cache, '/')).toBe('<p>Hello</p>')
    cache.change(['*'])
    cache.change(null)
    expect((await cache.render('/', away)).keepable).toBe(false)
    await keep(cache, '/')
    time.ms += 720_001
    expect((await cache.render('/', away)).keepable).toBe(false)
  })

  it('is gone after another minute', async () => {
    const { time, cache } = clock()
    await keep(cache, '/')
    time.ms += 120_000
    expect(cache.find('/')).not.toBeNull()
    time.ms += 1
    expect(cache.find('/')).toBeNull()
  })

  it('keeps its age when somebody wants another encoding', async () => {
    const { time, cache } = clock()
    const page = await keep(cache, '/')
    time.ms += 50_000
    await cache.prepare('/', page, 'br')
    time.ms += 70_001
    expect(cache.find('/')).toBeNull()
  })
})

describe('the size of the page cache', () => {
  it('is kept to by forgetting what was not asked for longest', async () => {
    const cache = new PageCache({ maxBytes: 7_500 })
    const text = 'x'.repeat(1_000)
    await keep(cache, '/a', text)
    await keep(cache, '/b', text)
    cache.find('/a')
    await keep(cache, '/c', text)
    expect(kept(cache, '/a', '/b', '/c')).toEqual(['/a', '/c'])
  })

  it('counts addresses and headers, too', async () => {
    const cache = new PageCache({ maxBytes: 10_000 })
    const address = (query: number) => `/AllCourses?q=${String(query).padStart(900, '0')}`
    for (const query of [1, 2, 3]) await keep(cache, address(query))
    expect(cache.find(address(1))).toBeNull()
    expect(cache.find(address(3))).not.toBeNull()
  })

  it('counts each encoding from when it is made', async () => {
    const cache = new PageCache({ maxBytes: 7_000 })
    const random = randomBytes(750).toString('base64')
    const first = await keep(cache, '/a', random)
    const second = await keep(cache, '/b', random)
    expect(kept(cache, '/a', '/b')).toEqual(['/a', '/b'])
    for (const encoding of ['br', 'gzip'] as const) {
      await cache.prepare('/a', first, encoding)
      await cache.prepare('/b', second, encoding)
    }
    expect(kept(cache, '/a', '/b')).toEqual(['/b'])
  })
})

describe('what a kept page takes', () => {
  it('is counted whole: its bytes are no part of more', async () => {
    const page = await keep(new PageCache({}), '/', '<p>Hello</p>'.repeat(1_000))
    for (const encoding of ['br', 'gzip'] as const) {
      await page.prepare(encoding)
      const body = page.findAnswer({ 'accept-encoding': encoding })?.body
      expect(body?.buffer.byteLength).toBe(body?.length)
    }
  })

  it('is little once it is compressed, and other encodings are made from that', async () => {
    const text = '<p>Hello</p>'.repeat(1_000)
    const page = await keep(new PageCache({}), '/', text)
    expect(page.bytes).toBeGreaterThan(text.length)
    await page.prepare('br')
    expect(page.bytes).toBeLessThan(text.length / 3)
    await page.prepare('gzip')
    expect(gunzipSync(page.findAnswer({ 'accept-encoding': 'gzip' })?.body ?? '').toString()).toBe(text)
    await page.prepare('identity')
    expect(page.findAnswer({})?.body?.toString()).toBe(text)
  })
})

describe('renderings at once', () => {
  it('are refused above the limit, at once, and taken again when one has ended', async () => {
    const cache = new PageCache({ limit: new Renderings(2) })
    const slow = slowPage()
    const underWay = ['/a', '/b'].map((address) => cache.render(address, slow.make))
    await expect(keep(cache, '/c')).rejects.toThrow(TooManyRenderings)
    slow.end('page')
    await Promise.all(underWay)
    await keep(cache, '/c')
    expect(kept(cache, '/a', '/b', '/c')).toEqual(['/a', '/b', '/c'])
  })

  it('do not count who waits for the same page, and leave a kept page as it is', async () => {
    let now = 1
    const cache = new PageCache({ limit: new Renderings(1), now: () => now })
    await keep(cache, '/old')
    now += 60_001
    const slow = slowPage()
    const waiting = [cache.render('/a', slow.make), cache.render('/a', slow.make)]
    await cache.renew('/old', slow.make)
    expect([cache.isDue('/old'), kept(cache, '/old')]).toEqual([true, ['/old']])
    slow.end('page')
    await Promise.all(waiting)
  })
})

describe('the encoding of a response', () => {
  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br ; q=0.000, GZIP', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['identity', 'identity'],
    [null, 'identity'],
  ])('for %s is %s', (accepted, encoding) => {
    expect(chooseEncoding(accepted)).toBe(encoding)
  })
})
