import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hasPermission, type StaffRole, staffRoles } from '~/features/staff/permissions'
import routes from '~/routes'
import * as tables from '~/server/database/schema'
import type { DeskPageEntry } from '../../../tests/support/desk-pages'
import {
  type DeskServer,
  deskEmail,
  deskPassword,
  startDeskServer,
} from '../../../tests/support/desk-server'
import { operatorContext } from '../../../tests/support/operator'

const ownCourse = 'python-from-zero'
const ownTitle = 'Python from Zero'
const otherCourse = 'typography-for-screens'
const unknownPageText = 'We couldn’t find that page.'

let server: DeskServer
let pages: [name: string, page: DeskPageEntry][]
let tableExports: typeof import('~/features/desk/export-definitions.server').tableExports
let createOwnerLink: typeof import('~/features/staff/owner-link.server').createOwnerLink
let createFirstOwnerLink: typeof import('~/features/staff/owner-link.server').createFirstOwnerLink

/** A visitor has no account, and a learner has no role. */
const visitors = ['visitor', 'learner', ...staffRoles]

const getUid = (visitor: string) => server.getUid(visitor)
const get: DeskServer['get'] = (...request) => server.get(...request)
const post: DeskServer['post'] = (...request) => server.post(...request)

const getPath = ({ path }: DeskPageEntry, course = ownCourse, uid = getUid('enrolled')) =>
  `/Desk/${path}`
    .replace(':course', course)
    .replace(':uid', uid)
    .replace(':slug', 'terms')
    .replace(':lesson', '~')
    .replace(':order', 'DESKORDER2')
    .replace(':import', 'deskimport')
    .replace(':announcement', uid === 'no-one' ? uid : `news-of-${course}`)
    .replace(':code', uid === 'no-one' ? 'NOSUCHCODE' : 'DESKCODE')
    .replace(/\/$/, '')

const listAuditEntries = () => server.db.select().from(tables.operatorActs)

const setManagerConfirmed = (minutesAgo: number) =>
  server.db
    .update(tables.sessions)
    .set({ confirmedAt: sql`now() - make_interval(mins => ${minutesAgo})` })
    .where(eq(tables.sessions.userId, getUid('manager')))

const setDisabled = (visitor: string, banned: boolean) =>
  server.db
    .update(tables.users)
    .set({ banned })
    .where(eq(tables.users.id, getUid(visitor)))

beforeAll(async () => {
  server = await startDeskServer()
  // These modules load the product, which reads the settings, so they are imported late.
  pages = Object.entries((await import('../../../tests/support/desk-pages')).deskPages)
  ;({ tableExports } = await import('~/features/desk/export-definitions.server'))
  ;({ createOwnerLink, createFirstOwnerLink } = await import('~/features/staff/owner-link.server'))
  const { db, signUp } = server
  for (const name of ['learner', 'enrolled', 'stranger']) {
    await signUp(name)
  }

  for (const role of staffRoles) {
    await signUp(role, role, role === 'teacher' ? [ownCourse] : [])
  }

  await db.insert(tables.enrollments).values([
    { uid: getUid('enrolled'), courseId: ownCourse },
    { uid: getUid('stranger'), courseId: otherCourse },
  ])
  await db.insert(tables.imports).values({
    id: 'deskimport',
    by: getUid('owner'),
    fileName: 'class.csv',
    status: 'checked',
    emailsPerMinute: 60,
  })
  const buyer = { name: 'Ada Byron', email: 'enrolled@learnify.example' }
  const order = {
    courseId: ownCourse,
    courseTitle: 'Python',
    currency: 'USD',
    listMinor: 4900,
    totalMinor: 4900,
    buyer,
  }

  await db.insert(tables.orders).values([
    { ...order, id: 'DESKORDER2', uid: getUid('enrolled') },
    { ...order, id: 'DESKORDER3', uid: getUid('stranger') },
  ])
  const draft = { audience: 'all', subject: 'News', body: 'Hello' } as const
  await db.insert(tables.announcements).values(
    [ownCourse, otherCourse].map((courseId) => ({
      ...draft,
      id: `news-of-${courseId}`,
      courseId,
    })),
  )
  await db.insert(tables.coupons).values({ code: 'DESKCODE', percent: 20 })
})
afterAll(() => server.stop())

