import { expect, test } from 'vitest'
import { findProfileSection, getProfileSectionPath, profileSections } from './profile-layout'

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

test('finds every section by its path, and the overview at /Profile', () => {
  for (const { id } of profileSections) {
    expect(findProfileSection(getProfileSectionPath(id))?.id).toBe(id)
  }
})

test('finds no section for an unknown path', () => {
  for (const name of ['nope', 'Settings', 'toString', '__proto__']) {
    expect(findProfileSection(`/Profile/${name}`)).toBeNull()
  }
})
