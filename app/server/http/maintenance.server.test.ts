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
const loadSharedState = () => updateSharedState(() => {}, db)
afterEach(async () => {
  await recordMaintenance(db, null)
  await loadSharedState()
})

const origin = 'http://localhost:3000'

/** Sends a request to a process that has just read the maintenance status from the database. */
async function sendRequest(path: string, init: RequestInit = {}) {
  await loadSharedState()
  const app = createHttpApp({
    handleRoute: async (request) => {
      try {
        refuseChangesInMaintenance({ request })
      } catch (refusal) {
        const { data, init } = refusal as { data: string; init: ResponseInit }
        return new Response(data, init)
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
  const refused = await sendRequest('/Enrollments', { method: 'POST' })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60'])
  expect(await refused.text()).toContain('We’re moving to a larger house.')
  expect((await sendRequest('/AllCourses?page=of-a-test')).status).toBe(200)

  const account = await sendRequest('/account/login', { method: 'POST' })
  expect([account.status, account.headers.get('retry-after')]).toEqual([503, '60'])
  expect(await account.json()).toEqual({ success: false, code: 'maintenance' })

  for (const { headers } of [refused, account]) {
    expect(headers.get('cache-control')).toBe('no-store')
  }
})

it('a browser that returns from a sign-in provider gets a page, not a code', async () => {
  await recordMaintenance(db, { message: 'We’re moving & growing', until: null })
  const response = await sendRequest('/account/callback/google?code=1', {
    headers: { Accept: 'text/html,*/*;q=0.8' },
  })

  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60'])
  expect(await response.text()).toContain(
    '<p>We’re moving &amp; growing. Please try again in a few minutes.</p>',
  )
})

it('everything is accepted again after maintenance', async () => {
  await recordMaintenance(db, { message: null, until: null })
  expect((await sendRequest('/Enrollments', { method: 'POST' })).status).toBe(503)

  await recordMaintenance(db, null)
  expect((await sendRequest('/Enrollments', { method: 'POST' })).status).toBe(200)
})

const setSchoolTimeZone = (timeZone: string) =>
  refreshSite({
    execute: async () => ({ rows: [{ part: 'timeZone', value: timeZone }] }),
  } as never)

const now = new Date('2026-11-22T13:00:00Z')
const createMaintenance = (until: string | null, message: string | null = null) => ({
  until,
  message,
})

describe('the maintenance message', () => {
  it('contains the expected end until it has passed', () => {
    expect(formatMaintenanceMessage(createMaintenance('2026-11-22T15:30:00Z'), now)).toBe(
      'Learnify is under maintenance. You can still browse courses, but nothing can be saved right now. Please try again after Nov 22, 3:30 PM UTC.',
    )
    for (const message of ['We’re moving.', 'We’re moving']) {
      expect(
        formatMaintenanceMessage(createMaintenance('2026-11-22T12:00:00Z', message), now),
      ).toBe('We’re moving. Please try again in a few minutes.')
    }
  })

  it('contains the expected end in the school’s time zone', async () => {
    await setSchoolTimeZone('Europe/Berlin')
    expect(formatMaintenanceMessage(createMaintenance('2026-11-22T15:30:00Z', 'Moving'), now)).toBe(
      'Moving. Please try again after Nov 22, 4:30 PM GMT+1.',
    )

    await setSchoolTimeZone('UTC')
  })

  it('fits into every form, even with the longest message', () => {
    const sentence = formatMaintenanceMessage(
      createMaintenance('2026-11-22T22:30:00Z', 'x'.repeat(maxMaintenanceMessageLength)),
      now,
    )
    expect(describeErrorResponse({ status: 503, data: sentence })).toBe(sentence)
  })

  it('has a Retry-After of at least a minute', () => {
    expect(formatRetryAfter(createMaintenance('2026-11-22T13:10:00Z'), now)).toBe('600')
    expect(formatRetryAfter(createMaintenance('2026-11-22T13:00:10Z'), now)).toBe('60')
    expect(formatRetryAfter(createMaintenance(null), now)).toBe('60')
  })
})

describe('--until', () => {
  it('accepts a time of day, of which the next one counts, or a date and time', () => {
    const lateEvening = new Date(2026, 10, 22, 23, 0)

    expect(parseMaintenanceEnd('23:30', lateEvening)).toEqual(new Date(2026, 10, 22, 23, 30))
    expect(parseMaintenanceEnd('1:15', lateEvening)).toEqual(new Date(2026, 10, 23, 1, 15))
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
