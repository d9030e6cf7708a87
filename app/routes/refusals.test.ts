import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoCredentials, syncDemoAccount } from '~/features/accounts/demo-account.server'
import * as tables from '~/server/database/schema'
import { type ProductServer, startProductServer } from '../../tests/support/product-server'

const host = 'localhost:3000'
const origin = `http://${host}`
const otherOrigin = 'https://evil.example'
const courseId = 'python-from-zero'

let server: ProductServer
/** The cookie of a learner who is enrolled. */
let learnerCookie = ''
let uid = ''
beforeAll(async () => {
  server = await startProductServer({ PUBLIC_URL: origin, PORT: '3000' })
  const person = {
    email: 'ada@test.example',
    password: 'Correct-horse-7',
    firstName: 'Ada',
    lastName: 'Lovelace',
  }

  learnerCookie = await openSession('/account/register', person)
  const [user] = await server.db
    .select()
    .from(tables.users)
    .where(eq(tables.users.email, person.email))
  uid = user?.id ?? ''
  await server.db.insert(tables.enrollments).values({ uid, courseId })
})
afterAll(() => server.stop())

/** Signs in or up at the account service, and returns the cookies of the session. */
async function openSession(path: string, data: object): Promise<string> {
  const headers = { Host: host, Origin: origin, 'Content-Type': 'application/json' }
  const response = await server.request(path, {
    method: 'POST',
    headers,
    body: JSON.stringify(data),
  })
  return (response.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ')
}

const getPage = (path: string, cookie = '') =>
  server.request(path, { headers: { Host: host, Cookie: cookie } })

type Sender = { cookie?: string; from?: string; type?: string }

/** Submits a form. Without a `sender`, it comes from the learner's own page. */
async function post(path: string, form: Record<string, string> | string, sender: Sender = {}) {
  const {
    cookie = learnerCookie,
    from = origin,
    type = 'application/x-www-form-urlencoded',
  } = sender
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

async function postForStatus(...request: Parameters<typeof post>): Promise<number> {
  const { status } = await post(...request)
  return status
}

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
      {
        cookie: learnerCookie,
        why: 'enroll',
        sentence: 'Enroll in this course to start the lessons.',
      },
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
      const { status, body } = await getPage(path, learnerCookie)
      expect(status).toBe(404)
      expect(body).toMatch(/<h1[^>]*>Lesson not found</)
    }

    const { body } = await getPage(`/Learn/${courseId}/while-and-when-to-stop`, learnerCookie)

    expect(body).toContain('This lesson is coming soon')
  })

  it('is closed to a session whose signature was changed', async () => {
    const [name, value = ''] =
      learnerCookie
        .split('; ')
        .find((pair) => pair.includes('session_token'))
        ?.split('=') ?? []
    const [token] = decodeURIComponent(value).split('.')
    const forged = `${name}=${encodeURIComponent(`${token}.${'A'.repeat(43)}=`)}`

    expect((await getPage('/Profile', learnerCookie)).status).toBe(200)
    expect((await getPage('/Profile', forged)).status).toBe(302)
  })

  it('gives a visitor, and a learner who is not enrolled, no address of a film', async () => {
    expect((await getPage(`/Learn/${courseId}/names-and-values/film`)).status).toBe(403)
    expect((await getPage(`/Learn/${courseId}/names-and-values/film`, learnerCookie)).status).toBe(
      200,
    )
    expect(
      (await getPage('/Learn/typography-for-screens/building-a-type-scale/film', learnerCookie))
        .status,
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
      const { headers, body } = await getPage(`/viewer${query}`, learnerCookie)
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
  const notesPath = `/Learn/${courseId}/names-and-values/notes`
  const fields = {
    intent: 'note',
    id: 'a-note-of-this-test',
    positionMs: '0',
    body: 'Written offline',
  }

  it('is refused so that it keeps waiting while its learner is signed out or another learner is signed in', async () => {
    expect(await postForStatus(notesPath, { ...fields, uid }, { cookie: '' })).toBe(401)

    const { status, body } = await post(notesPath, { ...fields, uid: 'somebody-else' })
    expect([status, JSON.parse(body)]).toEqual([403, { refusal: 'other-learner' }])
  })

  it('is refused with a message if it is too long, and stored once, however often it is sent', async () => {
    const { status, body } = await post(notesPath, { ...fields, uid, body: 'x'.repeat(5001) })

    expect([status, body]).toEqual([
      422,
      expect.stringContaining('Notes can be up to 5,000 characters.'),
    ])
    expect(await postForStatus(notesPath, { ...fields, uid })).toBe(200)
    expect(await postForStatus(notesPath, { ...fields, uid })).toBe(200)
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

  it('of a visitor or from another site are not saved', async () => {
    expect(await postForStatus('/Profile/settings', form, { cookie: '' })).toBe(302)
    expect(await postForStatus('/Profile/settings', form, { from: otherOrigin })).toBe(403)
    expect(await postForStatus('/Profile/achievements', form)).toBe(405)
  })

  it('are saved for the learner of the session, whatever uid the form contains', async () => {
    expect(await postForStatus('/Profile/settings', form)).toBe(200)

    const changedUsers = await server.db
      .select()
      .from(tables.users)
      .where(eq(tables.users.firstName, 'Eve'))
    expect(changedUsers.map(({ id }) => id)).toEqual([uid])
  })

  it('of a visitor with as much data as a photo are refused before they are read', async () => {
    const type = 'multipart/form-data; boundary=b'
    for (const cookie of ['', 'learnify-3000.session_token=invented.signature']) {
      expect(
        await postForStatus('/Profile/settings', 'a'.repeat(200 * 1024), { cookie, type }),
      ).toBe(413)
    }
  })
})

it('an enrollment is refused to a visitor, from another site, and without a valid course ID', async () => {
  expect(await postForStatus('/Enrollments', { courseIds: courseId }, { cookie: '' })).toBe(401)
  expect(await postForStatus('/Enrollments', { courseIds: courseId }, { from: otherOrigin })).toBe(
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
  const countBefore = await server.db.$count(tables.reviews)
  expect(await postForStatus('/Reviews', save)).toBe(403)

  const invalidFields: Record<string, string>[] = [
    { rating: '6' },
    { comment: 'a\0b' },
    { comment: 'x'.repeat(2001) },
    { helpful: '9' },
    { intent: 'become-admin' },
  ]

  for (const fields of invalidFields) {
    expect([fields, await postForStatus('/Reviews', { ...save, ...fields })]).toEqual([fields, 400])
  }

  expect(
    await postForStatus('/Reviews', { intent: 'vote', course: courseId, review: 'nope' }),
  ).toBe(404)
  expect(await postForStatus('/Reviews', save, { from: otherOrigin })).toBe(403)
  expect(await server.db.$count(tables.reviews)).toBe(countBefore)
})

it('neither the demo account nor another learner’s account can be deleted', async () => {
  await syncDemoAccount(server.db, true)
  const countBefore = await server.db.$count(tables.users)
  const cookie = await openSession('/account/login', demoCredentials)
  const form = { uid: 'demo-learner', password: demoCredentials.password }
  expect(await postForStatus('/OwnData', form, { cookie })).toBe(403)
  expect(await postForStatus('/OwnData', { ...form, more: '1' }, { cookie })).toBe(400)
  expect(await postForStatus('/OwnData', { ...form, uid }, { cookie })).toBe(403)
  expect(await server.db.$count(tables.users)).toBe(countBefore)

  const deleteButton = /<button[^>]*>Delete my account/
  expect((await getPage('/Profile/settings', learnerCookie)).body).toMatch(deleteButton)
  expect((await getPage('/Profile/settings', cookie)).body).not.toMatch(deleteButton)
})

it('a forged report of a lesson is refused with the right status and changes nothing', async () => {
  const lessonPath = `/Learn/${courseId}/names-and-values`
  // The page contains the signed data of its visit.
  const { body: page } = await getPage(lessonPath, learnerCookie)
  const visitPattern = /"openedAt",(\d+),"lengthMs",(\d+),"signature","([^"]+)"/
  const [, openedAt, lengthMs, signature] = visitPattern.exec(page.replaceAll('\\"', '"')) ?? []
  const visit = { uid, openedAt: Number(openedAt), lengthMs: Number(lengthMs), signature }
  const emptyReport = {
    watched: [],
    position: null,
    mark: null,
    answered: [],
    readToEnd: false,
    studied: [],
    missed: [],
  }
  const send = (
    changes: object,
    { path = lessonPath, ...sender }: Sender & { path?: string } = {},
  ) =>
    postForStatus(`${path}/progress`, JSON.stringify({ ...visit, ...emptyReport, ...changes }), {
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
  expect(await send({}, { path: `/Learn/${courseId}/how-a-for-loop-walks` })).toBe(403)
  expect(await send({}, { cookie: '' })).toBe(401)
  expect(await send({}, { from: otherOrigin })).toBe(403)

  const storedProgress = await server.db.select().from(tables.lessonProgress)
  expect(storedProgress.filter(({ earnedAt, mark }) => earnedAt || mark)).toEqual([])
})

describe('a URL', () => {
  it.each([
    '/AllCourses?q=%00',
    '/OneCourse/%00',
    '/%E0%A4%A',
    '/Exam/%F0%9F%98%80',
    '/Learn/a%0d%0ab',
    '/Certificate/%F0%9F%98%80/certificate.pdf',
  ])('that can’t be decoded gets a message: %s', async (path) => {
    const { status, body } = await getPage(path, learnerCookie)

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
  ])('gives no access to private files: %s', async (path) => {
    const { status, body } = await getPage(path)

    expect([400, 404]).toContain(status)
    expect(body).not.toMatch(/questions:|"dependencies"|secret"/)
  })

  it('is refused with an unknown method, and OPTIONS runs no page', async () => {
    const headers = { Host: host, Origin: origin }
    const propfindResponse = await server.request('/', { method: 'PROPFIND', headers })
    expect([propfindResponse.status, propfindResponse.headers.allow]).toEqual([
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
