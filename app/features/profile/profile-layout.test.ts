import { expect, test } from 'vitest'
import { findProfileSection, profileSectionPath, profileSections } from './profile-layout'

test('the profile has the six sections of the specification, in its order', () => {
  expect(profileSections.map(({ label }) => label)).toEqual([
    'Overview',
    'Personal Info',
    'Current Courses',
    'Exam Scores',
    'Achievements',
    'Settings',
  ])
})

test('every section is found by its own address, and /Profile is the overview', () => {
  for (const { id } of profileSections) {
    expect(findProfileSection(profileSectionPath(id))?.id).toBe(id)
  }
})

test('an address that names no section is none', () => {
  for (const name of ['nope', 'Settings', 'toString', '__proto__']) {
    expect(findProfileSection(`/Profile/${name}`)).toBeNull()
  }
})