describe('every page of the desk', () => {
  it('is in the list of pages that these tests open', () => {
    const desk = routes.find(({ path }) => path === 'Desk')
    const paths = (desk?.children ?? []).map(({ path = '' }) => path)
    const listed = pages.map(([, { path }]) => path)

    expect(listed.toSorted()).toEqual(
      paths.filter((path) => !['Export', '*'].includes(path)).toSorted(),
    )
  })

  it('does not reveal its data to visitors and learners when a script requests it', async () => {
    for (const visitor of ['visitor', 'learner']) {
      for (const [name, page] of pages) {
        const path = getPath(page)
        const dataPath = path === '/Desk' ? '/Desk.data' : `${path}.data`
        const { status, body } = await get(visitor, dataPath)
        expect(status, name).toBe(404)
        expect(body, name).not.toContain('timeZone')
      }
    }
  })

  it.each(visitors)(
    'opens for %s if their role allows it, and is an unknown page otherwise',
    async (visitor) => {
      for (const [name, page] of pages) {
        const { status, body, headers } = await get(visitor, getPath(page))
        const isAllowed = isStaff(visitor) && hasPermission({ role: visitor }, page.permission)
        if (visitor === 'teacher' && name === 'today') {
          expect(headers.location).toBe('/Desk/Courses')
        } else {
          expect(status, name).toBe(isAllowed ? 200 : 404)
          expect(body.includes(unknownPageText), name).toBe(!isAllowed)
        }
      }
    },
  )

  it('does not exist for a disabled account', async () => {
    await setDisabled('manager', true)
    expect((await get('manager', '/Desk/People')).status).toBe(404)

    await setDisabled('manager', false)
  })

  it('is an unknown page for a teacher if it is about another course or its learners', async () => {
    for (const [, page] of pages.filter(([, { path }]) => /:course|:announcement/.test(path))) {
      expect((await get('teacher', getPath(page, otherCourse, getUid('stranger')))).status).toBe(
        404,
      )
      expect((await get('owner', getPath(page, otherCourse, getUid('stranger')))).status).toBe(200)
    }

    expect(
      (await get('teacher', `/Desk/Courses/${ownCourse}/Learners/${getUid('stranger')}`)).status,
    ).toBe(404)
    expect((await get('teacher', `/Desk/Courses/${ownCourse}`)).body).not.toContain('Revenue')

    const list = (await get('teacher', '/Desk/Courses')).body
    expect([list.includes(`/Desk/Courses/${ownCourse}`), list.includes(otherCourse)]).toEqual([
      true,
      false,
    ])
  })

  it('shows a teacher email addresses only if the owner allows it', async () => {
    const path = `/Desk/Courses/${ownCourse}/Learners`
    const email = deskEmail('enrolled')
    expect((await get('teacher', path)).body).not.toContain(email)

    await server.db
      .update(tables.staff)
      .set({ seesAddresses: true })
      .where(eq(tables.staff.uid, getUid('teacher')))
    expect((await get('teacher', path)).body).toContain(email)

    await server.db
      .update(tables.staff)
      .set({ seesAddresses: false })
      .where(eq(tables.staff.uid, getUid('teacher')))
  })

  it('records in the audit that staff opened a learner, once for a while', async () => {
    const listViews = async () =>
      (await listAuditEntries()).filter(
        ({ act, by }) => act === 'learner open' && by === getUid('owner'),
      )
    await get('owner', `/Desk/People/${getUid('stranger')}`)
    await get('owner', `/Desk/People/${getUid('stranger')}`)

    expect(
      (await listViews()).filter(({ subject }) => subject === getUid('stranger')),
    ).toHaveLength(1)
  })

  it('says when the learner may start the next exam attempt, or that no attempts are left', async () => {
    const progressPath = `/Desk/Courses/${ownCourse}/Learners/${getUid('enrolled')}`
    const findNextAttempt = async () =>
      /Next exam attempt<\/dt><dd[^>]*>(.*?)<\/dd>/.exec(
        (await get('teacher', progressPath)).body,
      )?.[1]
    const isOwnExam = eq(tables.exams.courseId, ownCourse)
    const [exam] = await server.db.select().from(tables.exams).where(isOwnExam)
    expect(await findNextAttempt()).toBe('Now')

    const attempt = {
      uid: getUid('enrolled'),
      id: 'failed',
      courseId: ownCourse,
      title: 'Exam',
      submittedAt: new Date(),
      score: 0,
      maxScore: 1,
    }
    await server.db.insert(tables.examAttempts).values(attempt)
    await server.db
      .update(tables.exams)
      .set({ maxAttempts: 1, attemptsWithinDays: 7 })
      .where(isOwnExam)
    expect(await findNextAttempt()).toMatch(/^<time /)

    await server.db.update(tables.exams).set({ attemptsWithinDays: null }).where(isOwnExam)
    expect(await findNextAttempt()).toBe('No attempts left')

    await server.db.delete(tables.examAttempts).where(eq(tables.examAttempts.id, 'failed'))
    await server.db
      .update(tables.exams)
      .set({ maxAttempts: exam?.maxAttempts, attemptsWithinDays: exam?.attemptsWithinDays })
      .where(isOwnExam)
  })

  it('records in the audit that staff opened a learner’s order or progress', async () => {
    await get('teacher', `/Desk/Courses/${ownCourse}/Learners/${getUid('enrolled')}`)
    await get('manager', '/Desk/Orders/DESKORDER3')

    expect(await listAuditEntries()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          act: 'learner open',
          by: getUid('teacher'),
          subject: getUid('enrolled'),
        }),
        expect.objectContaining({
          act: 'learner open',
          by: getUid('manager'),
          subject: getUid('stranger'),
        }),
      ]),
    )
  })

  it.each([
    '/Desk/People?after=2026-13-01T00:00:00.000000Z~x',
    '/Desk/Orders?after=2026-02-31T00:00:00.000000Z~x',
    '/Desk/Audit?after=0000-01-01T00:00:00.000000Z~x',
    '/Desk/Audit?since=0000-01-01',
    '/Desk/Audit?since=2026-02-31',
  ])('opens at %s, whose day does not exist', async (path) => {
    expect((await get('owner', path)).status).toBe(200)
  })
})

