import { afterEach, expect, it, vi } from 'vitest'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { openLessonVisit, recordProgressReport } from './lesson-report.server'

afterEach(() => {
  vi.useRealTimers()
})

const place = { uid: 'ada', courseId: 'course', lessonId: 'lesson' }
const nothingDone = {
  watched: [],
  position: null,
  mark: null,
  answered: [],
  readToEnd: false,
  studied: [],
  missed: [],
}

it('a report is judged by the clock of the database, which all processes share', async () => {
  const { db } = await createTestDatabase()
  const body = { ...(await openLessonVisit(place, 60_000, new Date())), ...nothingDone }
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 24 * 3_600_000 })
  const response = await recordProgressReport(
    { db, grantDueRewards: async () => {} },
    { ...place, body, sessionToken: 'none' },
  )

  expect(response.body).toMatchObject({ refusal: 'no-lesson' })
})

it('a report from before the clock was set back is sent again later, not rejected', async () => {
  const { db } = await createTestDatabase()
  const body = {
    ...(await openLessonVisit(place, 60_000, new Date(Date.now() + 3_600_000))),
    ...nothingDone,
  }
  const response = await recordProgressReport(
    { db, grantDueRewards: async () => {} },
    { ...place, body, sessionToken: 'none' },
  )

  expect(response).toMatchObject({
    status: 425,
    body: { message: expect.stringContaining('set back') },
  })
})
