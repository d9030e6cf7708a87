import { afterEach, beforeAll, expect, it } from 'vitest'
import { testDatabase } from '../../tests/support/test-database'
import { workOf } from '../request-work'
import type { Database } from './database/client.server'
import { createHttpApp } from './http.server'
import { refuseChangesInMaintenance } from './maintenance.server'
import { readProductState, recordMaintenance } from './product-state.server'
import { followChanges, productWatch } from './product-watch.server'
import { readiness } from './readiness.server'

let db: Database
let stop = async () => {}
beforeAll(async () => {
  db = (await testDatabase()).db
})
afterEach(async () => {
  await recordMaintenance(db, null)
  await productWatch.check()
  await stop()
})

const origin = 'http://localhost:3000'
/** Of a process that follows the database. */
async function ask(path: string, init: RequestInit = {}) {
  stop = await followChanges(db, null)
  await productWatch.check()
  const app = createHttpApp({
    pages: async (request) => {
      try {
        refuseChangesInMaintenance({ request })
      } catch (refusal) {
        const { data, init: answer } = refusal as { data: string; init: ResponseInit }
        return new Response(data, answer)
      }
      return new Response('a page')
    },
    accounts: { handle: async () => new Response('signed in'), findSessionToken: async () => null },
    workOf,
    headers: {},
  })
  return app.request(origin + path, { ...init, headers: { Origin: origin, ...init.headers } })
}

it('changes get 503 with a sentence and the time to come back, and pages stay', async () => {
  await recordMaintenance(db, { message: 'We’re moving to a larger house.', until: null })
  const refused = await ask('/Enrollments', { method: 'POST' })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60'])
  expect(await refused.text()).toContain('We’re moving to a larger house.')
  expect((await ask('/AllCourses?page=of-a-test')).status).toBe(200)
  const account = await ask('/account/login', { method: 'POST' })
  expect([account.status, account.headers.get('retry-after')]).toEqual([503, '60'])
  expect(await account.json()).toEqual({ success: false, code: 'maintenance' })
  for (const { headers } of [refused, account]) expect(headers.get('cache-control')).toBe('no-store')
})

it('who comes back from another provider’s sign-in gets a page, not a code', async () => {
  await recordMaintenance(db, { message: 'We’re moving & growing', until: null })
  const back = await ask('/account/callback/google?code=1', { headers: { Accept: 'text/html,*/*;q=0.8' } })
  expect([back.status, back.headers.get('retry-after')]).toEqual([503, '60'])
  expect(await back.text()).toContain('<p>We’re moving &amp; growing. Please try again in a few minutes.</p>')
})

it('the process stays ready, with a warning, and takes everything again afterward', async () => {
  await recordMaintenance(db, { message: null, until: null })
  await ask('/healthz')
  expect((await readiness.report()).warnings).toMatchObject({ maintenance: expect.stringContaining('is on') })
  await recordMaintenance(db, null)
  expect((await ask('/Enrollments', { method: 'POST' })).status).toBe(200)
  expect((await readiness.report()).warnings).not.toHaveProperty('maintenance')
})

it('turning it on or off again is no beginning and no end', async () => {
  const on = { message: null, until: null }
  expect([await recordMaintenance(db, on), await recordMaintenance(db, on)]).toEqual([true, false])
  expect([await recordMaintenance(db, null), await recordMaintenance(db, null)]).toEqual([true, false])
})

it('the mode changes no version: no kept page is forgotten for it', async () => {
  const { version } = await readProductState(db, null)
  await recordMaintenance(db, { message: null, until: '2026-11-22T15:30:00.000Z' })
  expect(await readProductState(db, version)).toEqual({
    version,
    changes: [],
    history: expect.any(String),
    maintenance: { message: null, until: '2026-11-22T15:30:00.000Z', since: expect.any(String) },
  })
})
