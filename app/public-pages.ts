import type { PublicPages } from '~/server/cache/page-keys.server'

const catalogParameters = [
  'after',
  'before',
  'category',
  'exact',
  'instructor',
  'language',
  'length',
  'level',
  'mentions',
  'price',
  'q',
  'rating',
  'skill',
  'sort',
]
const courseParameters = ['page', 'sort', 'stars', 'tab', 'why']

/**
 * The pages that are the same for everyone, with the query parameters that each reads. Only these
 * parameters reach the page, and they are its cache key. Routes of public pages also send the
 * headers of `publicPageHeaders`.
 */
export const publicPages: PublicPages = {
  '/': [],
  '/AllCourses': catalogParameters,
  '/OneCourse': courseParameters,
  '/OneCourse/:slug': courseParameters,
  '/Login': ['error', 'from', 'notice'],
  '/SignUp': ['from'],
  '/Instructor': [],
  '/Terms': [],
  '/Privacy': [],
  '/Pages/:slug': [],
  '/CommonPasswords': [],
  '/Suggestions': ['q'],
  '/MoreCourses': catalogParameters,
  '/robots.txt': [],
  '/sitemap.xml': [],
}
