import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findPublicAddress } from './public-pages.server'

const addressOf = (target: string) => findPublicAddress(new URL(target, 'http://localhost'))

it.each([
  ['/', '/'],
  ['/?abcd/Login', '/'],
  ['/?utm_source=x&fbclid=y', '/'],
  ['/_.data', '/_.data'],
  ['/_.data?_routes=routes%2Fhome&x=1', '/_.data?_routes=routes%2Fhome'],
  ['/_root.data', '/_.data'],
  ['/login', '/Login'],
  ['/%4Cogin/', '/Login'],
  ['/Login?notice=b&x=1&from=%2FA&from=%2FB', '/Login?from=%2FA&notice=b'],
  ['/Login.data?from=%2FA', '/Login.data?from=%2FA'],
  ['/Login?error=x', '/Login?error=x'],
  ['/SignUp?from=%2FA&error=x', '/SignUp?from=%2FA'],
  ['/robots.txt', '/robots.txt'],
  ['/OneCourse?why=enroll&stars=5&sort=newest', '/OneCourse?sort=newest&stars=5&why=enroll'],
  ['/login/_.data', '/Login.data'],
  ['/AllCourses?q=a+b&level=beginner&category=design', '/AllCourses?category=design&level=beginner&q=a+b'],
  ['/AllCourses?Q=a', '/AllCourses'],
  ['/OneCourse/python-from-zero?tab=reviews&page=2&_routes=x', '/OneCourse/python-from-zero?page=2&tab=reviews'],
  ['/ONECOURSE/Python', '/OneCourse/Python'],
  ['/OneCourse/a%20b', '/OneCourse/a%20b'],
])('%s is the public page %s', (target, address) => {
  expect(addressOf(target)).toBe(address)
})

it.each([
  '/Profile',
  '/OneCourse/a/b',
  '/OneCourse%2Fa/b',
  '/OneCourse//a',
  '/OneCourse//',
  '/x/_root.data',
  '/_root.data/x',
  '/Login/x',
  '/:slug',
  '/constructor',
  `/AllCourses?q=${'a'.repeat(1_000)}`,
])('%s is none that is kept', (target) => {
  expect(addressOf(target)).toBeNull()
})

it('an address as long as the longest is kept, one letter more is not', () => {
  const q = 'a'.repeat(1_000 - '/AllCourses?q='.length)
  expect(addressOf(`/AllCourses?q=${q}`)).toHaveLength(1_000)
  expect(addressOf(`/AllCourses?q=${q}a`)).toBeNull()
})

it('a course whose name ends like data is no page, so that its address is never another page’s data', () => {
  expect(addressOf('/OneCourse/python.data/')).toBeNull()
  expect(addressOf('/OneCourse/python.data')).toBe('/OneCourse/python.data')
})

it('a course named _ is no page, because its data would be those of the address without a name', () => {
  expect(addressOf('/OneCourse/_/.data')).toBeNull()
})

it('the address of a page is its own address', () => {
  const segment = fc.oneof(
    fc.constantFrom('OneCourse', 'allcourses', 'Login', '', '_root', '_', 'a%20b', '%2F', '.data'),
    fc.webSegment(),
  )
  const query = fc.array(fc.tuple(fc.constantFrom('q', 'tab', 'from', '_routes', 'x'), fc.string({ unit: 'binary' })))
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 3 }), fc.boolean(), query, (segments, data, pairs) => {
      const target = `/${segments.join('/')}${data ? '.data' : ''}?${new URLSearchParams(pairs)}`
      const address = URL.canParse(target, 'http://localhost') ? addressOf(target) : null
      expect(address && addressOf(address)).toBe(address)
    }),
    { numRuns: 2_000 },
  )
})
