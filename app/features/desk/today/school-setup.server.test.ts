import { expect, it } from 'vitest'
import { shouldShowSetup } from './school-setup.server'

const newSchool = {
  isFinished: false,
  hasChangedSite: false,
  hasOperatorSetting: false,
  hasOrder: false,
  hasOwnCourse: false,
}

it('the owner of a new school is asked', () => {
  expect(shouldShowSetup(newSchool)).toBe(true)
})

it.each(Object.keys(newSchool))('a school with %s is not asked', (fact) => {
  expect(shouldShowSetup({ ...newSchool, [fact]: true })).toBe(false)
})
