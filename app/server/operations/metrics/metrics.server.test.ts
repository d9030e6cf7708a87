import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProductServer, startProductServer } from '../../../../tests/support/product-server'

const token = 'token-of-this-test-42'
const bearer = { Authorization: `Bearer ${token}` }

/** Name and labels of each line with its number. */
function parse(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' '))),
    ]),
  )
}

describe('with METRICS_TOKEN', () => {
  let server: ProductServer
  const host = { Host: 'school.example' }
  beforeAll(async () => {
    server = await startProductServer({
      PUBLIC_URL: 'https://school.example',
      METRICS_TOKEN: token,
    })
  })
  afterAll(() => server.stop())

  const scrape = async () =>
    parse((await server.request('/metrics', { headers: { ...host, ...bearer } })).body)

  it('a request without the token gets 404', async () => {
    const nowhere = (await server.request('/nowhere', { headers: host })).body
    for (const authorization of [
      '',
      'Bearer ',
      token,
      `Bearer ${token}x`,
      `Basic ${token}`,
      'Bearer x'.repeat(1000),
    ]) {
      const answer = await server.request('/metrics', {
        headers: { ...host, Authorization: authorization },
      })
      expect([authorization, answer.status]).toEqual([authorization, 404])
      expect(answer.body).not.toContain('learnify_')
      expect(answer.body.length).toBeGreaterThan(nowhere.length / 2)
    }
  })

  it('Prometheus can request a process by its IP address', async () => {
    const answer = await server.request('/metrics', {
      headers: { Host: '10.0.0.7:3001', ...bearer },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
  })

  it('responses are counted by the pattern of their route, not by the requested URL', async () => {
    for (const path of [
      '/OneCourse/three-knots',
      '/onecourse/python-from-zero/',
      '/OneCourse/nowhere',
      '/healthz',
    ]) {
      await server.request(path, { headers: host })
    }

    for (let turn = 0; turn < 20; turn++) {
      await server.request(`/ada-lovelace-${turn}`, { headers: host })
    }

    await server.request('/Certificate/LF-2026-ADA', { headers: host })
    await server.request('/account/users/ada', { headers: host })
    const count = (values: Map<string, number>, route: string, status: number) =>
      values.get(`learnify_request_seconds_count{route="${route}",status="${status}"}`)
    const values = await scrape()
    expect(count(values, '/OneCourse/:slug', 200)).toBe(2)
    expect(count(values, '/OneCourse/:slug', 404)).toBe(1)
    expect(count(values, '/healthz', 200)).toBe(1)
    expect(count(values, '/Certificate/:id', 404)).toBe(1)
    expect(count(values, 'other', 404)).toBeGreaterThanOrEqual(20)
    expect([...values.keys()].filter((name) => /ada|lovelace|knots/i.test(name))).toEqual([])
  })

  it('a page from the cache is counted as a hit, and a page that the browser has as unchanged', async () => {
    await server.request('/Terms', { headers: host })
    const { headers } = await server.request('/Terms', { headers: host })
    const before = await scrape()
    await server.request('/Terms', { headers: host })
    await server.request('/Terms', { headers: { ...host, 'If-None-Match': String(headers.etag) } })
    await server.request('/terms/', { headers: host })
    const after = await scrape()
    const more = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    expect(more('learnify_page_store_hits_total')).toBe(3)
    expect(more('learnify_page_store_unchanged_total')).toBe(1)
    expect(more('learnify_page_store_renderings_total')).toBe(0)
    expect(more('learnify_request_seconds_count{route="/Terms",status="200"}')).toBe(2)
    expect(more('learnify_request_seconds_count{route="/Terms",status="304"}')).toBe(1)
    expect(after.get('learnify_page_store_entries')).toBeGreaterThan(0)
    expect(after.get('learnify_page_store_bytes')).toBeGreaterThan(10_000)
  })

  it('a sign-up is counted once, and the times of its queries are recorded', async () => {
    const before = await scrape()
    const form =
      'firstName=Ada&lastName=Lovelace&email=ada%40x.example&password=Correct-horse-7&confirmPassword=Correct-horse-7&terms=on'
    const headers = {
      ...host,
      Origin: 'https://school.example',
      'Content-Type': 'application/x-www-form-urlencoded',
    }

    expect((await server.request('/SignUp', { method: 'POST', body: form, headers })).status).toBe(
      303,
    )
    expect((await server.request('/SignUp', { method: 'POST', body: form, headers })).status).toBe(
      409,
    )
    const after = await scrape()
    const more = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    expect(more('learnify_sign_ups_total')).toBe(1)
    expect(more('learnify_database_query_seconds_count')).toBeGreaterThan(3)
    expect(after.get('learnify_database_connections_in_use')).toBeLessThanOrEqual(1)
    expect(after.get('learnify_database_connections_max')).toBe(10)
    expect(after.get('learnify_database_up')).toBe(1)
  })
})

it('/metrics does not exist without METRICS_TOKEN', async () => {
  const server = await startProductServer({ PUBLIC_URL: 'https://school.example' })
  const answer = await server.request('/metrics', {
    headers: { Host: 'school.example', ...bearer },
  })
  const elsewhere = await server.request('/metrics', {
    headers: { Host: '10.0.0.7:3001', ...bearer },
  })
  await server.stop()
  expect([answer.status, elsewhere.status]).toEqual([404, 404])
})
