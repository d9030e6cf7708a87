import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { OutboxEntry } from '~/outbox/entry-store'
import { enrollmentChoices, visitorWishes } from './course-choices'
import { enrollmentMessages } from './enrollment-messages'

const hour = 60 * 60_000
const now = Date.UTC(2026, 10, 20)
const ada = { uid: 'ada', isPageClosing: false }

let sentRequests: string[]
beforeEach(() => {
  sentRequests = []
  vi.useFakeTimers({ now })
  vi.stubGlobal('fetch', async (address: string, { body }: { body: URLSearchParams }) => {
    sentRequests.push(`${address}?${body}`)
    return Response.json({ done: true })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const entry = <Body>(body: Body, uid: string | null, putAt = now): OutboxEntry<Body> => {
  return { key: 'k', kind: 'choice', uid, body, putAt, version: 1 }
}

it('a waiting choice names the learner for whom it is sent', async () => {
  await enrollmentChoices.send(entry({ courseId: 'knots' }, null), ada)
  await visitorWishes.send(entry({ courseId: 'knots' }, null), ada)

  expect(sentRequests).toEqual([
    '/Enrollments?courseIds=knots&uid=ada',
    '/Wishes?courseId=knots&wished=yes&uid=ada',
  ])
})

it('a visitor’s wish belongs to the learner who signs in within an hour', async () => {
  const wish = { courseId: 'knots' }

  expect(await visitorWishes.send(entry(wish, null, now - hour), ada)).toMatchObject({
    outcome: 'delivered',
  })
  expect(await visitorWishes.send(entry(wish, null, now - hour - 1), ada)).toEqual({
    outcome: 'refused',
  })
  expect(sentRequests).toHaveLength(1)
})

it('a refused choice carries the sentence of the server', async () => {
  const full = { done: false, errors: { form: 'Your account is full.' } }
  vi.stubGlobal('fetch', async () => Response.json(full, { status: 409 }))
  const result = await enrollmentChoices.send(entry({ courseId: 'knots' }, 'ada'), ada)

  expect(result).toEqual({ outcome: 'refused', refusal: 'Your account is full.' })
})

it.each([
  ['is not about a form', { refusal: 'origin' }],
  ['has no errors', { done: false }],
  ['is no object', 'Forbidden'],
  ['names only a field', { done: false, errors: { courseIds: 'Unknown.' } }],
])('a refused enrollment carries a general sentence if the response %s', async (_, response) => {
  vi.stubGlobal('fetch', async () => Response.json(response, { status: 403 }))
  const result = await enrollmentChoices.send(entry({ courseId: 'knots' }, 'ada'), ada)
  expect(result).toEqual({ outcome: 'refused', refusal: enrollmentMessages.notEnrolled })
})
