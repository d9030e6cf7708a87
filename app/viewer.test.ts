import { afterEach, expect, test, vi } from 'vitest'
import type { ViewerData } from '~/routes/accounts/viewer'
import { applyViewerData, refreshViewer, unknownViewer } from './viewer'

const learnerData = {
  user: { uid: 'ada', firstName: 'Ada' },
  enrolled: ['python-from-zero'],
  exams: [],
} as unknown as ViewerData

afterEach(() => vi.unstubAllGlobals())

test('a failed first request does not make a learner a visitor', () => {
  const viewer = applyViewerData(unknownViewer, undefined)

  expect(viewer).toBe(unknownViewer)
})

test('a failed later request keeps the last known viewer', () => {
  const learner = applyViewerData(unknownViewer, learnerData)

  expect(learner).toMatchObject({ user: { uid: 'ada' }, enrolledCourseIds: ['python-from-zero'] })
  expect(applyViewerData(learner, undefined)).toEqual(learner)
})

test('a learner whose session has ended is a visitor', () => {
  const learner = applyViewerData(unknownViewer, learnerData)
  const viewer = applyViewerData(learner, null)

  expect(viewer).toMatchObject({ user: null, enrolledCourseIds: [] })
})

test('nobody is taken for a visitor before the name of the signed-in cookie is known', async () => {
  const readCookies = vi.fn(() => '')
  vi.stubGlobal('document', Object.defineProperty({}, 'cookie', { get: readCookies }))

  await refreshViewer()

  expect(readCookies).not.toHaveBeenCalled()
})