function isStaff(visitor: string): visitor is StaffRole {
  return staffRoles.some((role) => role === visitor)
}

describe('every action of the desk', () => {
  it.each(visitors)(
    'is an unknown page for %s unless their role allows the action',
    async (visitor) => {
      for (const [name, page] of pages) {
        for (const [intent, { permission }] of Object.entries(page.actions)) {
          const entryCount = (await listAuditEntries()).length
          // No action changes anything without its other fields.
          // The request is that of a script, whose response is only the action's and no page.
          const dataPath = `${getPath(page, ownCourse, 'no-one')}.data`
          // Without `?index`, a form is sent to the layout of the desk.
          const actionPath = name === 'today' ? `${dataPath}?index` : dataPath
          const { status } = await post(visitor, actionPath, { intent })
          const isAllowed = isStaff(visitor) && hasPermission({ role: visitor }, permission)
          expect(status === 404, `${name} ${intent}`).toBe(!isAllowed)
          expect((await listAuditEntries()).length, `${name} ${intent}`).toBe(entryCount)
        }
      }
    },
  )

  it('is an unknown page if no page has the action', async () => {
    for (const intent of ['', 'fly', 'constructor']) {
      expect((await post('owner', '/Desk/Staff', { intent })).status).toBe(404)
    }
  })

  it.each(['visitor', 'learner', 'teacher'])(
    'reveals no page to %s, because every page refuses an unknown action alike',
    async (visitor) => {
      const paths = ['/Desk/NoSuchPage', '/Desk/Export', ...pages.map(([, page]) => getPath(page))]
      for (const path of paths) {
        const page = await post(visitor, path, { intent: 'fly' })
        expect([page.status, page.body.includes(unknownPageText)], path).toEqual([404, true])
        const data = await post(visitor, `${path}.data`, { intent: 'fly' })
        expect(data.status, `${path}.data`).toBe(404)
      }
    },
  )
})

