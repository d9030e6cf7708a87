import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoCredentials, syncDemoAccount } from '~/features/accounts/demo-account.server'
import * as tables from '~/server/database/schema'
import { type ProductServer, startProductServer } from '../../tests/support/product-server'

const host = 'localhost:3000'
const origin = `http://${host}`
const elsewhere = 'https://evil.example'
const courseId = 'python-from-zero'

let server: ProductServer
/** The session of a learner who is enrolled. */
let learner = ''
let uid = ''
beforeAll(async () => {
  server = await startProductServer({ PUBLIC_URL: origin, PORT: '3000' })
  const person = {
    email: 'ada@test.example',
    password: 'Correct-horse-7',
    firstName: 'Ada',
    lastName: 'Lovelace',
  }

  learner = await sessionBy('/account/register', person)
  const [stored] = await server.db
    .select()
    .from(tables.users)
    .where(eq(tables.users.email, person.email))
  uid = stored?.id ?? ''
  await server.db.insert(tables.enrollments).values({ uid, courseId })
})
afterAll(() => server.stop())

async function sessionBy(path: string, data: object): Promise<string> {
  const headers = { Host: host, Origin: origin, 'Content-Type': 'application/json' }
  const response = await server.request(path, {
    method: 'POST',
    headers,
    body: JSON.stringify(data),
  })
  return (response.headers['set-cookie'] ?? []).map((each) => each.split(';')[0]).join('; ')
}

const getPage = (path: string, cookie = '') =>
  server.request(path, { headers: { Host: host, Cookie: cookie } })

type Sender = { cookie?: string; from?: string; type?: string }

/**
 * @returns the response to a form, as the learner's own page sends it unless something else is
 * said.
 */
async function post(path: string, form: Record<string, string> | string, sender: Sender = {}) {
  const { cookie = learner, from = origin, type = 'application/x-www-form-urlencoded' } = sender
  const body = typeof form === 'string' ? form : new URLSearchParams(form).toString()
  const headers = {
    Host: host,
    Origin: from,
    Cookie: cookie,
    Accept: 'application/json',
    'Content-Type': type,
  }

  return server.request(path, { method: 'POST', headers, body })
}

const postForStatus = async (...parts: Parameters<typeof post>) => (await post(...parts)).status

describe('what is for learners', () => {
  it.each(['/Profile', '/Profile/settings', '/Profile/nope', '/OwnData', '/Exam/python-from-zero'])(
    'leads a visitor of %s to the login',
    async (path) => {
      const { status, headers } = await getPage(path)

      expect(status).toBe(302)
      expect(headers.location).toMatch(/^\/Login/)
    },
  )

  it('leads those who may not open a lesson to the course page, with a sentence why', async () => {
    const bySession = [
      { cookie: '', why: 'sign-in', sentence: 'Sign in and enroll to start the lessons.' },
      { cookie: learner, why: 'enroll', sentence: 'Enroll in this course to start the lessons.' },
    ]

    for (const { cookie, why, sentence } of bySession) {
      const { status, headers } = await getPage('/Learn/typography-for-screens', cookie)
      const coursePath = `/OneCourse/typography-for-screens?why=${why}`
      expect([status, headers.location]).toEqual([302, coursePath])
      expect((await getPage(coursePath)).body).toContain(sentence)
    }
  })

  it('says so if a lesson does not exist, or if its material is to come', async () => {
    for (const path of [`/Learn/${courseId}/nothing`, '/Learn/nothing/at-all']) {
      const { status, body } = await getPage(path, learner)
      expect(status).toBe(404)
      expect(body).toMatch(/<h1[^>]*>Lesson not found</)
    }

    const { body } = await getPage(`/Learn/${courseId}/while-and-when-to-stop`, learner)

    expect(body).toContain('This lesson is coming soon')
  })

  it('is closed to a session whose signature was changed', async () => {
    const [name, value = ''] =
      learner
        .split('; ')
        .find((pair) => pair.includes('session_token'))
        ?.split('=') ?? []
    const [token] = decodeURIComponent(value).split('.')
    const forged = `${name}=${encodeURIComponent(`${token}.${'A'.repeat(43)}=`)}`

    expect((await getPage('/Profile', learner)).status).toBe(200)
    expect((await getPage('/Profile', forged)).status).toBe(302)
  })

  it('gives a visitor, and a learner who is not enrolled, no address of a film', async () => {
    expect((await getPage(`/Learn/${courseId}/names-and-values/film`)).status).toBe(403)
    expect((await getPage(`/Learn/${courseId}/names-and-values/film`, learner)).status).toBe(200)
    expect(
      (await getPage('/Learn/typography-for-screens/building-a-type-scale/film', learner)).status,
    ).toBe(403)
  })

  it('is for no cache to keep, whatever else stands in the address', async () => {
    const visitor = await getPage(`/viewer?course=${courseId}`)
    expect([visitor.headers['cache-control'], visitor.body]).toEqual(['no-store', 'null'])

    for (const query of [
      '?course=A%20b&certificate=%3Cb%3E',
      '?course=a&course=b',
      '?certificate=../x&other=1',
    ]) {
      const { headers, body } = await getPage(`/viewer${query}`, learner)
      expect(headers['cache-control']).toBe('no-store')
      expect(JSON.parse(body)).toMatchObject({
        user: { uid },
        enrolled: [courseId],
        wished: [],
        certificate: null,
      })
    }
  })
})

