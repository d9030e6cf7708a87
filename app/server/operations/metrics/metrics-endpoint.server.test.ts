import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../../../tests/support/product'
import { serveMetrics, throttled } from './metrics-endpoint.server'

const token = 'token-of-this-test-42'

async function statuses(token: string | undefined, authorizations: string[]) {
  const port = await freePort()
  onTestFinished(await serveMetrics({ port, host: '127.0.0.1', token }, 'test'))
  const ask = (Authorization: string) =>
    fetch(`http://127.0.0.1:${port}/metrics`, { headers: { Authorization } })

  return Promise.all(authorizations.map(async (authorization) => (await ask(authorization)).status))
}

it('a port of its own answers everyone who reaches it', async () => {
  expect(await statuses(undefined, ['', 'Bearer x'])).toEqual([200, 200])
})

it('with METRICS_TOKEN, the port asks for it, too', async () => {
  const answers = await statuses(token, ['', token, `Bearer ${token}x`, `Bearer ${token}`])
  expect(answers).toEqual([401, 401, 401, 200])
})

describe('figures of the database', () => {
  it('are asked for at most once in a while, however often they are wanted', async () => {
    let now = 0
    let asked = 0
    const figures = throttled(
      async () => ++asked,
      5_000,
      1_000,
      () => now,
    )

    expect(await Promise.all([figures(), figures(), figures()])).toEqual([1, 1, 1])
    now = 4_999
    expect(await figures()).toBe(1)
    now = 5_000
    expect(await figures()).toBe(2)
  })

  it('are none when they come too late', async () => {
    expect(await throttled(() => new Promise<number>(() => {}), 5_000, 1)()).toBeNull()
  })
})
