import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProductServer, startProductServer } from '../../../../tests/support/product-server'

const token = 'token-of-this-test-42'
const bearer = { Authorization: `Bearer ${token}` }

/** Returns the values of the metrics by their names and labels. */
function parseMetrics(text: string): Map<string, number> {
  const values = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (line !== '' && !line.startsWith('#')) {
      const valueStart = line.lastIndexOf(' ')
      values.set(line.slice(0, valueStart), Number(line.slice(valueStart)))
    }
  }

  return values
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

  async function scrapeMetrics() {
    const response = await server.request('/metrics', { headers: { ...host, ...bearer } })
    return parseMetrics(response.body)
  }

  type Metrics = Map<string, number>
  const getIncrease = (before: Metrics, after: Metrics, name: string) =>
    (after.get(name) ?? 0) - (before.get(name) ?? 0)

  it('a request without the token gets 404', async () => {
    const notFoundPage = (await server.request('/nowhere', { headers: host })).body
    for (const authorization of [
      '',
      'Bearer ',
      token,
      `Bearer ${token}x`,
      `Basic ${token}`,
      'Bearer x'.repeat(1000),
    ]) {
      const response = await server.request('/metrics', {
        headers: { ...host, Authorization: authorization },
      })
      expect([authorization, response.status]).toEqual([authorization, 404])
      expect(response.body).not.toContain('learnify_')
      expect(response.body.length).toBeGreaterThan(notFoundPage.length / 2)
    }
  })

  it('Prometheus can request a process by its IP address', async () => {
    const response = await server.request('/metrics', {
      headers: { Host: '10.0.0.7:3001', ...bearer },
    })

    expect(response.status).toBe(200)
    expect(response.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
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

    for (let index = 0; index < 20; index++) {
      await server.request(`/ada-lovelace-${index}`, { headers: host })
    }

    await server.request('/Certificate/LF-2026-ADA', { headers: host })
    await server.request('/account/users/ada', { headers: host })
    const values = await scrapeMetrics()
    const countResponses = (route: string, status: number) =>
      values.get(`learnify_request_seconds_count{route="${route}",status="${status}"}`)

    expect(countResponses('/OneCourse/:slug', 200)).toBe(2)
    expect(countResponses('/OneCourse/:slug', 404)).toBe(1)
    expect(countResponses('/healthz', 200)).toBe(1)
    expect(countResponses('/Certificate/:id', 404)).toBe(1)
    expect(countResponses('other', 404)).toBeGreaterThanOrEqual(20)
    expect([...values.keys()].filter((name) => /ada|lovelace|knots/i.test(name))).toEqual([])
  })

  it('a page from the cache is counted as a hit, and a page that the browser has as unchanged', async () => {
    await server.request('/Terms', { headers: host })
    const { headers } = await server.request('/Terms', { headers: host })
    const before = await scrapeMetrics()
    await server.request('/Terms', { headers: host })
    await server.request('/Terms', { headers: { ...host, 'If-None-Match': String(headers.etag) } })
    await server.request('/terms/', { headers: host })
    const after = await scrapeMetrics()
    const countIncrease = (name: string) => getIncrease(before, after, name)

    expect(countIncrease('learnify_page_store_hits_total')).toBe(3)
    expect(countIncrease('learnify_page_store_unchanged_total')).toBe(1)
    expect(countIncrease('learnify_page_store_renderings_total')).toBe(0)
    expect(countIncrease('learnify_request_seconds_count{route="/Terms",status="200"}')).toBe(2)
    expect(countIncrease('learnify_request_seconds_count{route="/Terms",status="304"}')).toBe(1)
    expect(after.get('learnify_page_store_entries')).toBeGreaterThan(0)
    expect(after.get('learnify_page_store_bytes')).toBeGreaterThan(10_000)
  })

  it('a sign-up is counted once, and the times of its queries are recorded', async () => {
    const before = await scrapeMetrics()
    const form =
      'firstName=Ada&lastName=Lovelace&email=ada%40x.example&password=Correct-horse-7&confirmPassword=Correct-horse-7&terms=on'
    const headers = {
      ...host,
      Origin: 'https://school.example',
      'Content-Type': 'application/x-www-form-urlencoded',
    }

    const signUp = await server.request('/SignUp', { method: 'POST', body: form, headers })
    const repeatedSignUp = await server.request('/SignUp', { method: 'POST', body: form, headers })
    const after = await scrapeMetrics()
    const countIncrease = (name: string) => getIncrease(before, after, name)

    expect([signUp.status, repeatedSignUp.status]).toEqual([303, 409])
    expect(countIncrease('learnify_sign_ups_total')).toBe(1)
    expect(countIncrease('learnify_database_query_seconds_count')).toBeGreaterThan(3)
    expect(after.get('learnify_database_connections_in_use')).toBeLessThanOrEqual(1)
    expect(after.get('learnify_database_connections_max')).toBe(10)
    expect(after.get('learnify_database_up')).toBe(1)
  })
})

it('/metrics does not exist without METRICS_TOKEN', async () => {
  const server = await startProductServer({ PUBLIC_URL: 'https://school.example' })
  const response = await server.request('/metrics', {
    headers: { Host: 'school.example', ...bearer },
  })
  const ipAddressResponse = await server.request('/metrics', {
    headers: { Host: '10.0.0.7:3001', ...bearer },
  })
  await server.stop()

  expect([response.status, ipAddressResponse.status]).toEqual([404, 404])
})
