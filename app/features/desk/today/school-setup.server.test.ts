import { expect, it } from 'vitest'
import { shouldAskForSetup } from './school-setup.server'

const newSchool = {
  isAnswered: false,
  hasChangedSite: false,
  hasOperatorSetting: false,
  hasOrder: false,
  hasOwnCourse: false,
}

it('the owner of a new school is asked', () => {
  expect(shouldAskForSetup(newSchool)).toBe(true)
})

it.each(Object.keys(newSchool))('a school with %s is not asked', (fact) => {
  expect(shouldAskForSetup({ ...newSchool, [fact]: true })).toBe(false)
})