describe('every table of the desk', () => {
  it.each(visitors)('is sent to %s only if their role allows it', async (visitor) => {
    for (const [table, { permission }] of Object.entries(tableExports)) {
      const { status, headers, body } = await post(visitor, '/Desk/Export', {
        table,
        course: ownCourse,
      })
      const isAllowed = isStaff(visitor) && hasPermission({ role: visitor }, permission)
      expect(status, table).toBe(isAllowed ? 200 : 404)
      expect(headers['content-type'], table).toContain(isAllowed ? 'text/csv' : 'text/html')
      if (table === 'progress' && isAllowed) {
        expect(body.includes('enrolled@')).toBe(visitor !== 'teacher')
      }
    }
  })

  it('is recorded in the audit, and contains no formula', async () => {
    await server.db
      .update(tables.users)
      .set({ lastName: '=1+1' })
      .where(eq(tables.users.id, getUid('stranger')))
    const { body } = await post('manager', '/Desk/Export', { table: 'people' })

    expect(body).toContain("'=1+1")
    expect(
      (await listAuditEntries()).filter(({ act }) => act === 'learners export').map(({ by }) => by),
    ).toContain(getUid('manager'))
  })

  it('has the chosen separator, which is chosen again the next time', async () => {
    const { body, headers } = await post('manager', '/Desk/Export', {
      table: 'people',
      separator: 'semicolon',
    })
    expect(body).toContain('uid;email;first_name;last_name;')

    const [cookie = ''] = headers['set-cookie'] ?? []
    expect(cookie).toMatch(/^csv_separator=semicolon; Max-Age=\d+; Path=\/; HttpOnly/)

    const page = await server.request('/Desk/People', {
      headers: {
        ...server.headers,
        Cookie: `${server.getCookie('manager')}; ${cookie.split(';')[0]}`,
      },
    })
    expect(page.body).toContain('<option value="semicolon" selected="">Semicolons</option>')
  })

  it('requires a sign-in within the last 15 minutes', async () => {
    await setManagerConfirmed(20)
    const { status, headers } = await post('manager', '/Desk/Export', {
      table: 'people',
      separator: 'tab',
    })
    expect([status, headers.location]).toEqual([303, '/Confirm?from=%2FDesk%2FPeople'])
    // After the sign-in, the page suggests the separator again.
    expect(headers['set-cookie']).toEqual([expect.stringMatching(/^csv_separator=tab;/)])

    await setManagerConfirmed(0)
  })

  it('is an unknown page for a teacher if the table is of another course', async () => {
    expect(
      (await post('teacher', '/Desk/Export', { table: 'progress', course: otherCourse })).status,
    ).toBe(404)
  })
})

