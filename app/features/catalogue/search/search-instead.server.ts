import type { Database } from '~/server/database/client.server'
import { type Category, categoryNames } from '../course-filters'
import type { CatalogueQuery } from './catalogue-query'
import type { CatalogueResult } from './catalogue-result'
import type { CourseSet } from './course-set'
import { narrow } from './facet-counts'
import type { OptionSets } from './option-sets.server'
import type { SearchIndex } from './search-index.server'
import { findListing, type Listing, tiersOf, union } from './search-listing.server'

const mostLinks = 3
const mostWords = 8
/** Some milliseconds for each word. */
const mostChecked = 500

type Found = {
  listing: Listing
  /** The whole catalogue. */
  listed: CourseSet
  sets: OptionSets
  /** By the filters; null for all. */
  chosenCourses: CourseSet | null
}

/** What else to try when nothing is found. */
export async function findInstead(
  db: Database,
  index: SearchIndex,
  query: CatalogueQuery,
  { listing, listed, sets, chosenCourses }: Found,
): Promise<NonNullable<CatalogueResult['instead']>> {
  const without: { word: string; q: string; count: number; courses: CourseSet }[] = []
  const words = query.q.split(' ')
  for (const [at, word] of words.length > 1 ? [...words.entries()].slice(0, mostWords) : []) {
    const q = words.filter((_, index) => index !== at).join(' ')
    const other = await findListing(db, index, { q, exact: true, mentions: false }, listed, { mostChecked })
    const courses = union(tiersOf(other))
    const count = narrow(courses, chosenCourses).size
    if (count > 0) without.push({ word, q, count, courses })
  }
  without.sort((a, b) => b.count - a.count)
  const matching = [union(tiersOf(listing)), ...without.map(({ courses }) => courses), listed]
  const nearest = matching.find((courses) => !courses.isEmpty()) ?? listed
  const categories = (Object.keys(categoryNames) as (Category | 'all')[])
    .filter((category) => category !== 'all')
    .map((category) => ({ category, count: sets.count(nearest, 'category', category) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
  return {
    without: without.slice(0, mostLinks).map(({ word, q, count }) => ({ word, q, count })),
    categories: categories.slice(0, mostLinks),
  }
}
