import { afterEach, beforeAll, expect, it } from 'vitest'
import { testDatabase } from '../../../tests/support/test-database'
import { recordMaintenance, updateSharedState } from '../cache/shared-state.server'
import type { Database } from '../database/client.server'
import { createHttpApp } from './http-app.server'
import { refuseChangesInMaintenance } from './maintenance.server'

let db: Database
beforeAll(async () => {
  db = (await testDatabase()).db
})
const readState = () => updateSharedState(() => {}, db)
afterEach(async () => {
  await recordMaintenance(db, null)
  await readState()
})

const origin = 'http://localhost:3000'
/** Of a process that follows the database. */
async function ask(path: string, init: RequestInit = {}) {
  await readState()
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
    publicPages: null,
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

it('everything is accepted again afterward', async () => {
  await recordMaintenance(db, { message: null, until: null })
  expect((await ask('/Enrollments', { method: 'POST' })).status).toBe(503)
  await recordMaintenance(db, null)
  expect((await ask('/Enrollments', { method: 'POST' })).status).toBe(200)
})