describe('the page of a person', () => {
  const path = () => `/Desk/People/${getUid('stranger')}`
  const isDisabled = async () => {
    const [user] = await server.db
      .select()
      .from(tables.users)
      .where(eq(tables.users.id, getUid('stranger')))
    return user?.banned
  }

  it('requires a sign-in within the last 15 minutes', async () => {
    const [, page] = pages.find(([name]) => name === 'person') ?? []
    expect(
      Object.values(page?.actions ?? {}).filter(({ needsRecentSignIn }) => !needsRecentSignIn),
    ).toEqual([])

    await setManagerConfirmed(20)
    const { status, body } = await post('manager', path(), { intent: 'disable' })
    expect([status, await isDisabled()]).toEqual([403, false])
    expect(body).toContain('/Confirm?from=')

    await setManagerConfirmed(0)
  })

  it('disables the account, says so, and records who did it', async () => {
    const { status, body } = await post('manager', path(), { intent: 'disable' })
    expect([status, await isDisabled()]).toEqual([200, true])
    expect(body).toContain('The account is disabled and signed out everywhere.')
    expect((await listAuditEntries()).find(({ act }) => act === 'learner disable')).toMatchObject({
      by: getUid('manager'),
      subject: getUid('stranger'),
    })

    await post('manager', path(), { intent: 'enable' })
    expect(await isDisabled()).toBe(false)
  })

  it('lists a passkey among the sign-in methods', async () => {
    const passkey = {
      id: 'p',
      publicKey: 'p',
      credentialID: 'p',
      counter: 0,
      deviceType: 'multiDevice',
      backedUp: true,
    }

    await server.db.insert(tables.passkeys).values({ ...passkey, userId: getUid('stranger') })
    expect((await get('manager', path())).body).toContain('Password, Passkey')

    await server.db.delete(tables.passkeys)
  })

  it('turns two-step sign-in off with a reason, signs out everywhere, and emails the learner', async () => {
    const { db } = server
    const uid = getUid('stranger')
    const turnOff = (reason: string) =>
      post('manager', path(), { intent: 'turn-off-two-step', reason })
    expect((await turnOff('Called back')).status).toBe(400)

    const now = new Date()
    const app = {
      secret: 's',
      createdAt: now,
      enabledAt: now,
      recoveryHashes: [],
      recoverySalt: '',
    }

    await db.insert(tables.twoFactor).values({ uid, ...app })
    expect((await get('manager', path())).body).toContain('Turn two-step sign-in off')

    for (const reason of [' ', 'x'.repeat(501)]) {
      expect((await turnOff(reason)).status).toBe(400)
    }

    expect((await turnOff('Called back')).status).toBe(200)
    expect(await db.$count(tables.twoFactor, eq(tables.twoFactor.uid, uid))).toBe(0)
    expect(await db.$count(tables.sessions, eq(tables.sessions.userId, uid))).toBe(0)

    const mails = await db.select().from(tables.outbox).where(eq(tables.outbox.uid, uid))
    expect(mails.map(({ topic }) => topic)).toContain('factors-reset')
    expect(
      (await listAuditEntries()).find(({ act }) => act === 'learner turn-off-two-step'),
    ).toMatchObject({
      by: getUid('manager'),
      subject: uid,
      arguments: { reason: 'Called back' },
    })

    expect((await get('manager', path())).body).not.toContain('Turn two-step sign-in off')
  })

  it('lets no manager change the account of another member of staff', async () => {
    const [, page] = pages.find(([name]) => name === 'person') ?? []
    for (const subject of ['owner', 'teacher']) {
      expect((await get('manager', `/Desk/People/${getUid(subject)}`)).body).not.toContain(
        'name="intent"',
      )
      for (const intent of Object.keys(page?.actions ?? {})) {
        const form = {
          intent,
          email: 'taken@learnify.example',
          course: ownCourse,
          confirmation: deskEmail(subject),
        }
        const { status, body } = await post('manager', `/Desk/People/${getUid(subject)}`, form)
        expect(
          [status, body.includes('Only an owner can do this')],
          `${intent} ${subject}`,
        ).toEqual([400, true])
      }
    }
  })

  it('enrolls the person in a course, and explains why it refuses', async () => {
    expect((await post('manager', path(), { intent: 'enroll', course: ownCourse })).body).toContain(
      `Enrolled in ${ownTitle}.`,
    )

    const refusal = await post('manager', path(), { intent: 'enroll', course: 'flying' })
    expect([refusal.status, refusal.body.includes('no published course')]).toEqual([400, true])
  })

  it('never disables your own account, and deletes one only if its email address is entered', async () => {
    const ownAccount = await post('manager', `/Desk/People/${getUid('manager')}`, {
      intent: 'disable',
    })
    expect([ownAccount.status, ownAccount.body.includes('This is your own account.')]).toEqual([
      400,
      true,
    ])

    const wrongEmail = await post('manager', path(), {
      intent: 'delete',
      confirmation: 'other@learnify.example',
    })
    expect(wrongEmail.status).toBe(400)

    const rightEmail = await post('manager', path(), {
      intent: 'delete',
      confirmation: 'stranger@learnify.example',
    })
    expect([rightEmail.status, rightEmail.headers.location]).toEqual([303, '/Desk/People'])
    expect((await get('manager', path())).status).toBe(404)
  })
})

