/** Answers as Google's sign-in does, on loopback: whoever asks is the person it was started with. */
import { createServer } from 'node:http'

/**
 * @param {{ email: string, name: string }} person
 * @returns the settings that lead a product to it, and what stops it.
 */
export async function startSampleGoogle({ email, name }) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (pathname === '/auth') {
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.search = String(new URLSearchParams({ code: 'code', state: searchParams.get('state') ?? '' }))
      return response.writeHead(302, { Location: back.href }).end()
    }
    const token = { access_token: 'token', token_type: 'Bearer', expires_in: 300 }
    const answer = pathname === '/token' ? token : { sub: email, email, email_verified: true, name }
    request.resume()
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    variables: {
      GOOGLE_CLIENT_ID: 'bench',
      GOOGLE_CLIENT_SECRET: 'only-on-loopback',
      GOOGLE_AUTHORIZATION_URL: `${url}/auth`,
      GOOGLE_TOKEN_URL: `${url}/token`,
      GOOGLE_USERINFO_URL: `${url}/me`,
    },
    stop: () => server.close(),
  }
}
