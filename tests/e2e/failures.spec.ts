import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '../support/browser'
import { connectDatabase, startProduct } from '../support/product'

/** A product of its own: its database is broken on purpose. */
test('a registration that fails leaves one line in the log, which names nobody and has the number of the answer', async () => {
  test.setTimeout(120_000)
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-failures-'))
  const lines: string[] = []
  const product = await startProduct({ folder, onLine: (line) => lines.push(line) })
  const database = await connectDatabase({ folder })
  let response: Response
  try {
    await database.query(
      "alter table users add constraint nobody check (email = 'nobody') not valid",
    )
    response = await fetch(`${product.url}/account/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: product.url },
      body: JSON.stringify({
        email: 'grace@hopper.example',
        password: 'Correct-horse-7',
        firstName: 'Grace',
        lastName: 'Hopper',
      }),
    })
  } finally {
    await database.end()
    await product.stop()
    await rm(folder, { recursive: true, force: true })
  }

  expect(response.status).toBe(500)
  const errors = lines.filter((line) => line.startsWith('{'))
  expect(errors).toHaveLength(1)
  expect(JSON.parse(errors[0] ?? '')).toMatchObject({
    requestId: response.headers.get('x-request-id'),
    path: '/account/register',
    err: { cause: { code: '23514', constraint: 'nobody' } },
  })

  expect(lines.join('\n')).not.toMatch(/grace|hopper/i)
})