describe('a review', () => {
  const form = { course: ownCourse, review: 'review-1' }
  const findReview = async () => (await server.db.select().from(tables.reviews))[0]

  it('is hidden with a reason that its author sees, and shown again', async () => {
    await server.db
      .insert(tables.reviews)
      .values({ uid: getUid('enrolled'), courseId: ownCourse, id: 'review-1', rating: 1 })
    expect((await get('manager', '/Desk/Reviews?state=low')).body).toContain(
      `/Desk/Courses/${ownCourse}`,
    )
    expect((await post('manager', '/Desk/Reviews', { intent: 'hide', ...form })).status).toBe(400)

    await post('manager', '/Desk/Reviews', {
      intent: 'hide',
      ...form,
      reason: 'It names somebody.',
    })
    expect(await findReview()).toMatchObject({
      hiddenReason: 'It names somebody.',
      hiddenAt: expect.any(Date),
    })

    const viewer = await get('enrolled', `/viewer?course=${ownCourse}`)
    expect(JSON.parse(viewer.body).reviews.review.hidden).toMatch(
      /hidden this review.*The reason: It names somebody\.$/,
    )

    await post('manager', '/Desk/Reviews', { intent: 'show', ...form })
    expect(await findReview()).toMatchObject({ hiddenReason: null, hiddenAt: null })
  })
})

describe('the staff', () => {
  it('never loses its only owner', async () => {
    const forms: Record<string, string>[] = [
      { intent: 'take', uid: getUid('owner') },
      { intent: 'give', email: deskEmail('owner'), role: 'manager' },
    ]

    for (const form of forms) {
      const { status, body } = await post('owner', '/Desk/Staff', form)
      expect([status, body.includes('the only owner')]).toEqual([400, true])
    }

    const deletion = await post('owner', '/OwnData', {
      uid: getUid('owner'),
      password: deskPassword,
    })

    expect(deletion.headers.location).toBe('/Profile/settings?refused=only-owner#own-data')
    expect((await get('owner', '/Desk/Staff')).status).toBe(200)
  })

  it('gets an owner back who lost phone and codes, by the command', async () => {
    const { db } = server
    const uid = getUid('owner')
    const now = new Date()
    const app = {
      secret: 's',
      createdAt: now,
      enabledAt: now,
      recoveryHashes: [],
      recoverySalt: '',
    }

    await db.insert(tables.twoFactor).values({ uid, ...app })
    expect(JSON.parse((await server.signIn('owner')).body).code).toBe('second-step')

    const { turnOffTwoStep } = await import('~/features/staff/account-actions.server')
    await turnOffTwoStep(operatorContext(db), deskEmail('owner'), 'It is me')

    expect((await server.signIn('owner')).status).toBe(200)
    expect((await get('owner', '/Desk/Staff')).status).toBe(200)
  })

  it('counts no owner whose account is disabled', async () => {
    await server.db.insert(tables.staff).values({ uid: getUid('learner'), role: 'owner' })
    await setDisabled('learner', true)

    const { status } = await post('owner', '/Desk/Staff', { intent: 'take', uid: getUid('owner') })
    expect(status).toBe(400)
    expect(await createFirstOwnerLink(server.db)).toBeNull()

    await setDisabled('owner', true)
    expect(await createFirstOwnerLink(server.db)).toContain('/Desk/Join?token=')

    await setDisabled('owner', false)
    await setDisabled('learner', false)
  })

  it.each([
    [
      'lowers their own role goes to the rest of the desk',
      { intent: 'give', role: 'manager' },
      '/Desk',
    ],
    ['gives up their own role goes to Home', { intent: 'take' }, '/'],
  ])('has an owner who %s', async (_, form, nextPage) => {
    const role = { uid: getUid('learner'), role: 'owner' as const }
    await server.db
      .insert(tables.staff)
      .values(role)
      .onConflictDoUpdate({ target: tables.staff.uid, set: role })

    const account = { email: deskEmail('learner'), uid: getUid('learner') }
    const { status, headers } = await post('learner', '/Desk/Staff', { ...form, ...account })

    expect([status, headers.location]).toEqual([303, nextPage])
  })

  it('gains a teacher with a course, and loses the teacher again', async () => {
    const giveForm = { intent: 'give', email: deskEmail('learner'), role: 'teacher' }
    const takeForm = { intent: 'take', uid: getUid('learner') }
    const submit = (form: Record<string, string>) => post('owner', '/Desk/Staff', form)

    expect((await submit(giveForm)).body).toContain('A teacher needs at least one course.')
    expect((await submit({ ...giveForm, courses: 'flying' })).status).toBe(400)

    expect((await submit({ ...giveForm, courses: ownCourse })).status).toBe(200)
    expect((await get('learner', `/Desk/Courses/${ownCourse}`)).status).toBe(200)

    expect((await submit(takeForm)).status).toBe(200)
    expect((await get('learner', `/Desk/Courses/${ownCourse}`)).status).toBe(404)
  })

  it('loses nobody whom the owner has not chosen', async () => {
    const { body } = await get('owner', '/Desk/Staff')
    expect(body).toMatch(/<select[^>]*name="uid"[^>]*required[^>]*><option value=""[ >]/)

    const refusal = await post('owner', '/Desk/Staff', { intent: 'take', uid: '' })
    expect([refusal.status, refusal.body.includes('Choose a member of staff.')]).toEqual([
      400,
      true,
    ])
  })

  it('can have a teacher for a course that isn’t published yet', async () => {
    const setPublished = (published: boolean) =>
      server.db.update(tables.courses).set({ published }).where(eq(tables.courses.id, otherCourse))
    await setPublished(false)
    const { body } = await get('owner', '/Desk/Staff')
    await setPublished(true)

    expect(body).toMatch(new RegExp(`<input type="checkbox"[^>]*value="${otherCourse}"`))
  })

  it('refuses an account with an unconfirmed email address, and the demo learner', async () => {
    await server.db
      .update(tables.users)
      .set({ emailVerified: false })
      .where(eq(tables.users.id, getUid('learner')))

    for (const email of [deskEmail('learner'), 'demo-learner']) {
      const form = { intent: 'give', email, role: 'manager' }
      expect((await post('owner', '/Desk/Staff', form)).status).toBe(400)
    }
  })
})

