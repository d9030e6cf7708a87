import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProductServer, startProductServer } from '../../../tests/support/product-server'

const host = 'localhost:3000'
const headers = { Host: host, Origin: `http://${host}`, Cookie: '' }
const person = { email: 'ada@test.example', firstName: 'Ada', lastName: 'Lovelace' }
let server: ProductServer

beforeAll(async () => {
  server = await startProductServer({
    PUBLIC_URL: `http://${host}`,
    PORT: '3000',
    PASSWORD_MIN_LENGTH: '12',
  })
})
afterAll(() => server.stop())

/** Returns a page without the comments that React puts between texts. */
async function getPage(path: string): Promise<string> {
  const { body } = await server.request(path, { headers })
  return body.replaceAll('<!-- -->', '')
}

const post = (path: string, form: Record<string, string>) =>
  server.request(path, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })

const passwordFields = (password: string) => ({ password, confirmPassword: password })

describe('in a school whose new passwords need 12 characters', () => {
  it('the sign-up page says so, and refuses a shorter password', async () => {
    const page = await getPage('/SignUp')
    expect(page.match(/minLength="12"/gi)).toHaveLength(2)
    expect(page).toContain('use 12 or more characters')

    const refusal = await post('/SignUp', {
      ...person,
      ...passwordFields('Eleven-chrs'),
      terms: 'on',
    })
    expect(refusal.status).toBe(400)
    expect(refusal.body).toContain('Password must be at least 12 characters')

    const signUp = await post('/SignUp', {
      ...person,
      ...passwordFields('Twelve-chars'),
      terms: 'on',
    })
    expect([signUp.status, signUp.headers.location]).toEqual([303, '/Profile'])

    // The next test changes the password of this account.
    headers.Cookie = (signUp.headers['set-cookie'] ?? [])
      .map((cookie) => cookie.split(';')[0])
      .join('; ')
  })

  it('the settings page says so, and refuses a shorter password', async () => {
    const page = await getPage('/Profile/settings')
    expect(page.match(/minLength="12"/gi)).toHaveLength(2)

    const refusal = await post('/Profile/settings?form=password', {
      currentPassword: 'Twelve-chars',
      ...passwordFields('Eleven-chrs'),
    })
    expect(refusal.body).toContain('Password must be at least 12 characters')
  })

  it('the login still accepts a shorter password that was set earlier', async () => {
    const response = await post('/Login', { email: person.email, password: 'sixsix' })

    expect(response.body).toContain('Incorrect password')
    expect(await getPage('/Login')).not.toMatch(/minLength/i)
  })
})
