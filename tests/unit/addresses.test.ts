import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import { expect, it } from 'vitest'
import routes from '~/routes'

/**
 * What has no page: no interface for programs of others, but what our own pages and the web's
 * customs ask for.
 */
const pathsWithoutPage = [
  // What a learner's browser keeps up with.
  'viewer',
  'Enrollments',
  'Wishes',
  'Activities',
  'StudyPlan',
  'Moments',
  'Learn/:course/:lesson/progress',
  'Learn/:course/:lesson/notes',
  'Learn/:course/:lesson/film',
  'Learn/:course/:lesson/downloads/:file',
  'Reviews',
  'TimeZone',
  'ExamAnswers',
  'PracticeAnswers',
  'OwnData',
  // What the search field offers.
  'Suggestions',
  // What 'Show more' adds.
  'MoreCourses',
  // What new passwords are compared with in the browser.
  'CommonPasswords',
  // Events of the payment provider.
  'payments/events',
  // A receipt as a file.
  'Profile/purchases/:number/document.pdf',
  // A certificate's files, and what verifies its credential.
  'Certificate/:id/certificate.pdf',
  'Certificate/:id/picture.png',
  'Certificate/:id/credential.json',
  'CertificateStatus/:list',
  '.well-known/did.json',
  // What a shared course looks like.
  'OneCourse/:slug/picture.jpg',
  // Search engines.
  'robots.txt',
  'sitemap.xml',
  'Sitemap/:part',
]

function listRoutes(entries: readonly RouteConfigEntry[]): RouteConfigEntry[] {
  return entries.flatMap((entry) => [entry, ...listRoutes(entry.children ?? [])])
}

it('every address is a page, or one that a page, a verifier or a search engine needs', () => {
  const isPage = ({ file }: RouteConfigEntry) =>
    /^export default /m.test(readFileSync(path.join('app', file), 'utf8'))
  const routesWithoutPage = listRoutes(routes).filter((entry) => entry.path && !isPage(entry))

  expect(routesWithoutPage.map((entry) => entry.path).sort()).toEqual([...pathsWithoutPage].sort())
})