describe('the link to the first owner', () => {
  let link = ''
  beforeEach(async () => {
    link = await createOwnerLink(server.db)
    await server.db.update(tables.users).set({ emailVerified: true })
  })
  const findRole = async (visitor: string) =>
    (
      await server.db
        .select()
        .from(tables.staff)
        .where(eq(tables.staff.uid, getUid(visitor)))
    )[0]?.role

  it('changes nothing until the button is pressed, and then no link works any more', async () => {
    expect((await get('visitor', link)).body).toContain('/SignUp?from=%2FDesk%2FJoin')
    expect((await get('learner', link)).body).toContain('Become the owner')
    expect(await findRole('learner')).toBeUndefined()

    const otherLink = await createOwnerLink(server.db)
    const joined = await post('learner', link, {})
    expect([joined.status, joined.headers.location, await findRole('learner')]).toEqual([
      303,
      '/Desk',
      'owner',
    ])

    for (const usedLink of [link, otherLink]) {
      expect((await post('enrolled', usedLink, {})).status).toBe(400)
      expect((await get('enrolled', usedLink)).status).toBe(404)
    }

    expect(await findRole('enrolled')).toBeUndefined()
  })

  it('makes nobody an owner whose email address is unconfirmed', async () => {
    await server.db
      .update(tables.users)
      .set({ emailVerified: false })
      .where(eq(tables.users.id, getUid('enrolled')))
    const page = await get('enrolled', link)
    expect(page.body).toContain('Confirm your email address')
    expect(page.body).not.toContain('Become the owner')

    const joined = await post('enrolled', link, {})
    expect([joined.status, await findRole('enrolled')]).toEqual([400, undefined])
  })

  it('makes one owner if several links are used at once', async () => {
    const links = await Promise.all([0, 1, 2, 3].map(() => createOwnerLink(server.db)))
    const joined = await Promise.all(links.map((ownerLink) => post('enrolled', ownerLink, {})))

    expect(joined.map(({ status }) => status).toSorted()).toEqual([303, 400, 400, 400])
  })

  it('expires after a day', async () => {
    const oldLink = await createOwnerLink(server.db, new Date(Date.now() - 25 * 60 * 60_000))

    expect((await get('enrolled', oldLink)).body).toContain('no longer works')
    expect((await post('enrolled', oldLink, {})).status).toBe(400)
  })

  it('is an unknown page without a token or a sign-in', async () => {
    for (const path of ['/Desk/Join', '/Desk/Join?token=short']) {
      expect((await get('owner', path)).body).toContain(unknownPageText)
    }

    expect((await post('visitor', '/Desk/Join', {})).status).toBe(404)
    expect((await post('visitor', link, {})).status).toBe(404)
  })
})
