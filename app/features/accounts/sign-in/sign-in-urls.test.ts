import { expect, it } from 'vitest'
import { safeRedirect } from './sign-in-urls'

it.each([
  '/',
  '/AllCourses?level=beginner#results',
  '/OneCourse/python-from-zero',
  '/Profile/settings',
])('leads on to %s', (path) => {
  expect(safeRedirect(path)).toBe(path)
})

it.each([
  null,
  '',
  'AllCourses',
  '//evil.example',
  '/\\evil.example',
  '/..//evil.example',
  '/.//evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  '/\t/evil.example',
  '/a\nb',
  `/${'x'.repeat(600)}`,
])('leads to the profile instead of %j', (path) => {
  expect(safeRedirect(path)).toBe('/Profile')
})
