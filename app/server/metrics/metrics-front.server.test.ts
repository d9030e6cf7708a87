import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../../tests/support/product'
import { serveMetrics } from './metrics-front.server'

const token = 'token-of-this-test-42'

async function statuses(token: string | undefined, authorizations: string[]) {
  const port = await freePort()
  onTestFinished(await serveMetrics({ port, host: '127.0.0.1', token }, 'test'))
  const ask = (Authorization: string) => fetch(`http://127.0.0.1:${port}/metrics`, { headers: { Authorization } })
  return Promise.all(authorizations.map(async (authorization) => (await ask(authorization)).status))
}

it('a port of its own answers everyone who reaches it', async () => {
  expect(await statuses(undefined, ['', 'Bearer x'])).toEqual([200, 200])
})

it('with METRICS_TOKEN, the port asks for it, too', async () => {
  const answers = await statuses(token, ['', token, `Bearer ${token}x`, `Bearer ${token}`])
  expect(answers).toEqual([401, 401, 401, 200])
})
