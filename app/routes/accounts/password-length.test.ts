import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProductServer, startProductServer } from '../../../tests/support/product-server'

const host = 'localhost:3000'
const headers = { Host: host, Origin: `http://${host}`, Cookie: '' }
const person = { email: 'ada@test.example', firstName: 'Ada', lastName: 'Lovelace' }
let server: ProductServer

/** This school asks for longer passwords than the specification. */
beforeAll(async () => {
  server = await startProductServer({
    PUBLIC_URL: `http://${host}`,
    PORT: '3000',
    PASSWORD_MIN_LENGTH: '12',
  })
})
afterAll(() => server.stop())

const get = async (address: string) =>
  (await server.request(address, { headers })).body.replaceAll('<!-- -->', '')

const post = (address: string, form: Record<string, string>) =>
  server.request(address, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })

const typed = (password: string) => ({ password, confirmPassword: password })

describe('where a new password needs 12 characters', () => {
  it('the sign-up says so, and so does its refusal', async () => {
    const page = await get('/SignUp')

    expect(page.match(/minLength="12"/gi)).toHaveLength(2)
    expect(page).toContain('use 12 or more characters')

    const refused = await post('/SignUp', { ...person, ...typed('Eleven-chrs'), terms: 'on' })

    expect([
      refused.status,
      refused.body.includes('Password must be at least 12 characters'),
    ]).toEqual([400, true])

    const made = await post('/SignUp', { ...person, ...typed('Twelve-chars'), terms: 'on' })

    expect([made.status, made.headers.location]).toEqual([303, '/Profile'])

    headers.Cookie = (made.headers['set-cookie'] ?? [])
      .map((cookie) => cookie.split(';')[0])
      .join('; ')
  })

  it('so do the settings', async () => {
    expect((await get('/Profile/settings')).match(/minLength="12"/gi)).toHaveLength(2)

    const change = { currentPassword: 'Twelve-chars', ...typed('Eleven-chrs') }
    const refused = await post('/Profile/settings?form=password', change)

    expect(refused.body).toContain('Password must be at least 12 characters')
  })

  it('the login takes a shorter one of before', async () => {
    const answer = await post('/Login', { email: person.email, password: 'sixsix' })

    expect(answer.body).toContain('Incorrect password')
    expect(await get('/Login')).not.toMatch(/minLength/i)
  })
})
