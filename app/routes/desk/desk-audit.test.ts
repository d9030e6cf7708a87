import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as tables from '~/server/database/schema'
import { type DeskServer, deskEmail, startDeskServer } from '../../../tests/support/desk-server'
import { readZip } from '../../../tests/support/read-zip'

const courseId = 'python-from-zero'
let server: DeskServer
const personPath = (name: string) => `/Desk/People/${server.getUid(name)}`

beforeAll(async () => {
  server = await startDeskServer()
  for (const name of ['ada', 'ben']) {
    await server.signUp(name)
  }

  await server.signUp('manager', 'manager')
  await server.signUp('owner', 'owner')
  await server.db.insert(tables.enrollments).values({ uid: server.getUid('ada'), courseId })
})
afterAll(() => server.stop())

/** Returns the latest audit entry, apart from entries about opening the page of an account. */
async function findLatestEntry() {
  const entries = await server.listAuditEntries()
  return entries.find(({ act }) => act !== 'learner open')
}

it('has what each action on an account changed, and nothing that names its learner', async () => {
  await server.post('manager', personPath('ada'), { intent: 'disable' })
  expect(await findLatestEntry()).toMatchObject({
    act: 'learner disable',
    changes: { disabled: { from: false, to: true }, sessions: { from: 1, to: 0 } },
  })

  await server.post('manager', personPath('ada'), { intent: 'enable' })
  expect(await findLatestEntry()).toMatchObject({
    changes: { disabled: { from: true, to: false } },
  })

  await server.post('manager', personPath('ben'), { intent: 'enroll', course: courseId })
  expect(await findLatestEntry()).toMatchObject({
    changes: { [`enrolled in ${courseId}`]: { from: null, to: true } },
  })

  await server.post('manager', personPath('ben'), {
    intent: 'change-email',
    email: 'new@learnify.example',
  })
  const emailEntry = await findLatestEntry()
  expect(emailEntry).toMatchObject({ changes: { addressConfirmed: { from: true, to: false } } })
  expect(JSON.stringify(emailEntry)).not.toContain('new@')

  const role = { intent: 'give', email: deskEmail('ada'), role: 'teacher', courses: courseId }
  await server.post('owner', '/Desk/Staff', role)
  expect(await findLatestEntry()).toMatchObject({
    changes: { role: { from: null, to: 'teacher' }, courses: { from: null, to: [courseId] } },
  })

  await server.post('owner', '/Desk/Staff', { intent: 'take', uid: server.getUid('ada') })
  expect(await findLatestEntry()).toMatchObject({
    changes: { role: { from: 'teacher', to: null } },
  })
})

function formatUtcDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}

it('is filtered by who, what, about whom, and when, on the page and as CSV, with old and new values', async () => {
  // An hour on both sides, because the day may change during the test.
  const hourMs = 60 * 60_000
  const since = formatUtcDay(Date.now() - hourMs)
  const until = formatUtcDay(Date.now() + hourMs)
  const filter = {
    by: server.getUid('manager'),
    act: 'learner disable',
    subject: server.getUid('ada'),
    since,
  }
  const { body } = await server.get(
    'owner',
    `/Desk/Audit?${new URLSearchParams({ ...filter, until })}`,
  )

  // The days of the filter are in the school's time zone.
  expect(body).toContain('From (UTC)')
  expect(body).toContain('Until (UTC)')
  expect(body).toContain('The account is disabled')
  expect(body).not.toContain('The account is enabled')
  expect(body).toMatch(/<summary[^>]*>Filters \(5 set\)</)
  expect(body).toMatch(/disabled:<\/dt>.*?<del[^>]*>no<\/del>.*?<ins[^>]*>yes<\/ins>/s)
  expect((await server.get('owner', '/Desk/Audit?until=2020-01-01')).body).toContain(
    'Nothing of this kind was done.',
  )
  expect((await server.get('owner', '/Desk/Audit?until=9999-12-31')).status).toBe(200)

  const csv = (await server.post('owner', '/Desk/Export', { table: 'audit', ...filter, until }))
    .body
  expect(csv.trim().split('\r\n')).toHaveLength(2)
  expect(csv).toContain('disabled: false → true; sessions: 1 → 0')
  expect((await findLatestEntry())?.arguments).toMatchObject({
    act: 'learner disable',
    columns: expect.stringContaining('changes'),
  })

  // The outcome is recorded after the table is sent.
  await expect
    .poll(async () => (await findLatestEntry())?.outcome, { timeout: 30_000 })
    .toBe('Downloaded 1 row of audit.')

  const emptyCsv = (
    await server.post('owner', '/Desk/Export', { table: 'audit', until: '2020-01-01' })
  ).body
  expect(emptyCsv.trim().split('\r\n')).toHaveLength(1)
})

it('tells learners in their own data who opened, changed and exported them, and of exports of others nothing', async () => {
  await server.post('manager', '/Desk/Export', { table: 'people' })
  await server.post('manager', '/Desk/Export', { table: 'progress', course: courseId })
  await server.post('manager', '/Desk/Export', {
    table: 'progress',
    course: 'typography-for-screens',
  })

  await server.get('manager', personPath('ada'))
  const { createOwnDataArchive } = await import(
    '~/features/accounts/own-data/own-data-archive.server'
  )
  const archiveSources = {
    db: server.db,
    files: { read: async () => null },
    listAnsweredCourses: async () => new Set<string>(),
    listMoreFiles: async function* () {},
  }
  const archive = await readZip(
    await buffer(createOwnDataArchive(archiveSources, server.getUid('ada'), new Date())),
  )
  const entries: Record<string, unknown>[] = JSON.parse(String(archive.get('operator-acts.json')))

  const actionsOfManager = entries
    .filter(({ staff }) => staff === 'manager Byron')
    .map(({ act }) => act)
  expect(new Set(actionsOfManager)).toEqual(
    new Set([
      'learner disable',
      'learner enable',
      'learner open',
      'learners export',
      'course progress',
    ]),
  )

  for (const { act, arguments: values } of entries) {
    if (act === 'course progress') {
      expect(values).toMatchObject({ course: courseId })
    }
  }

  expect(entries.filter(({ act }) => act === 'audit export').map(({ staff }) => staff)).toContain(
    'owner Byron',
  )
  expect(entries.every((entry) => !('by' in entry))).toBe(true)
})
