import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import { expect, it } from 'vitest'
import routes from '~/routes'

/**
 * The routes that return no page. They are no API for other programs: the product's own pages call
 * them, or they follow conventions of the web.
 */
const pathsWithoutPage = [
  // A learner's browser loads and saves data here.
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
  // The search field loads suggestions.
  'Suggestions',
  // The catalog loads more courses.
  'MoreCourses',
  // Forms compare new passwords with these in the browser.
  'CommonPasswords',
  // The payment provider sends its events.
  'payments/events',
  // Learners download a receipt.
  'Profile/purchases/:number/document.pdf',
  // Anyone can download a certificate, and verifiers check its credential.
  'Certificate/:id/certificate.pdf',
  'Certificate/:id/picture.png',
  'Certificate/:id/credential.json',
  'CertificateStatus/:list',
  '.well-known/did.json',
  // Social networks show this picture of a shared course.
  'OneCourse/:slug/picture.jpg',
  // Search engines read these files.
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
