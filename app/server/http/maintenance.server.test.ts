import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createHttpApp } from '~/http-app.server'
import { describeErrorResponse } from '~/ui/connection'
import { createTestDatabase } from '../../../tests/support/test-database'
import { recordMaintenance, updateSharedState } from '../cache/shared-state.server'
import type { Database } from '../database/client.server'
import { refreshSite } from '../site/site.server'
import {
  formatMaintenanceMessage,
  formatRetryAfter,
  maxMaintenanceMessageLength,
  parseMaintenanceEnd,
  refuseChangesInMaintenance,
} from './maintenance.server'

let db: Database
beforeAll(async () => {
  db = (await createTestDatabase()).db
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
    handleRoute: async (request) => {
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
    commonHeaders: {},
  })

  return app.request(origin + path, { ...init, headers: { Origin: origin, ...init.headers } })
}

it('changes get 503 with a message and Retry-After, and pages stay available', async () => {
  await recordMaintenance(db, { message: 'We’re moving to a larger house.', until: null })
  const refused = await ask('/Enrollments', { method: 'POST' })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60'])
  expect(await refused.text()).toContain('We’re moving to a larger house.')
  expect((await ask('/AllCourses?page=of-a-test')).status).toBe(200)

  const account = await ask('/account/login', { method: 'POST' })
  expect([account.status, account.headers.get('retry-after')]).toEqual([503, '60'])
  expect(await account.json()).toEqual({ success: false, code: 'maintenance' })

  for (const { headers } of [refused, account]) {
    expect(headers.get('cache-control')).toBe('no-store')
  }
})

it('a browser that returns from a sign-in provider gets a page, not a code', async () => {
  await recordMaintenance(db, { message: 'We’re moving & growing', until: null })
  const back = await ask('/account/callback/google?code=1', {
    headers: { Accept: 'text/html,*/*;q=0.8' },
  })

  expect([back.status, back.headers.get('retry-after')]).toEqual([503, '60'])
  expect(await back.text()).toContain(
    '<p>We’re moving &amp; growing. Please try again in a few minutes.</p>',
  )
})

it('everything is accepted again afterward', async () => {
  await recordMaintenance(db, { message: null, until: null })
  expect((await ask('/Enrollments', { method: 'POST' })).status).toBe(503)

  await recordMaintenance(db, null)
  expect((await ask('/Enrollments', { method: 'POST' })).status).toBe(200)
})

const setSchoolTimeZone = (timeZone: string) =>
  refreshSite({
    execute: async () => ({ rows: [{ part: 'timeZone', value: timeZone }] }),
  } as never)

const now = new Date('2026-11-22T13:00:00Z')
const at = (until: string | null, message: string | null = null) => ({ until, message })

describe('the maintenance message', () => {
  it('contains the expected end until it has passed', () => {
    expect(formatMaintenanceMessage(at('2026-11-22T15:30:00Z'), now)).toBe(
      'Learnify is under maintenance. You can still browse courses, but nothing can be saved right now. Please try again after Nov 22, 3:30 PM UTC.',
    )
    for (const message of ['We’re moving.', 'We’re moving']) {
      expect(formatMaintenanceMessage(at('2026-11-22T12:00:00Z', message), now)).toBe(
        'We’re moving. Please try again in a few minutes.',
      )
    }
  })

  it('contains the expected end in the school’s time zone', async () => {
    await setSchoolTimeZone('Europe/Berlin')
    expect(formatMaintenanceMessage(at('2026-11-22T15:30:00Z', 'Moving'), now)).toBe(
      'Moving. Please try again after Nov 22, 4:30 PM GMT+1.',
    )

    await setSchoolTimeZone('UTC')
  })

  it('fits into every form, even with the longest message', () => {
    const sentence = formatMaintenanceMessage(
      at('2026-11-22T22:30:00Z', 'x'.repeat(maxMaintenanceMessageLength)),
      now,
    )
    expect(describeErrorResponse({ status: 503, data: sentence })).toBe(sentence)
  })

  it('has a Retry-After of at least a minute', () => {
    expect(formatRetryAfter(at('2026-11-22T13:10:00Z'), now)).toBe('600')
    expect(formatRetryAfter(at('2026-11-22T13:00:10Z'), now)).toBe('60')
    expect(formatRetryAfter(at(null), now)).toBe('60')
  })
})

describe('--until', () => {
  it('is the next time of day by this machine’s clock, or a date and time', () => {
    const midnight = new Date(2026, 10, 22, 23, 0)

    expect(parseMaintenanceEnd('23:30', midnight)).toEqual(new Date(2026, 10, 22, 23, 30))
    expect(parseMaintenanceEnd('1:15', midnight)).toEqual(new Date(2026, 10, 23, 1, 15))
    expect(parseMaintenanceEnd('2026-11-22T15:30+01:00', now)).toEqual(
      new Date('2026-11-22T14:30:00Z'),
    )
  })

  it.each([
    '',
    'soon',
    '25:00',
    '2026-11-22',
    '2026-11-22T15:30',
    '2026-11-22T12:59Z',
    '2026-99-22T12:59Z',
  ])('is refused as %j', (text) => expect(parseMaintenanceEnd(text, now)).toBeNull())
})
