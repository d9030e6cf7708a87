import { afterAll, beforeAll, expect, it } from 'vitest'
import { startProductFront } from '../../tests/support/product-front'

let front: Awaited<ReturnType<typeof startProductFront>>
const origin = 'http://localhost:3000'
beforeAll(async () => {
  front = await startProductFront({ PUBLIC_URL: origin, PORT: '3000' })
})
afterAll(() => front.stop())

const send = (target: string, password: string) =>
  front.ask(target, {
    method: 'POST',
    headers: { Host: 'localhost:3000', Origin: origin, 'Content-Type': 'application/json', Connection: 'keep-alive' },
    body: JSON.stringify({ email: 'ada@test.example', password }),
  })

it('a full line refuses at once with the answer of the whole way, and others get theirs', async () => {
  const { hashPassword } = await import('~/features/accounts/password/passwords.server')
  const line = Array.from({ length: 61 }, () => hashPassword('of the crowd'))
  // Longer than any password may be, so that whoever reads it says so.
  const refused = await send('/account/login', 'x'.repeat(50_000))
  const out = await send('/account/logout', '')
  await Promise.all(line)
  expect([refused.status, JSON.parse(refused.body)]).toEqual([503, { success: false, code: 'busy' }])
  expect(refused.headers).toMatchObject({
    'cache-control': 'no-store',
    'content-type': 'application/json',
    'learnify-build': 'test',
    'retry-after': expect.stringMatching(/^[2-5]$/),
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
  })
  expect(out.status).toBe(400)
  expect((await send('/account/login', 'x'.repeat(50_000))).status).toBe(400)
})
