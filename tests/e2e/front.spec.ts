import { expect, test } from '../support/browser'

const pages = ['/', '/AllCourses', '/OneCourse', '/Login', '/SignUp', '/Instructor', '/nowhere']

test.describe('the HTTP front', () => {
  for (const path of pages) {
    test(`${path} has a strict policy that allows no inline script of others and no inline style`, async ({
      request,
    }) => {
      const response = await request.get(path)
      const policy = response.headers()['content-security-policy'] ?? ''
      expect(policy).toContain("object-src 'none'")
      expect(policy).toContain("style-src 'self';")
      expect(policy).not.toMatch(/unsafe|https?:|\*/)
      const html = await response.text()
      expect(html).not.toMatch(/<[a-z][^>]*\sstyle=/)
      expect(html).not.toMatch(/<[a-z][^>]*\son[a-z]+=/)
      expect(response.headers()['x-content-type-options']).toBe('nosniff')
    })
  }

  test('a public page is the same for everyone and is answered with 304 when nothing changed', async ({ request }) => {
    const first = await request.get('/')
    expect(first.headers()['cache-control']).toContain('public')
    expect(first.headers()['set-cookie']).toBeUndefined()
    const { etag = '' } = first.headers()
    const second = await request.get('/', { headers: { 'If-None-Match': etag } })
    expect(second.status()).toBe(304)
  })

  test('a method that no page takes is refused, and OPTIONS runs no page', async ({ request }) => {
    const unknown = await request.fetch('/', { method: 'PROPFIND' })
    expect([unknown.status(), unknown.headers().allow]).toEqual([405, 'GET, HEAD, POST, PUT, PATCH, DELETE'])
    const asked = await request.fetch('/OwnData', { method: 'OPTIONS' })
    expect([asked.status(), await asked.text()]).toEqual([204, ''])
  })

  test('a parameter that cannot be an id gets a sentence', async ({ request }) => {
    for (const path of ['/Exam/%F0%9F%98%80', '/Learn/a%0d%0ab', '/Certificate/%F0%9F%98%80/certificate.pdf']) {
      const response = await request.get(path)
      expect([path, response.status()]).toEqual([path, 400])
      expect(await response.text()).toContain('We couldn’t read this address.')
    }
  })

  test('a course of any name that there is not is told by its own page', async ({ request }) => {
    const response = await request.get('/OneCourse/no%20such%20%F0%9F%98%80')
    expect(response.status()).toBe(404)
    expect(await response.text()).toContain('/AllCourses')
  })

  for (const origin of ['https://evil.example', 'null', undefined]) {
    test(`a change from ${origin ?? 'no'} origin is refused`, async ({ request }) => {
      const response = await request.post('/Login', {
        form: { email: 'a@b.example', password: 'secret-1' },
        headers: origin ? { Origin: origin } : {},
      })
      expect(response.status()).toBe(403)
      expect(await response.text()).toContain('didn’t come from this site')
    })
  }

  test('a body of 10 MB is refused before it is read', async ({ request, baseURL }) => {
    const response = await request.post('/Login', {
      data: Buffer.alloc(10 * 1024 * 1024, 'a'),
      headers: { Origin: baseURL ?? '', 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    expect(response.status()).toBe(413)
    expect(await response.text()).toBe('This is too large to send.')
  })

  test("a photo's worth of a visitor who is not signed in is refused before it is read", async ({
    request,
    baseURL,
  }) => {
    const photo = Buffer.alloc(200 * 1024, 'a')
    const body = { multipart: { photo: { name: 'a.png', mimeType: 'image/png', buffer: photo } } }
    for (const cookie of ['', `learnify-${new URL(baseURL ?? '').port}.session_token=invented.signature`]) {
      const headers = { Origin: baseURL ?? '', Cookie: cookie }
      const response = await request.post('/Profile/settings', { ...body, headers })
      expect(response.status()).toBe(413)
    }
  })

  for (const path of ['/AllCourses?q=%00', '/OneCourse/%00', '/%E0%A4%A']) {
    test(`the address ${path} gets a clear sentence`, async ({ request }) => {
      const response = await request.get(path)
      expect(response.status()).toBe(400)
      expect(await response.text()).toBe('We couldn’t read this address.')
    })
  }

  for (const path of [
    '/media/courses/python-from-zero/exam.yaml',
    '/media/courses/python-from-zero/course.yaml',
    '/media/../package.json',
    '/media/%2e%2e/package.json',
    '/files/../secrets.json',
    '/files/..%2fsecrets.json',
  ]) {
    test(`${path} is not handed out`, async ({ request }) => {
      const response = await request.get(path)
      expect([400, 404]).toContain(response.status())
      expect(await response.text()).not.toMatch(/questions:|"dependencies"|secret"/)
    })
  }

  test('assets are compressed and kept for a year', async ({ request }) => {
    const html = await (await request.get('/')).text()
    const script = /\/assets\/entry\.client-[^"\s]+\.js/.exec(html)?.[0] ?? ''
    const response = await request.get(script, { headers: { 'Accept-Encoding': 'br' } })
    expect(response.headers()['content-encoding']).toBe('br')
    expect(response.headers()['cache-control']).toContain('immutable')
  })

  test('a video is served in ranges', async ({ request }) => {
    const html = await (await request.get('/OneCourse?tab=curriculum')).text()
    const video = /\/media\/courses\/[^"'\\]+\/videos\/[a-z0-9-]+/.exec(html)?.[0] ?? ''
    const response = await request.get(`${video}.webm`, { headers: { Range: 'bytes=0-99' } })
    expect(response.status()).toBe(206)
    expect((await response.body()).length).toBe(100)
  })
})
