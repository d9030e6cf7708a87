import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hasPermission, type StaffRole, staffRoles } from '~/features/staff/permissions'
import routes from '~/routes'
import * as tables from '~/server/database/schema'
import { operatorContext } from '../../../tests/support/admin'
import {
  type DeskFront,
  emailOf,
  password,
  startDeskFront,
} from '../../../tests/support/desk-front'
import type { DeskPageEntry } from '../../../tests/support/desk-pages'

const own = 'python-from-zero'
const foreign = 'typography-for-screens'
const unknownAddress = 'We couldn’t find that page.'

let front: DeskFront
let pages: [name: string, page: DeskPageEntry][]
let tableExports: typeof import('~/features/desk/export-table.server').tableExports
let ownerLink: typeof import('~/features/staff/owner-link.server').createOwnerLink
let createFirstOwnerLink: typeof import('~/features/staff/owner-link.server').createFirstOwnerLink

/** A visitor has no account, a learner no role. */
const visitors = ['visitor', 'learner', ...staffRoles]

const uidOf = (visitor: string) => front.uidOf(visitor)
const get: DeskFront['get'] = (...request) => front.get(...request)
const post: DeskFront['post'] = (...request) => front.post(...request)

const addressOf = ({ path }: DeskPageEntry, course = own, uid = uidOf('enrolled')) =>
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

const acts = () => front.db.select().from(tables.operatorActs)

const confirmed = (minutesAgo: number) =>
  front.db
    .update(tables.sessions)
    .set({ confirmedAt: sql`now() - make_interval(mins => ${minutesAgo})` })
    .where(eq(tables.sessions.userId, uidOf('manager')))

const setDisabled = (visitor: string, banned: boolean) =>
  front.db
    .update(tables.users)
    .set({ banned })
    .where(eq(tables.users.id, uidOf(visitor)))

beforeAll(async () => {
  front = await startDeskFront()
  // Loaded after the settings, like the rest of the product.
  pages = Object.entries((await import('../../../tests/support/desk-pages')).deskPages)
  ;({ tableExports } = await import('~/features/desk/export-table.server'))
  ;({ createOwnerLink: ownerLink, createFirstOwnerLink } = await import(
    '~/features/staff/owner-link.server'
  ))
  const { db, signUp } = front
  for (const name of ['learner', 'enrolled', 'stranger']) {
    await signUp(name)
  }

  for (const role of staffRoles) {
    await signUp(role, role, role === 'teacher' ? [own] : [])
  }

  await db.insert(tables.enrollments).values([
    { uid: uidOf('enrolled'), courseId: own },
    { uid: uidOf('stranger'), courseId: foreign },
  ])
  await db.insert(tables.imports).values({
    id: 'deskimport',
    by: uidOf('owner'),
    fileName: 'class.csv',
    state: 'checked',
    emailsPerMinute: 60,
  })
  const buyer = { name: 'Ada Byron', email: 'enrolled@learnify.example' }
  const order = {
    courseId: own,
    courseTitle: 'Python',
    currency: 'USD',
    listMinor: 4900,
    totalMinor: 4900,
    buyer,
  }

  await db.insert(tables.orders).values([
    { ...order, id: 'DESKORDER2', uid: uidOf('enrolled') },
    { ...order, id: 'DESKORDER3', uid: uidOf('stranger') },
  ])
  const draft = { audience: 'all', subject: 'News', body: 'Hello' } as const
  await db
    .insert(tables.announcements)
    .values([own, foreign].map((courseId) => ({ ...draft, id: `news-of-${courseId}`, courseId })))
  await db.insert(tables.coupons).values({ code: 'DESKCODE', percent: 20 })
})
afterAll(() => front.stop())

