import { describe, expect, it } from 'vitest'
import { isPageOrBelow, isSamePage } from './compare-paths'

describe('isSamePage', () => {
  it('ignores case and a slash at the end', () => {
    expect(isSamePage('/profile/SETTINGS/', '/Profile/settings')).toBe(true)
    expect(isSamePage('/', '')).toBe(true)
  })

  it('tells a page from the pages below it', () => {
    expect(isSamePage('/Profile/settings', '/Profile')).toBe(false)
  })
})

describe('isPageOrBelow', () => {
  it.each(['/Profile', '/profile/', '/PROFILE/settings'])('finds /Profile in %s', (path) => {
    expect(isPageOrBelow(path, '/Profile')).toBe(true)
  })

  it.each(['/Profiles', '/Confirm/Profile', '/'])('does not find /Profile in %s', (path) => {
    expect(isPageOrBelow(path, '/Profile')).toBe(false)
  })
})
