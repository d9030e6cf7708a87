import { expect, it } from 'vitest'
import { profileStats } from './profile-stats'

it('shows 5 courses, 2 completed, 2 certificates and 127 study hours where the record does not say', () => {
  const defaults = { totalCourses: 5, completedCourses: 2, certificatesEarned: 2, studyHours: 127 }
  expect(profileStats(null)).toEqual(defaults)
  expect(profileStats({ totalCourses: 0, studyHours: 3 })).toEqual({
    ...defaults,
    totalCourses: 0,
    studyHours: 3,
  })
})

it('shows a stored 0 as 0', () => {
  const zeros = { totalCourses: 0, completedCourses: 0, certificatesEarned: 0, studyHours: 0 }
  expect(profileStats(zeros)).toEqual(zeros)
})
