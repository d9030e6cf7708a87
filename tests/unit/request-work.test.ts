import type { RouteConfigEntry } from '@react-router/dev/routes'
import { describe, expect, it } from 'vitest'
import { workOf } from '~/request-work'
import routes from '~/routes'

function flat(entries: readonly RouteConfigEntry[]): RouteConfigEntry[] {
  return entries.flatMap((entry) => [entry, ...flat(entry.children ?? [])])
}

/** Of the routes as they stand, so that a new address is noticed. */
function addressesOf(method: string, work: string): string[] {
  const addresses = flat(routes).flatMap(({ path }) => (path ? [path] : []))
  return addresses.filter((address) => workOf(method, `/${address.replace(/:(\w+)\??/g, '$1')}`) === work)
}

describe('the work that a request is', () => {
  it('is costly for archives, PDFs, pictures and sitemaps', () => {
    expect(addressesOf('GET', 'costly')).toEqual([
      'OwnData',
      'Certificate/:id/certificate.pdf',
      'Certificate/:id/picture.png',
      'OneCourse/:slug/picture.jpg',
      'Sitemap/:part',
    ])
  })

  it('is a sign-in for every form of accounts, and under /account/', () => {
    expect(addressesOf('POST', 'sign-in')).toEqual(['Login', 'SignUp', 'ResetPassword', 'ConfirmEmail'])
    expect(workOf('POST', '/Login.data')).toBe('sign-in')
    expect(workOf('POST', '/account/login')).toBe('sign-in')
    expect(workOf('GET', '/account/callback/google')).toBe('sign-in')
    expect(workOf('GET', '/Login')).toBe('page')
  })

  it('is a report for progress and answers, in any case of letters', () => {
    expect(addressesOf('POST', 'report')).toEqual([
      'Exam/:course/:attempt?',
      'ExamAnswers',
      'PracticeAnswers',
      'Learn/:course/:lesson/progress',
    ])
    expect(workOf('POST', '/learn/x/y/PROGRESS')).toBe('report')
    expect(workOf('GET', '/Exam/x')).toBe('page')
  })

  it('is data where an open page asks, and nothing is rendered', () => {
    expect(addressesOf('GET', 'data')).toEqual([
      'Activities',
      'viewer',
      'Learn/:course/:lesson/film',
      'Suggestions',
      'MoreCourses',
    ])
    expect(workOf('GET', '/Profile.data')).toBe('data')
    expect(workOf('GET', '/Learn/x/y/_.data')).toBe('data')
    expect(workOf('GET', '/Profile')).toBe('page')
  })

  it('is the same however its address ends', () => {
    for (const end of ['', '.data', '/', '//', '/_.data']) {
      expect([end, workOf('POST', `/Login${end}`)]).toEqual([end, 'sign-in'])
      expect([end, workOf('GET', `/Certificate/x/certificate.pdf${end}`)]).toEqual([end, 'costly'])
      expect([end, workOf('POST', `/Learn/x/y/progress${end}`)]).toEqual([end, 'report'])
    }
  })
})