describe('a note that waited in the browser', () => {
  const place = `/Learn/${courseId}/names-and-values/notes`
  const fields = {
    intent: 'note',
    id: 'a-note-of-this-test',
    positionMs: '0',
    body: 'Written offline',
  }

  it('waits on while its learner is signed out or another one is signed in', async () => {
    expect(await postForStatus(place, { ...fields, uid }, { cookie: '' })).toBe(401)

    const { status, body } = await post(place, { ...fields, uid: 'somebody-else' })
    expect([status, JSON.parse(body)]).toEqual([403, { refusal: 'other-learner' }])
  })

  it('is refused with a sentence if it is too long, and stored once however often it is sent', async () => {
    const { status, body } = await post(place, { ...fields, uid, body: 'x'.repeat(5001) })

    expect([status, body]).toEqual([
      422,
      expect.stringContaining('Notes can be up to 5,000 characters.'),
    ])
    expect(await postForStatus(place, { ...fields, uid })).toBe(200)
    expect(await postForStatus(place, { ...fields, uid })).toBe(200)
    expect(
      await server.db.select().from(tables.notes).where(eq(tables.notes.uid, uid)),
    ).toHaveLength(1)
  })
})

describe('settings', () => {
  const form = {
    firstName: 'Eve',
    lastName: 'L',
    phone: '',
    location: '',
    timezone: '',
    uid: 'demo-learner',
  }

  it('of a visitor, and from elsewhere, are not saved', async () => {
    expect(await postForStatus('/Profile/settings', form, { cookie: '' })).toBe(302)
    expect(await postForStatus('/Profile/settings', form, { from: elsewhere })).toBe(403)
    expect(await postForStatus('/Profile/achievements', form)).toBe(405)
  })

  it('are those of the session, whoever else is named', async () => {
    expect(await postForStatus('/Profile/settings', form)).toBe(200)

    const saved = await server.db
      .select()
      .from(tables.users)
      .where(eq(tables.users.firstName, 'Eve'))
    expect(saved.map(({ id }) => id)).toEqual([uid])
  })

  it('with a photo’s worth of somebody who is not signed in are refused before they are read', async () => {
    const type = 'multipart/form-data; boundary=b'
    for (const cookie of ['', 'learnify-3000.session_token=invented.signature']) {
      expect(
        await postForStatus('/Profile/settings', 'a'.repeat(200 * 1024), { cookie, type }),
      ).toBe(413)
    }
  })
})

it('an enrollment is refused to a visitor, from elsewhere, without a course, and with what cannot be one', async () => {
  expect(await postForStatus('/Enrollments', { courseIds: courseId }, { cookie: '' })).toBe(401)
  expect(await postForStatus('/Enrollments', { courseIds: courseId }, { from: elsewhere })).toBe(
    403,
  )
  expect(await postForStatus('/Enrollments', {})).toBe(400)
  expect(
    await postForStatus('/Enrollments', '{"courseIds":"x"}', { type: 'application/json' }),
  ).toBe(400)

  for (const courseIds of ["'; drop table enrollments", '../x', '<b>', 'a'.repeat(500), 'é']) {
    expect([courseIds, await postForStatus('/Enrollments', { courseIds })]).toEqual([
      courseIds,
      400,
    ])
  }
})

it('a forged review, vote or form is refused and stores nothing', async () => {
  const save = { intent: 'save', course: courseId, rating: '5', comment: '', showsName: 'on' }
  const before = await server.db.$count(tables.reviews)
  expect(await postForStatus('/Reviews', save)).toBe(403)

  const wrongs: Record<string, string>[] = [
    { rating: '6' },
    { comment: 'a\0b' },
    { comment: 'x'.repeat(2001) },
    { helpful: '9' },
    { intent: 'become-admin' },
  ]

  for (const wrong of wrongs) {
    expect([wrong, await postForStatus('/Reviews', { ...save, ...wrong })]).toEqual([wrong, 400])
  }

  expect(
    await postForStatus('/Reviews', { intent: 'vote', course: courseId, review: 'nope' }),
  ).toBe(404)
  expect(await postForStatus('/Reviews', save, { from: elsewhere })).toBe(403)
  expect(await server.db.$count(tables.reviews)).toBe(before)
})