describe('every page of the desk', () => {
  it('is in the list that these tests walk', () => {
    const desk = routes.find(({ path }) => path === 'Desk')
    const paths = (desk?.children ?? []).map(({ path = '' }) => path)
    const listed = pages.map(([, { path }]) => path)
    expect(listed.toSorted()).toEqual(
      paths.filter((path) => !['Export', '*'].includes(path)).toSorted(),
    )
  })

  it('is an unknown page for everyone else when a script asks for its data, too', async () => {
    for (const visitor of ['visitor', 'learner']) {
      for (const [name, page] of pages) {
        const path = addressOf(page)
        const dataPath = path === '/Desk' ? '/Desk.data' : `${path}.data`
        const { status, body } = await get(visitor, dataPath)
        expect(status, name).toBe(404)
        expect(body, name).not.toContain('timeZone')
      }
    }
  })

  it.each(visitors)(
    'answers %s as their role allows, and is an unknown address otherwise',
    async (visitor) => {
      for (const [name, page] of pages) {
        const { status, body, headers: answered } = await get(visitor, addressOf(page))
        const allowed = isStaff(visitor) && hasPermission({ role: visitor }, page.permission)
        if (visitor === 'teacher' && name === 'today') {
          expect(answered.location).toBe('/Desk/Courses')
        } else {
          expect(status, name).toBe(allowed ? 200 : 404)
          expect(body.includes(unknownAddress), name).toBe(!allowed)
        }
      }
    },
  )

  it('does not exist for a disabled account', async () => {
    await setDisabled('manager', true)
    expect((await get('manager', '/Desk/People')).status).toBe(404)
    await setDisabled('manager', false)
  })

  it('of a course that isn’t theirs does not exist for a teacher, and neither does a learner of another course', async () => {
    for (const [, page] of pages.filter(([, { path }]) => /:course|:announcement/.test(path))) {
      expect((await get('teacher', addressOf(page, foreign, uidOf('stranger')))).status).toBe(404)
      expect((await get('owner', addressOf(page, foreign, uidOf('stranger')))).status).toBe(200)
    }

    expect(
      (await get('teacher', `/Desk/Courses/${own}/Learners/${uidOf('stranger')}`)).status,
    ).toBe(404)
    expect((await get('teacher', `/Desk/Courses/${own}`)).body).not.toContain('Revenue')
    const list = (await get('teacher', '/Desk/Courses')).body
    expect([list.includes(`/Desk/Courses/${own}`), list.includes(foreign)]).toEqual([true, false])
  })

  it('shows a teacher email addresses only if the owner allows it', async () => {
    const address = `/Desk/Courses/${own}/Learners`
    const email = emailOf('enrolled')
    expect((await get('teacher', address)).body).not.toContain(email)
    await front.db
      .update(tables.staff)
      .set({ seesAddresses: true })
      .where(eq(tables.staff.uid, uidOf('teacher')))
    expect((await get('teacher', address)).body).toContain(email)
    await front.db
      .update(tables.staff)
      .set({ seesAddresses: false })
      .where(eq(tables.staff.uid, uidOf('teacher')))
  })

  it('that shows a learner is in the audit, once for a while', async () => {
    const opened = async () =>
      (await acts()).filter(({ act, by }) => act === 'learner open' && by === uidOf('owner'))
    await get('owner', `/Desk/People/${uidOf('stranger')}`)
    await get('owner', `/Desk/People/${uidOf('stranger')}`)
    expect((await opened()).filter(({ subject }) => subject === uidOf('stranger'))).toHaveLength(1)
  })

  it('that shows a learner’s order or progress in a course is in the audit, too', async () => {
    await get('teacher', `/Desk/Courses/${own}/Learners/${uidOf('enrolled')}`)
    await get('manager', '/Desk/Orders/DESKORDER3')
    expect(await acts()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          act: 'learner open',
          by: uidOf('teacher'),
          subject: uidOf('enrolled'),
        }),
        expect.objectContaining({
          act: 'learner open',
          by: uidOf('manager'),
          subject: uidOf('stranger'),
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
  ])('answers %s, whose day does not exist', async (address) => {
    expect((await get('owner', address)).status).toBe(200)
  })
})

function isStaff(visitor: string): visitor is StaffRole {
  return staffRoles.some((role) => role === visitor)
}

describe('every act of the desk', () => {
  it.each(visitors)(
    'is refused to %s like an unknown address, unless their role allows it',
    async (visitor) => {
      for (const [name, page] of pages) {
        for (const [act, { permission }] of Object.entries(page.actions)) {
          const before = (await acts()).length
          // Without its other fields, no act does anything.
          const { status } = await post(visitor, addressOf(page, own, 'no-one'), { act })
          const allowed = isStaff(visitor) && hasPermission({ role: visitor }, permission)
          expect(status === 404, `${name} ${act}`).toBe(!allowed)
          expect((await acts()).length, `${name} ${act}`).toBe(before)
        }
      }
    },
  )

  it('that no page has does not exist', async () => {
    for (const act of ['', 'fly', 'constructor']) {
      expect((await post('owner', '/Desk/Staff', { act })).status).toBe(404)
    }
  })

  it.each(['visitor', 'learner', 'teacher'])(
    'that no page has is refused to %s by every page alike, so that none reveals itself',
    async (visitor) => {
      const paths = [
        '/Desk/NoSuchPage',
        '/Desk/Export',
        ...pages.map(([, page]) => addressOf(page)),
      ]
      for (const path of paths) {
        const asPage = await post(visitor, path, { act: 'fly' })
        expect([asPage.status, asPage.body.includes(unknownAddress)], path).toEqual([404, true])
        const asData = await post(visitor, `${path}.data`, { act: 'fly' })
        expect(asData.status, `${path}.data`).toBe(404)
      }
    },
  )
})

describe('every table of the desk', () => {
  it.each(visitors)('is given to %s only as their role allows', async (visitor) => {
    for (const [table, { permission }] of Object.entries(tableExports)) {
      const {
        status,
        headers: answered,
        body,
      } = await post(visitor, '/Desk/Export', { table, course: own })
      const allowed = isStaff(visitor) && hasPermission({ role: visitor }, permission)
      expect(status, table).toBe(allowed ? 200 : 404)
      expect(answered['content-type'], table).toContain(allowed ? 'text/csv' : 'text/html')
      if (table === 'progress' && allowed) {
        expect(body.includes('enrolled@')).toBe(visitor !== 'teacher')
      }
    }
  })

  it('is in the audit, and holds no formula', async () => {
    await front.db
      .update(tables.users)
      .set({ lastName: '=1+1' })
      .where(eq(tables.users.id, uidOf('stranger')))
    const { body } = await post('manager', '/Desk/Export', { table: 'people' })
    expect(body).toContain("'=1+1")
    expect(
      (await acts()).filter(({ act }) => act === 'learners export').map(({ by }) => by),
    ).toContain(uidOf('manager'))
  })

  it('wants a proof of the last 15 minutes that it is still them', async () => {
    await confirmed(20)
    const { status, headers: answered } = await post('manager', '/Desk/Export', { table: 'people' })
    expect([status, answered.location]).toEqual([303, '/Confirm?from=%2FDesk%2FPeople'])
    await confirmed(0)
  })

  it('of a foreign course does not exist for a teacher', async () => {
    expect(
      (await post('teacher', '/Desk/Export', { table: 'progress', course: foreign })).status,
    ).toBe(404)
  })
})

describe('an act on a person', () => {
  const address = () => `/Desk/People/${uidOf('stranger')}`
  const isDisabled = async () => {
    const [user] = await front.db
      .select()
      .from(tables.users)
      .where(eq(tables.users.id, uidOf('stranger')))
    return user?.banned
  }

  it('wants a proof of the last 15 minutes that it is still them', async () => {
    const [, page] = pages.find(([name]) => name === 'person') ?? []
    expect(Object.values(page?.actions ?? {}).filter(({ isSensitive }) => !isSensitive)).toEqual([])
    await confirmed(20)
    const { status, body } = await post('manager', address(), { act: 'disable' })
    expect([status, await isDisabled()]).toEqual([403, false])
    expect(body).toContain('/Confirm?from=')
    await confirmed(0)
  })

  it('is done and audited with who did it, and says so', async () => {
    const { status, body } = await post('manager', address(), { act: 'disable' })
    expect([status, await isDisabled()]).toEqual([200, true])
    expect(body).toContain('The account is disabled and signed out everywhere.')
    expect((await acts()).find(({ act }) => act === 'learner disable')).toMatchObject({
      by: uidOf('manager'),
      subject: uidOf('stranger'),
    })
    await post('manager', address(), { act: 'enable' })
    expect(await isDisabled()).toBe(false)
  })

  it('sees a passkey among the ways to sign in', async () => {
    const passkey = {
      id: 'p',
      publicKey: 'p',
      credentialID: 'p',
      counter: 0,
      deviceType: 'multiDevice',
      backedUp: true,
    }

    await front.db.insert(tables.passkeys).values({ ...passkey, userId: uidOf('stranger') })
    expect((await get('manager', address())).body).toContain('Password, Passkey')
    await front.db.delete(tables.passkeys)
  })

  it('turns two-step sign-in off for a reason, signs out everywhere, and tells the learner', async () => {
    const { db } = front
    const uid = uidOf('stranger')
    const turnOff = (reason: string) =>
      post('manager', address(), { act: 'turn-off-two-step', reason })
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
    expect((await get('manager', address())).body).toContain('Turn two-step sign-in off')
    for (const reason of [' ', 'x'.repeat(501)]) {
      expect((await turnOff(reason)).status).toBe(400)
    }

    expect((await turnOff('Called back')).status).toBe(200)
    expect(await db.$count(tables.twoFactor, eq(tables.twoFactor.uid, uid))).toBe(0)
    expect(await db.$count(tables.sessions, eq(tables.sessions.userId, uid))).toBe(0)
    const mails = await db.select().from(tables.outbox).where(eq(tables.outbox.uid, uid))
    expect(mails.map(({ about }) => about)).toContain('factors-reset')
    expect((await acts()).find(({ act }) => act === 'learner turn-off-two-step')).toMatchObject({
      by: uidOf('manager'),
      subject: uid,
      arguments: { reason: 'Called back' },
    })

    expect((await get('manager', address())).body).not.toContain('Turn two-step sign-in off')
  })

  it('by a manager never touches the account of another member of staff', async () => {
    const [, page] = pages.find(([name]) => name === 'person') ?? []
    for (const subject of ['owner', 'teacher']) {
      expect((await get('manager', `/Desk/People/${uidOf(subject)}`)).body).not.toContain(
        'name="act"',
      )
      for (const act of Object.keys(page?.actions ?? {})) {
        const form = {
          act,
          email: 'taken@learnify.example',
          course: own,
          confirmation: emailOf(subject),
        }
        const { status, body } = await post('manager', `/Desk/People/${uidOf(subject)}`, form)
        expect([status, body.includes('Only an owner can do this')], `${act} ${subject}`).toEqual([
          400,
          true,
        ])
      }
    }
  })

  it('enrolls, and explains what it refuses', async () => {
    expect((await post('manager', address(), { act: 'enroll', course: own })).body).toContain(
      `Enrolled in ${own}.`,
    )
    const refused = await post('manager', address(), { act: 'enroll', course: 'flying' })
    expect([refused.status, refused.body.includes('no published course')]).toEqual([400, true])
  })

  it('never locks out the one who does it, and deletes nothing by mistake', async () => {
    const self = await post('manager', `/Desk/People/${uidOf('manager')}`, { act: 'disable' })
    expect([self.status, self.body.includes('This is your own account.')]).toEqual([400, true])
    const wrong = await post('manager', address(), {
      act: 'delete',
      confirmation: 'other@learnify.example',
    })
    expect(wrong.status).toBe(400)
    const right = await post('manager', address(), {
      act: 'delete',
      confirmation: 'stranger@learnify.example',
    })
    expect([right.status, right.headers.location]).toEqual([303, '/Desk/People'])
    expect((await get('manager', address())).status).toBe(404)
  })
})

describe('a review', () => {
  const form = { course: own, review: 'review-1' }
  const stored = async () => (await front.db.select().from(tables.reviews))[0]

  it('is hidden with a reason that its author reads, and shown again', async () => {
    await front.db
      .insert(tables.reviews)
      .values({ uid: uidOf('enrolled'), courseId: own, id: 'review-1', rating: 1 })
    expect((await get('manager', '/Desk/Reviews?state=low')).body).toContain(`/Desk/Courses/${own}`)
    expect((await post('manager', '/Desk/Reviews', { act: 'hide', ...form })).status).toBe(400)
    await post('manager', '/Desk/Reviews', { act: 'hide', ...form, reason: 'It names somebody.' })
    expect(await stored()).toMatchObject({
      hiddenReason: 'It names somebody.',
      hiddenAt: expect.any(Date),
    })
    const viewer = await get('enrolled', `/viewer?course=${own}`)
    expect(JSON.parse(viewer.body).reviews.review.hidden).toMatch(
      /hidden this review.*The reason: It names somebody\.$/,
    )
    await post('manager', '/Desk/Reviews', { act: 'show', ...form })
    expect(await stored()).toMatchObject({ hiddenReason: null, hiddenAt: null })
  })
})

describe('the staff', () => {
  it('never loses its only owner', async () => {
    const take = await post('owner', '/Desk/Staff', { act: 'take', account: uidOf('owner') })
    const lower = await post('owner', '/Desk/Staff', {
      act: 'give',
      account: uidOf('owner'),
      role: 'manager',
    })

    for (const { status, body } of [take, lower]) {
      expect([status, body.includes('the only owner')]).toEqual([400, true])
    }

    const left = await post('owner', '/OwnData', { uid: uidOf('owner'), password })
    expect(left.headers.location).toBe('/Profile/settings?refused=only-owner#own-data')
    expect((await get('owner', '/Desk/Staff')).status).toBe(200)
  })

  it('has its owner back who lost phone and codes, by the command', async () => {
    const { db } = front
    const uid = uidOf('owner')
    const now = new Date()
    const app = {
      secret: 's',
      createdAt: now,
      enabledAt: now,
      recoveryHashes: [],
      recoverySalt: '',
    }

    await db.insert(tables.twoFactor).values({ uid, ...app })
    expect(JSON.parse((await front.signIn('owner')).body).code).toBe('second-step')
    const { turnOffTwoStep } = await import('~/features/staff/account-actions.server')
    await turnOffTwoStep(operatorContext(db), emailOf('owner'), 'It is me')

    expect((await front.signIn('owner')).status).toBe(200)
    expect((await get('owner', '/Desk/Staff')).status).toBe(200)
  })

  it('has no owner in a disabled account', async () => {
    await front.db.insert(tables.staff).values({ uid: uidOf('learner'), role: 'owner' })
    await setDisabled('learner', true)
    expect(
      (await post('owner', '/Desk/Staff', { act: 'take', account: uidOf('owner') })).status,
    ).toBe(400)
    expect(await createFirstOwnerLink(front.db)).toBeNull()
    await setDisabled('owner', true)
    expect(await createFirstOwnerLink(front.db)).toContain('/Desk/Join?token=')
    await setDisabled('owner', false)
    await setDisabled('learner', false)
  })

  it.each([
    [
      'gives their own role away gets to what is left of the desk',
      { act: 'give', role: 'manager' },
      '/Desk',
    ],
    ['takes their own role gets home', { act: 'take' }, '/'],
  ])('that %s', async (_, form, onward) => {
    const role = { uid: uidOf('learner'), role: 'owner' as const }
    await front.db
      .insert(tables.staff)
      .values(role)
      .onConflictDoUpdate({ target: tables.staff.uid, set: role })
    const { status, headers: answered } = await post('learner', '/Desk/Staff', {
      ...form,
      account: uidOf('learner'),
    })
    expect([status, answered.location]).toEqual([303, onward])
  })

  it('gets a teacher with a course, and loses them again', async () => {
    const email = emailOf('learner')
    const give = { act: 'give', account: email, role: 'teacher' }
    expect((await post('owner', '/Desk/Staff', give)).body).toContain(
      'A teacher needs at least one course.',
    )
    expect((await post('owner', '/Desk/Staff', { ...give, courses: 'flying' })).status).toBe(400)
    expect((await post('owner', '/Desk/Staff', { ...give, courses: own })).status).toBe(200)
    expect((await get('learner', `/Desk/Courses/${own}`)).status).toBe(200)
    expect(
      (await post('owner', '/Desk/Staff', { act: 'take', account: uidOf('learner') })).status,
    ).toBe(200)
    expect((await get('learner', `/Desk/Courses/${own}`)).status).toBe(404)
  })

  it('gets a teacher for a course that isn’t published yet', async () => {
    const setPublished = (published: boolean) =>
      front.db.update(tables.courses).set({ published }).where(eq(tables.courses.id, foreign))
    await setPublished(false)
    const { body } = await get('owner', '/Desk/Staff')
    await setPublished(true)
    expect(body).toMatch(new RegExp(`<input type="checkbox"[^>]*value="${foreign}"`))
  })

  it('has no account with an unconfirmed address, and not the demo learner', async () => {
    await front.db
      .update(tables.users)
      .set({ emailVerified: false })
      .where(eq(tables.users.id, uidOf('learner')))
    const unconfirmed = await post('owner', '/Desk/Staff', {
      act: 'give',
      account: uidOf('learner'),
      role: 'manager',
    })
    const demo = await post('owner', '/Desk/Staff', {
      act: 'give',
      account: 'demo-learner',
      role: 'manager',
    })

    expect([unconfirmed.status, demo.status]).toEqual([400, 400])
  })
})

describe('the link to the first owner', () => {
  let link = ''
  beforeEach(async () => {
    link = await ownerLink(front.db)
    await front.db.update(tables.users).set({ emailVerified: true })
  })
  const roleOf = async (visitor: string) =>
    (
      await front.db
        .select()
        .from(tables.staff)
        .where(eq(tables.staff.uid, uidOf(visitor)))
    )[0]?.role

  it('shows a page and changes nothing until its button is pressed; then no link works any more', async () => {
    expect((await get('visitor', link)).body).toContain('/SignUp?from=%2FDesk%2FJoin')
    expect((await get('learner', link)).body).toContain('Become the owner')
    expect(await roleOf('learner')).toBeUndefined()
    const other = await ownerLink(front.db)
    const joined = await post('learner', link, {})
    expect([joined.status, joined.headers.location, await roleOf('learner')]).toEqual([
      303,
      '/Desk',
      'owner',
    ])

    for (const used of [link, other]) {
      expect((await post('enrolled', used, {})).status).toBe(400)
      expect((await get('enrolled', used)).status).toBe(404)
    }

    expect(await roleOf('enrolled')).toBeUndefined()
  })

  it('makes nobody an owner whose email address is not confirmed', async () => {
    await front.db
      .update(tables.users)
      .set({ emailVerified: false })
      .where(eq(tables.users.id, uidOf('enrolled')))
    const page = await get('enrolled', link)
    expect(page.body).toContain('Confirm your email address')
    expect(page.body).not.toContain('Become the owner')
    const joined = await post('enrolled', link, {})
    expect([joined.status, await roleOf('enrolled')]).toEqual([400, undefined])
  })

  it('makes one owner, however many links are pressed at once', async () => {
    const links = await Promise.all([0, 1, 2, 3].map(() => ownerLink(front.db)))
    const joined = await Promise.all(links.map((each) => post('enrolled', each, {})))
    expect(joined.map(({ status }) => status).toSorted()).toEqual([303, 400, 400, 400])
  })

  it('is too old after a day', async () => {
    const old = await ownerLink(front.db, new Date(Date.now() - 25 * 60 * 60_000))
    expect((await get('enrolled', old)).body).toContain('no longer works')
    expect((await post('enrolled', old, {})).status).toBe(400)
  })

  it('without a token is an unknown address', async () => {
    for (const address of ['/Desk/Join', '/Desk/Join?token=short']) {
      expect((await get('owner', address)).body).toContain(unknownAddress)
    }

    expect((await post('visitor', '/Desk/Join', {})).status).toBe(404)
    expect((await post('visitor', link, {})).status).toBe(404)
  })
})
