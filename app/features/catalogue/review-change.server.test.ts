import { beforeAll, beforeEach, expect, it } from 'vitest'
import { withArrival } from '~/server/client-address.server'
import type { Database } from '~/server/database/client.server'
import { enrollments, users } from '~/server/database/schema'
import { pageCache, pageShows, publicPage } from '~/server/page-cache.server'
import { courseSubject } from '~/server/product-state.server'
import { followChanges } from '~/server/product-watch.server'
import { testDatabase } from '../../../tests/support/test-database'
import { changeReviews, type ReviewChange } from './review-change.server'

const courseId = 'python-from-zero'
const pages = ['/', '/Login', '/AllCourses?q=python', '/OneCourse/python-from-zero?tab=reviews', '/OneCourse/figma']
const keep = (address: string) =>
  pageCache.render(address, async () => {
    if (address.includes('python')) pageShows(courseSubject(courseId))
    return new Response(address, { headers: publicPage() })
  })
const kept = () => pages.filter((address) => pageCache.find(address))
/** By a script: a plain form would be led on. @returns the status. */
async function changed(wanted: ReviewChange) {
  const arrival = { address: '127.0.0.1', direct: true, forData: true }
  const { init } = await withArrival(arrival, () => changeReviews(db, 'ada', wanted, new Date()))
  return init?.status ?? 200
}

const change = (intent: 'vote' | 'unvote') => changed({ intent, courseId, reviewId: 'labels-not-boxes' })

let db: Database
beforeAll(async () => {
  db = (await testDatabase()).db
  const ada = { id: 'ada', name: 'Ada', email: 'ada@test.example', firstName: 'Ada', lastName: '', emailVerified: true }
  await db.insert(users).values(ada)
  await db.insert(enrollments).values({ uid: 'ada', courseId })
  const stop = await followChanges(db, null)
  return stop
})

beforeEach(async () => {
  for (const address of pages) {
    await keep(address)
  }
})

it('taking back a vote that there is not, or removing no review, forgets no kept page', async () => {
  expect(await change('unvote')).toBe(200)
  expect(await changed({ intent: 'remove', courseId })).toBe(200)
  expect(kept()).toEqual(pages)
})

it('a review forgets the pages that show its rating, sent again as it is nothing', async () => {
  const values = { rating: '5', comment: 'Clear.', showsName: 'on' }
  const save = () => changed({ intent: 'save', courseId, values })
  await db.update(enrollments).set({ completedAt: new Date() })
  expect(await save()).toBe(200)
  expect(kept()).toEqual(['/', '/Login', '/OneCourse/figma'])
  for (const address of pages) {
    await keep(address)
  }
  expect(await save()).toBe(200)
  expect(kept()).toEqual(pages)
})

it('a vote forgets the pages of its course, the same again nothing', async () => {
  await change('vote')
  expect(kept()).toEqual(['/', '/Login', '/OneCourse/figma'])
  for (const address of pages) await keep(address)
  await change('vote')
  expect(kept()).toEqual(pages)
})
