import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { chooseEncoding } from './compression.server'
import { contentSecurityPolicy } from './content-security-policy.server'
import { PageCache } from './page-cache.server'

const response = new Response(null, { headers: { 'Cache-Control': 'public' } })
const html = Buffer.from('<p>Hello</p>')

describe('the page cache', () => {
  it('gives back what was stored, compressed, under its address only', async () => {
    const cache = new PageCache()
    await cache.store('/', html, response, cache.generation, 0)
    expect(gunzipSync(cache.find('/', 1)?.body.gzip ?? '')).toEqual(html)
    expect(cache.find('/?q=other', 1)).toBeNull()
  })

  it('forgets a page after a minute', async () => {
    const cache = new PageCache()
    await cache.store('/', html, response, cache.generation, 0)
    expect(cache.find('/', 60_000)).not.toBeNull()
    expect(cache.find('/', 60_001)).toBeNull()
  })

  it('does not keep a page whose rendering began before it was cleared', async () => {
    const cache = new PageCache()
    const { generation } = cache
    cache.clear()
    await cache.store('/', html, response, generation, 0)
    expect(cache.find('/', 1)).toBeNull()
  })

  it('stays within its size by forgetting what was not asked for longest', async () => {
    const cache = new PageCache(2_000)
    const page = Buffer.alloc(800, 'x')
    await cache.store('/a', page, response, cache.generation, 0)
    await cache.store('/b', page, response, cache.generation, 0)
    cache.find('/a', 1)
    await cache.store('/c', page, response, cache.generation, 0)
    expect(['/a', '/b', '/c'].filter((address) => cache.find(address, 1))).toEqual(['/a', '/c'])
  })
})

describe('the policy of a page', () => {
  it('lists the hash of each inline script and of nothing else', () => {
    const policy = contentSecurityPolicy(
      '<script>1</script><script src="/a.js"></script><script type="module">2</script>',
    )
    expect(policy.match(/'sha256-[^']+'/g)).toEqual([
      "'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='",
      "'sha256-1HNeOiZeFu7gP1lxi5tdAwGcB9i2xR+Q2jpmbuwTqzU='",
    ])
  })
})

describe('the encoding of a response', () => {
  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', 'identity'],
    [null, 'identity'],
  ])('for %s is %s', (accepted, encoding) => {
    expect(chooseEncoding(accepted)).toBe(encoding)
  })
})
