import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { chooseEncoding } from './compression.server'
import { PageCache } from './page-cache.server'

const response = new Response(null, { headers: { 'Cache-Control': 'public' } })
const html = Buffer.from('<p>Hello</p>')
const keep = (cache: PageCache, address: string, page = html) => cache.store(cache.begin(address), page, response)
const kept = (cache: PageCache, ...addresses: string[]) => addresses.filter((address) => cache.find(address))

describe('the page cache', () => {
  it('gives back what was stored, compressed, under its address only', async () => {
    const cache = new PageCache()
    await keep(cache, '/AllCourses')
    expect(gunzipSync(cache.find('/AllCourses')?.body.gzip ?? '')).toEqual(html)
    expect(cache.find('/AllCourses?q=other')).toBeNull()
  })

  it('forgets a page after a minute', async () => {
    let now = 1
    const cache = new PageCache({ now: () => now })
    await keep(cache, '/')
    now += 60_000
    expect(cache.find('/')).not.toBeNull()
    now += 1
    expect(cache.find('/')).toBeNull()
  })

  it('forgets the pages whose rows changed, with every query and as data, and no others', async () => {
    const cache = new PageCache()
    const course = ['/OneCourse/a', '/OneCourse/a?tab=reviews', '/OneCourse/a.data?tab=reviews']
    const others = ['/', '/_root.data', '/OneCourse', '/OneCourse/ab', '/AllCourses?q=/OneCourse/a']
    for (const address of [...course, ...others]) await keep(cache, address)
    cache.forget('/OneCourse/a')
    expect(kept(cache, ...course, ...others)).toEqual(others)
  })

  it('does not keep a page whose rows changed while it was rendered, but others that were', async () => {
    const cache = new PageCache()
    const changed = cache.begin('/OneCourse/a?tab=reviews')
    const other = cache.begin('/OneCourse/b')
    cache.forget('/OneCourse/a')
    await cache.store(changed, html, response)
    await cache.store(other, html, response)
    expect(kept(cache, changed.address, other.address)).toEqual(['/OneCourse/b'])
  })

  it('does not keep a page whose rows changed while it was compressed', async () => {
    const cache = new PageCache()
    const storing = keep(cache, '/OneCourse/a')
    cache.forget('/OneCourse/a')
    await storing
    expect(cache.find('/OneCourse/a')).toBeNull()
  })

  it('keeps nothing of a time before it was cleared', async () => {
    const cache = new PageCache()
    await keep(cache, '/')
    const rendering = cache.begin('/Login')
    cache.clear()
    await cache.store(rendering, html, response)
    expect(kept(cache, '/', '/Login')).toEqual([])
  })

  it('stays within its size by forgetting what was not asked for longest', async () => {
    const cache = new PageCache({ maxBytes: 2_100 })
    const page = Buffer.alloc(800, 'x')
    await keep(cache, '/a', page)
    await keep(cache, '/b', page)
    cache.find('/a')
    await keep(cache, '/c', page)
    expect(kept(cache, '/a', '/b', '/c')).toEqual(['/a', '/c'])
  })

  it('counts addresses and headers, too', async () => {
    const cache = new PageCache({ maxBytes: 5_000 })
    const address = (query: number) => `/AllCourses?q=${String(query).padStart(900, '0')}`
    for (const query of [1, 2, 3]) await keep(cache, address(query))
    expect(cache.find(address(1))).toBeNull()
    expect(cache.find(address(3))).not.toBeNull()
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
