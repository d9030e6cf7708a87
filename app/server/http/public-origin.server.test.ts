import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProductServer, startProductServer } from '../../../tests/support/product-server'

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const foreignOrigin = 'This request didn’t come from this site.'

describe('behind a proxy that uses HTTPS for learners and HTTP for the product', () => {
  const origin = 'https://school.example'
  const host = 'school.example'
  let server: ProductServer
  beforeAll(async () => {
    server = await startProductServer({ PUBLIC_URL: origin })
  })
  afterAll(() => server.stop())

  const post = (target: string, body: string, headers: Record<string, string> = {}) =>
    server.request(target, {
      method: 'POST',
      body,
      headers: { Host: host, Origin: origin, ...form, ...headers },
    })

  it.each([
    ['/SignUp', 'firstName=A&lastName=B&email=a%40b.example&password=short'],
    ['/Login', 'email=nobody%40b.example&password=Correct-horse-7'],
    ['/Login', 'intent=forgot&email=nobody%40b.example'],
    ['/ResetPassword', 'email=nobody%40b.example'],
    ['/Profile/settings', 'firstName=Ada'],
    ['/Exam/python-from-zero', 'intent=start'],
    ['/Reviews', 'intent=remove&course=python-from-zero'],
    ['/Enrollments', 'courseIds=python-from-zero'],
    ['/Wishes', 'courseId=python-from-zero&wish=yes'],
    ['/Learn/python-from-zero/names-and-values', 'intent=done'],
  ])('the form of %s reaches its route action', async (path, body) => {
    for (const target of [path, `${path}.data`]) {
      const response = await post(target, body)
      expect([target, response.body]).not.toContain(foreignOrigin)
      expect(response.body).not.toContain('does not match `origin` header')
      expect([200, 202, 302, 303, 400, 401, 404]).toContain(response.status)
    }
  })

  it('the cookies of a sign-up are for HTTPS and for this host only', async () => {
    const body =
      'firstName=Ada&lastName=Lovelace&email=ada%40tls.example&password=Correct-horse-7&confirmPassword=Correct-horse-7&terms=on'
    const response = await post('/SignUp', body)
    expect(response.status).toBe(303)
    expect(response.headers.location).toBe('/Profile')

    const cookies = response.headers['set-cookie'] ?? []
    expect(cookies.find((cookie) => cookie.startsWith('__Host-learnify.session_token='))).toMatch(
      /Secure/i,
    )
    expect(cookies.find((cookie) => cookie.startsWith('learnify-signed-in=1'))).toMatch(/Secure/)
  })

  it.each(['*/*', 'text/html', undefined])(
    'redirects a form that was submitted without a script and accepts %s',
    async (accept) => {
      const body = 'courseId=python-from-zero&wished=yes'
      const { status, headers } = await post('/Wishes', body, accept ? { Accept: accept } : {})

      expect([status, headers.location]).toEqual([
        303,
        '/Login?from=%2FOneCourse%2Fpython-from-zero&notice=wish',
      ])
    },
  )

  it.each([
    ['/Enrollments', 'courseIds=python-from-zero'],
    ['/Wishes', 'courseId=python-from-zero&wished=yes'],
  ])('asks the script of a visitor at %s to sign in', async (path, body) => {
    // With another status, the outbox would drop what waits for the next sign-in.
    const response = await post(path, body, { Accept: 'application/json' })
    expect([response.status, response.body.includes('Please sign in first.')]).toEqual([401, true])
  })

  it('every page contains the name of the cookie that marks a signed-in browser', async () => {
    const { body } = await server.request('/', { headers: { Host: `127.0.0.1:${server.port}` } })
    expect(body).toContain('signedInCookieName\\",\\"learnify-signed-in\\"')
  })

  it.each(['school.example', 'SCHOOL.example', 'school.example:443'])(
    'accepts the host name %s',
    async (name) => {
      expect((await server.request('/Login', { headers: { Host: name } })).status).toBe(200)
    },
  )

  it('pages and forms work if a proxy on the same machine does not pass on the host name', async () => {
    const upstream = { Host: `127.0.0.1:${server.port}` }
    expect((await server.request('/Login', { headers: upstream })).body).toContain(
      `${origin}/Login`,
    )

    const response = await post(
      '/Login',
      'email=nobody%40b.example&password=Correct-horse-7',
      upstream,
    )

    expect(response.status).toBe(404)
  })

  it.each([
    '1',
    'evil.example',
    'school.example.evil.example',
    'school.example:80',
    'school.example.',
    'user@school.example',
    '127.0.0.1:1',
  ])('refuses the host name %j', async (name) => {
    for (const target of ['/', '/Login', '/assets/x.js', '/account/session', '/mail']) {
      expect((await server.request(target, { headers: { Host: name } })).status).toBe(421)
    }
  })

  it('a refused request gets the build header and security headers', async () => {
    for (const [target, name, expectedStatus] of [
      ['/', 'evil.example', 421],
      ['//x/', host, 400],
    ] as const) {
      const { status, headers } = await server.request(target, { headers: { Host: name } })
      expect([status, headers['learnify-build']]).toEqual([expectedStatus, 'test'])
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
        'referrer-policy': 'strict-origin-when-cross-origin',
        'x-content-type-options': 'nosniff',
      })
    }
  })

  it('pages, data and files tell browsers to use HTTPS for a year', async () => {
    for (const target of ['/', '/viewer', '/account/session', '/no-such-file.js', '/healthz']) {
      const { headers } = await server.request(target, { headers: { Host: host } })
      expect([target, headers['strict-transport-security']]).toEqual([target, 'max-age=31536000'])
    }
  })

  it('the health check accepts every host name', async () => {
    expect((await server.request('/healthz', { headers: { Host: '10.0.0.7' } })).body).toBe('ok')
    expect(
      (await server.request('/healthz/../Login', { headers: { Host: '10.0.0.7' } })).status,
    ).toBe(421)
  })

  it('no forwarded header changes the origin', async () => {
    const forwarded = {
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'http',
      Forwarded: 'host=evil.example;proto=http',
      'X-Forwarded-Port': '81',
      'X-Original-URL': '/SignUp',
    }
    const page = await server.request('/Login?from=%2FProfile', {
      headers: { Host: host, ...forwarded },
    })

    expect(page.body.includes(`${origin}/Login`)).toBe(true)
    expect(page.body).not.toContain('evil.example')
    expect(
      (await post('/Login', 'email=x', { ...forwarded, Origin: 'https://evil.example' })).status,
    ).toBe(403)
  })

  it.each([
    'http://school.example',
    'https://school.example:8443',
    'https://evil.example',
    'https://school.example.evil.example',
    'null',
    '',
    'https://school.example, https://evil.example',
  ])('a change from the origin %j is refused', async (otherOrigin) => {
    const response = await post('/Login', 'email=a', {
      Origin: otherOrigin,
      'Sec-Fetch-Site': 'same-origin',
    })
    expect([response.status, response.body]).toEqual([403, foreignOrigin])
  })

  it('a change without an origin is refused', async () => {
    const response = await server.request('/Login', {
      method: 'POST',
      headers: { Host: host, ...form },
      body: 'email=a',
    })

    expect(response.status).toBe(403)
  })

  it.each(['//evil.example/', '/\\evil.example', '*', '/a#b', '/%'])(
    'the unreadable target %s is refused',
    async (target) => {
      expect((await server.request(target, { headers: { Host: host } })).status).toBe(400)
    },
  )

  it('the host of an absolute target counts, not the Host header', async () => {
    expect(
      (await server.request('http://evil.example/Login', { headers: { Host: host } })).status,
    ).toBe(421)
    expect(
      (await server.request('http://school.example@evil.example/', { headers: { Host: host } }))
        .status,
    ).toBe(421)

    const own = await server.request('http://school.example/Login', { headers: { Host: host } })
    expect(own.body).toContain(`${origin}/Login`)
  })

  it('a request with two Host headers is refused', async () => {
    expect(
      (await server.request('/', { headers: ['Host', host, 'Host', 'evil.example'] })).status,
    ).not.toBe(200)
  })
})

