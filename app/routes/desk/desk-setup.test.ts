import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as tables from '~/server/database/schema'
import { type DeskServer, startDeskServer } from '../../../tests/support/desk-server'

const question = 'Set up your school'
const sampleCourse = 'typography-for-screens'

let server: DeskServer
let site: typeof import('~/server/site/site.server')
let clearCache: () => void

beforeAll(async () => {
  server = await startDeskServer()
  site = await import('~/server/site/site.server')
  const { pageCache } = await import('~/server/cache/page-cache.server')
  clearCache = () => pageCache.clear()
  await server.signUp('owner', 'owner')
  await server.signUp('manager', 'manager')

  // The tests' content has one course that Learnify does not come with.
  await server.db.execute(sql`delete from content_courses where course_id = 'three-knots'`)
})
afterAll(() => server.stop())

beforeEach(async () => {
  await server.db.delete(tables.siteVersions)
  await site.refreshSite(server.db)
})

const openDesk = async (visitor = 'owner') => (await server.get(visitor, '/Desk')).body

const answers = {
  intent: 'setUp',
  name: 'Chess & Co',
  currency: 'EUR',
  timeZone: 'Europe/Berlin',
  samples: 'with',
}
const sendForm = (form: Record<string, string>, visitor = 'owner', path = '/Desk?index') =>
  server.post(visitor, path, form)

async function showsSampleCourse(): Promise<boolean> {
  clearCache()
  const { body } = await server.get('visitor', '/AllCourses')
  return body.includes(`/OneCourse/${sampleCourse}"`)
}

describe('the first visit of an owner', () => {
  it('asks until an owner answers, and stores all answers with one audit entry', async () => {
    expect(await openDesk()).toContain(question)

    const response = await sendForm(answers)
    expect([response.status, response.body.includes('The school is set up.')]).toEqual([200, true])
    expect(response.body).not.toContain(question)
    expect([site.siteName(), site.siteCurrency(), site.siteTimeZone()]).toEqual([
      'Chess & Co',
      'EUR',
      'Europe/Berlin',
    ])
    expect(await showsSampleCourse()).toBe(true)

    const [entry] = await server.db
      .select()
      .from(tables.operatorActs)
      .where(eq(tables.operatorActs.act, 'site setup'))
    expect(entry).toMatchObject({
      by: server.getUid('owner'),
      changes: { name: { to: 'Chess & Co' }, currency: { to: 'EUR' } },
    })
  })

  it('does not ask managers, who can’t answer either', async () => {
    expect(await openDesk('manager')).not.toContain(question)
    expect((await sendForm(answers, 'manager')).status).toBe(404)
    expect((await sendForm(answers, 'visitor')).status).toBe(404)
    expect(site.siteName()).toBe('Learnify')
  })

  it('can be skipped, which changes nothing else', async () => {
    const { body } = await sendForm({ intent: 'skipSetup', sure: 'on' })

    expect(body).toContain('Skipped.')
    expect(body).not.toContain(question)
    expect([site.siteName(), site.siteTimeZone()]).toEqual(['Learnify', 'UTC'])
    expect(await openDesk()).not.toContain(question)
  })

  it('stores only what the owner has changed', async () => {
    await sendForm({ ...answers, name: '', currency: 'USD', timeZone: 'UTC' })
    const versions = await server.db.select().from(tables.siteVersions)

    expect(versions.map(({ part, value }) => [part, value])).toEqual([['setup', 'answered']])
  })

  it.each([
    ['name', 'a<b'],
    ['currency', 'XXXX'],
    ['timeZone', 'Mars/Olympus'],
  ])('refuses the %s ‘%s’, keeps the entries and stores nothing', async (field, value) => {
    const response = await sendForm({ ...answers, [field]: value })

    expect(response.status).toBe(400)
    expect(response.body).toContain(question)
    expect(response.body).toContain('aria-invalid="true"')
    expect(await server.db.$count(tables.siteVersions)).toBe(0)
  })

  it('never shows a name that is not stored, because the currency is refused', async () => {
    const isSample = eq(tables.courses.id, sampleCourse)
    await server.db.update(tables.courses).set({ priceMinor: 4_950 }).where(isSample)
    const shownNames = new Set<string>()
    const stopFollowing = site.onSiteRefresh(async () => void shownNames.add(site.siteName()))

    const response = await sendForm({ ...answers, currency: 'JPY' })
    stopFollowing()

    expect([response.status, response.body.includes('more decimal places')]).toEqual([400, true])
    expect([...shownNames]).toEqual(['Learnify'])
  })

  it('is over once another owner has answered', async () => {
    await sendForm(answers)
    const response = await sendForm({ ...answers, name: 'Go & Co' })

    expect([response.status, response.body.includes('set up already')]).toEqual([400, true])
    expect(site.siteName()).toBe('Chess & Co')
  })

  it('can’t be skipped any more in another tab once it is answered', async () => {
    await sendForm(answers)
    const response = await sendForm({ intent: 'skipSetup', sure: 'on' })
    expect([response.status, response.body.includes('set up already')]).toEqual([400, true])

    const versions = await server.db
      .select()
      .from(tables.siteVersions)
      .where(eq(tables.siteVersions.part, 'setup'))
    expect(versions.map(({ value }) => value)).toEqual(['answered'])
  })

  it('does not ask about a school that has a name or a course of its own', async () => {
    await sendForm({ intent: 'name', seen: '0', name: 'One' }, 'owner', '/Desk/Site')
    expect(await openDesk()).not.toContain(question)

    await server.db.delete(tables.siteVersions)
    const [folder] = await server.db.select().from(tables.contentCourses).limit(1)
    if (!folder) {
      throw new Error('The content has courses.')
    }

    await server.db.insert(tables.contentCourses).values({ ...folder, courseId: 'three-knots' })
    expect(await openDesk()).not.toContain(question)

    await server.db.execute(sql`delete from content_courses where course_id = 'three-knots'`)
    expect(await openDesk()).toContain(question)
  })
})

describe('a school without the sample courses', () => {
  it('withdraws them, and an owner shows them again under Site', async () => {
    const { body } = await sendForm({ ...answers, samples: 'without' })
    expect(body).toMatch(/The school is set up\. \d+ courses withdrawn\./)
    expect(await showsSampleCourse()).toBe(false)

    const sitePage = await server.get('owner', '/Desk/Site')
    expect(sitePage.body).toContain('0 sample courses are published.')

    const restored = await sendForm({ intent: 'restoreSamples', sure: 'on' }, 'owner', '/Desk/Site')
    expect(restored.body).toMatch(/\d+ courses follow their files again\./)
    expect(await showsSampleCourse()).toBe(true)

    const again = await sendForm({ intent: 'restoreSamples', sure: 'on' }, 'owner', '/Desk/Site')
    expect(again.body).toContain('No chosen course was withdrawn at the desk.')
  })

  it('can also withdraw them later under Site', async () => {
    await sendForm({ intent: 'withdrawSamples', sure: 'on' }, 'owner', '/Desk/Site')
    expect(await showsSampleCourse()).toBe(false)

    await sendForm({ intent: 'restoreSamples', sure: 'on' }, 'owner', '/Desk/Site')
    expect(await showsSampleCourse()).toBe(true)
  })
})