it('the demo account stays, and nobody deletes another’s', async () => {
  await syncDemoAccount(server.db, true)
  const before = await server.db.$count(tables.users)
  const cookie = await sessionBy('/account/login', demoCredentials)
  const form = { uid: 'demo-learner', password: demoCredentials.password }
  expect(await postForStatus('/OwnData', form, { cookie })).toBe(403)
  expect(await postForStatus('/OwnData', { ...form, more: '1' }, { cookie })).toBe(400)
  expect(await postForStatus('/OwnData', { ...form, uid }, { cookie })).toBe(403)
  expect(await server.db.$count(tables.users)).toBe(before)

  const deleteButton = /<button[^>]*>Delete my account/
  expect((await getPage('/Profile/settings', learner)).body).toMatch(deleteButton)
  expect((await getPage('/Profile/settings', cookie)).body).not.toMatch(deleteButton)
})

it('a forged report of a lesson is refused with the right status and changes nothing', async () => {
  const lesson = `/Learn/${courseId}/names-and-values`
  // The visit that the page was made for.
  const { body: page } = await getPage(lesson, learner)
  const written = /"openedAt",(\d+),"lengthMs",(\d+),"signature","([^"]+)"/
  const [, openedAt, lengthMs, signature] = written.exec(page.replaceAll('\\"', '"')) ?? []
  const visit = { uid, openedAt: Number(openedAt), lengthMs: Number(lengthMs), signature }
  const nothing = {
    watched: [],
    position: null,
    mark: null,
    answered: [],
    readToEnd: false,
    studied: [],
    missed: [],
  }
  const send = (
    change: object,
    { address = lesson, ...sender }: Sender & { address?: string } = {},
  ) =>
    postForStatus(`${address}/progress`, JSON.stringify({ ...visit, ...nothing, ...change }), {
      type: 'application/json',
      ...sender,
    })

  expect(await send({})).toBe(200)
  expect(await send({ watched: [[-1, 5]] })).toBe(400)
  expect(await send({ extra: 1 })).toBe(400)
  expect(await send({ watched: [[0, 600_000]] })).toBe(422)
  expect(await send({ position: { ms: 40_000, at: visit.openedAt } })).toBe(422)
  expect(await send({ mark: { value: 'done', at: visit.openedAt + 3_600_000 } })).toBe(425)
  expect(await send({ uid: 'somebody-else' })).toBe(403)
  expect(await send({ openedAt: visit.openedAt - 3_600_000 })).toBe(403)
  expect(await send({}, { address: `/Learn/${courseId}/how-a-for-loop-walks` })).toBe(403)
  expect(await send({}, { cookie: '' })).toBe(401)
  expect(await send({}, { from: elsewhere })).toBe(403)

  const stored = await server.db.select().from(tables.lessonProgress)
  expect(stored.filter(({ earnedAt, mark }) => earnedAt || mark)).toEqual([])
})

describe('an address', () => {
  it.each([
    '/AllCourses?q=%00',
    '/OneCourse/%00',
    '/%E0%A4%A',
    '/Exam/%F0%9F%98%80',
    '/Learn/a%0d%0ab',
    '/Certificate/%F0%9F%98%80/certificate.pdf',
  ])('%s that can’t be read gets a sentence', async (path) => {
    const { status, body } = await getPage(path, learner)

    expect(status).toBe(400)
    expect(body).toContain('We couldn’t read this address.')
  })

  it.each([
    '/media/courses/python-from-zero/exam.yaml',
    '/media/courses/python-from-zero/course.yaml',
    '/media/../package.json',
    '/media/%2e%2e/package.json',
    '/files/../secrets.json',
    '/files/..%2fsecrets.json',
  ])('%s hands nothing out', async (path) => {
    const { status, body } = await getPage(path)

    expect([400, 404]).toContain(status)
    expect(body).not.toMatch(/questions:|"dependencies"|secret"/)
  })

  it('takes no method that no page knows, and OPTIONS runs no page', async () => {
    const headers = { Host: host, Origin: origin }
    const unknown = await server.request('/', { method: 'PROPFIND', headers })
    expect([unknown.status, unknown.headers.allow]).toEqual([
      405,
      'GET, HEAD, POST, PUT, PATCH, DELETE',
    ])

    const optionsResponse = await server.request('/OwnData', { method: 'OPTIONS', headers })
    expect([optionsResponse.status, optionsResponse.body]).toEqual([204, ''])
  })
})

it.each(['/', '/AllCourses', '/OneCourse', '/Login', '/SignUp', '/Instructor', '/nowhere'])(
  '%s has a strict policy that allows no inline script of others and no inline style',
  async (path) => {
    const { headers, body } = await getPage(path)
    const policy = String(headers['content-security-policy'])

    expect(policy).toContain("object-src 'none'")
    expect(policy).toContain("style-src 'self';")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(body).not.toMatch(/<[a-z][^>]*\sstyle=/)
    expect(body).not.toMatch(/<[a-z][^>]*\son[a-z]+=/)
    expect(headers['x-content-type-options']).toBe('nosniff')
  },
)