describe('with a loopback URL', () => {
  let server: ProductServer
  beforeAll(async () => {
    server = await startProductServer({ PUBLIC_URL: 'http://localhost:3000', PORT: '3000' })
  })
  afterAll(() => server.stop())

  it.each(['localhost:3000', '127.0.0.1:3000', '[::1]:3000'])(
    'the host name %s is accepted',
    async (name) => {
      expect((await server.request('/Login', { headers: { Host: name } })).status).toBe(200)

      const headers = { Host: name, Origin: `http://${name}`, ...form }
      const response = await server.request('/Login.data', {
        method: 'POST',
        headers,
        body: 'email=nobody%40b.example&password=Correct-horse-7',
      })

      expect(response.status).toBe(404)
    },
  )

  const directHeaders = { Host: 'localhost:3000' }

  it('a browser on the machine can read its mail and sign in with the sample provider', async () => {
    expect((await server.request('/mail', { headers: directHeaders })).status).toBe(200)

    const providerUrl =
      (await server.request('/account/social/google', { headers: directHeaders })).headers
        .location ?? ''
    expect(providerUrl).toContain('http://localhost:3000/sample-identity/auth?')

    const { pathname, search } = new URL(providerUrl)
    expect(
      (await server.request(pathname + search, { headers: directHeaders })).headers.location,
    ).toContain('/choose/')
  })

  it.each([
    ['X-Forwarded-For', '127.0.0.1'],
    ['X-Forwarded-For', ''],
    ['x-forwarded-proto', 'http'],
    ['X-FORWARDED-HOST', 'localhost:3000'],
    ['X-Forwarded-Whatever', '1'],
    ['Forwarded', 'for=127.0.0.1'],
    ['Via', '1.1 proxy'],
    ['X-Real-IP', '127.0.0.1'],
    ['CF-Connecting-IP', '127.0.0.1'],
    ['True-Client-IP', '127.0.0.1'],
    ['X-Client-IP', '127.0.0.1'],
    ['Fly-Client-IP', '127.0.0.1'],
    ['X-Remote-IP', '127.0.0.1'],
    ['X-Forward-For', '127.0.0.1'],
    ['X-Rewrite-URL', '/'],
    ['X_Forwarded_For', '127.0.0.1'],
    ['WL-Proxy-Client-IP', '127.0.0.1'],
    ['Forwarded-For', '127.0.0.1'],
    ['Front-End-Https', 'on'],
    ['CloudFront-Viewer-Address', '127.0.0.1:1'],
    ['Max-Forwards', '10'],
  ])('a request with %s: %j can do neither', async (name, value) => {
    const headers = { ...directHeaders, [name]: value }
    for (const target of ['/mail', '/mail.data', '/MAIL/', '/%6dail']) {
      const response = await server.request(target, { headers })
      expect([target, response.status]).toEqual([target, 404])
    }

    const post = {
      method: 'POST',
      headers: { ...headers, Origin: 'http://localhost:3000', ...form },
      body: 'email=a',
    }

    for (const target of [
      '/sample-identity/auth',
      '/sample-identity/token',
      '/sample-identity/choose/x',
    ]) {
      expect((await server.request(target, { headers })).status).toBe(403)
      expect((await server.request(target, post)).status).toBe(403)
    }

    expect((await server.request('/account/social/google', { headers })).headers.location).toBe(
      '/Login?error=internal-error',
    )
    expect(
      (await server.request('/account/callback/google?code=x&state=y', { headers })).status,
    ).toBe(404)
  })

  it('a request with HTTP/1.0, which nginx uses by default, is not direct', async () => {
    const socket = connect(server.port, '127.0.0.1')
    socket.end('GET /mail HTTP/1.0\r\nHost: localhost:3000\r\n\r\n')

    expect(await text(socket)).toContain(' 404 Not Found')
  })

  it('a form of one host name cannot be sent to another', async () => {
    const headers = { Host: '127.0.0.1:3000', Origin: 'http://localhost:3000', ...form }
    expect(
      (await server.request('/Login', { method: 'POST', headers, body: 'email=a' })).status,
    ).toBe(403)
  })

  it.each([
    'evil.example:3000',
    'localhost.evil.example:3000',
    'localhost:3001',
    '127.0.0.2:3000',
    '1',
  ])('a page that rebinds the name %s is refused', async (name) => {
    for (const target of ['/mail', '/mail.data', '/', '/Login']) {
      expect((await server.request(target, { headers: { Host: name } })).status).toBe(421)
    }
  })
})
