import { afterEach, expect, it, vi } from 'vitest'
import { testDatabase } from '../../../../../tests/support/test-database'
import { openVisit, takeReport } from './lesson-report.server'

afterEach(() => {
  vi.useRealTimers()
})

it('a report is judged by the clock of the database, which other processes go by, too', async () => {
  const { db } = await testDatabase()
  const place = { uid: 'ada', courseId: 'course', lessonId: 'lesson' }
  const visit = await openVisit(place, 60_000, new Date())
  const body = {
    ...visit,
    watched: [],
    position: null,
    mark: null,
    answered: [],
    readToEnd: false,
    studied: [],
    missed: [],
  }
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 24 * 3_600_000 })
  const answer = await takeReport({ db, followUp: async () => {} }, { ...place, body, sessionToken: 'none' })
  expect(answer.body).toMatchObject({ refusal: 'no-lesson' })
})
