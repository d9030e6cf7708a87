import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildHeader, fetchJson } from './connection'

/**
 * Answers with JSON: `/STATUS/product` like the product, `/STATUS/proxy` like a proxy in front of
 * it.
 */
const server = createServer((request, response) => {
  const [, status, userId] = (request.url ?? '').split('/')
  response.writeHead(Number(status), {
    'Content-Type': 'application/json',
    ...(userId === 'product' && { [buildHeader]: 'test' }),
  })
  response.end('{"done":true}')
})
let origin = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

it.each([200, 409])('an answer of the product with status %d counts', async (status) => {
  expect(await fetchJson(`${origin}/${status}/product`)).toEqual({ done: true })
})

it.each([200, 403, 502])(
  'JSON by a proxy with status %d is no answer of the product',
  async (status) => {
    expect(await fetchJson(`${origin}/${status}/proxy`)).toBeUndefined()
    expect(
      await fetchJson(`${origin}/${status}/proxy`, new URLSearchParams({ a: 'b' })),
    ).toBeUndefined()
  },
)

it.each([401, 500, 503])('the product’s own status %d is none either', async (status) => {
  expect(await fetchJson(`${origin}/${status}/product`)).toBeUndefined()
})

it('no connection is no answer', async () => {
  expect(await fetchJson('http://127.0.0.1:1/')).toBeUndefined()
})
