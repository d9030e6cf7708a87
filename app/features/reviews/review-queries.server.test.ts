import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contentHooks } from '~/content-hooks.server'
import { findCourseDetail } from '~/features/catalog/course-page/course-queries.server'
import { emptyCatalogQuery } from '~/features/catalog/search/catalog-query'
import { searchCatalog } from '~/features/catalog/search/search-catalog.server'
import { writeCourseSearch } from '~/features/catalog/search/search-index.server'
import { loadContent } from '~/features/courses/content/content-loader.server'
import type { Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { env } from '~/server/env.server'
import { createTestDatabase } from '../../../tests/support/test-database'
import { defaultReviewChoice, type ReviewSort } from './review-list'
import { setReviewHidden } from './review-moderation-queries.server'
import {
  getOwnReviews,
  recordReview,
  recordVote,
  removeReview,
  removeVote,
} from './review-queries.server'

const courseId = 'python-from-zero'
const now = new Date('2026-11-20T12:00:00Z')
const goodReview = { rating: 4, comment: 'Clear and short.', showsName: true }
let db: Database

const reviewContext = () => ({ db, updateRatings: writeCourseSearch })

beforeAll(async () => {
  ;({ db } = await createTestDatabase())
})
beforeEach(async () => {
  await db.delete(tables.users)
})

/** Adds a learner who has done the given share of the course's seconds, or a little more. */
async function addLearner(
  uid: string,
  percent: number,
  changes: Partial<typeof tables.enrollments.$inferInsert> = {},
) {
  await db.insert(tables.users).values({
    id: uid,
    name: `Learner ${uid}`,
    firstName: 'Learner',
    lastName: uid,
    email: `${uid}@test.example`,
    emailVerified: true,
  })

  await db.insert(tables.enrollments).values({ uid, courseId, ...changes })
  await db.execute(sql`
    insert into lesson_progress (uid, course_id, lesson_id, earned_at)
    select ${uid}, course_id, id, now() from (
      select *, sum(duration_seconds) over (order by position) - duration_seconds as before,
        sum(duration_seconds) over () as total
      from course_lessons where course_id = ${courseId} and kind <> 'announced' and not retired
    ) l where before * 100 < total * ${percent}::int`)

  return { uid, courseId }
}

/** Returns the course as its public page shows it. */
async function getPublicCourse(choice = {}) {
  const course = await findCourseDetail(db, courseId, { ...defaultReviewChoice, ...choice })
  if (!course) {
    throw new Error('The shipped content has no such course.')
  }

  return course
}

async function getOwnReview(uid: string) {
  const { review } = await getOwnReviews(db, uid, courseId)
  return review
}

/** Hides the learner's review, or shows it again if the reason is null. */
async function moderate(uid: string, hiddenReason: string | null) {
  const review = await getOwnReview(uid)
  const reviewId = review?.id ?? 'no-such-review'
  return setReviewHidden(reviewContext(), { courseId, reviewId }, hiddenReason)
}

describe('a review', () => {
  it('is for learners with 30 % of the course or more', async () => {
    const early = await addLearner('early', 0)
    expect(await getOwnReviews(db, 'early', courseId)).toMatchObject({ eligibility: 'too-early' })
    expect(await recordReview(reviewContext(), early, goodReview, now)).toBe(false)

    const able = await addLearner('able', 30)
    expect(await getOwnReviews(db, 'able', courseId)).toMatchObject({
      eligibility: 'may-review',
      review: null,
    })
    expect(await recordReview(reviewContext(), able, goodReview, now)).toBe(true)
    expect(await getOwnReview('able')).toMatchObject({ ...goodReview, hidden: null })
  })

  it('is for learners whose address is confirmed', async () => {
    const able = await addLearner('able', 100)
    await db.update(tables.users).set({ emailVerified: false })

    expect(await getOwnReviews(db, 'able', courseId)).toMatchObject({ eligibility: 'unconfirmed' })
    expect(await recordReview(reviewContext(), able, goodReview, now)).toBe(false)
  })

  it('counts what has material only, to the second', async () => {
    const {
      rows: [one],
    } = await db.execute<{ id: string; total: number }>(sql`
      select id, (select sum(duration_seconds)::int from course_lessons l where l.course_id = m.course_id
        and kind <> 'announced' and not retired) as total
      from course_lessons m where course_id = ${courseId} and kind <> 'announced' order by position limit 1`)
    const learner = await addLearner('edge', 0)
    await db.execute(sql`insert into lesson_progress (uid, course_id, lesson_id, earned_at)
      values ('edge', ${courseId}, ${one?.id}, now())`)
    const [before] = await db
      .select()
      .from(tables.courseLessons)
      .where(sql`course_id = ${courseId} and id = ${one?.id}`)
    const others = (one?.total ?? 0) - (before?.durationSeconds ?? 0)
    // x of x + others is at least 30 % exactly from others * 3 / 7.
    const enough = Math.ceil((others * 3) / 7)
    const setLength = (seconds: number) =>
      db.execute(sql`update course_lessons set duration_seconds = ${seconds}
        where course_id = ${courseId} and id = ${one?.id}`)
    await setLength(enough - 1)
    expect(await recordReview(reviewContext(), learner, goodReview, now)).toBe(false)

    await setLength(enough)
    expect(await recordReview(reviewContext(), learner, goodReview, now)).toBe(true)

    await setLength(before?.durationSeconds ?? 0)
  })

  it('is also for who completed the course before lessons were added', async () => {
    expect(
      await recordReview(
        reviewContext(),
        await addLearner('done', 0, { completedAt: now }),
        goodReview,
        now,
      ),
    ).toBe(true)
  })

  it('is refused for a course without enrollment, an unknown one and a draft', async () => {
    await addLearner('able', 100)
    expect(
      await recordReview(
        reviewContext(),
        { uid: 'able', courseId: 'typography-for-screens' },
        goodReview,
        now,
      ),
    ).toBe(false)
    expect(
      await recordReview(reviewContext(), { uid: 'able', courseId: 'nope' }, goodReview, now),
    ).toBe(false)
    expect(await recordReview(reviewContext(), { uid: 'nobody', courseId }, goodReview, now)).toBe(
      false,
    )

    await db.update(tables.courses).set({ published: false }).where(eq(tables.courses.id, courseId))
    expect(await recordReview(reviewContext(), { uid: 'able', courseId }, goodReview, now)).toBe(
      false,
    )

    await db.update(tables.courses).set({ published: true }).where(eq(tables.courses.id, courseId))
    expect(await db.select().from(tables.reviews)).toEqual([])
  })

  it('stays one when 100 requests write it at once', async () => {
    const learner = await addLearner('able', 100)
    const results = await Promise.all(
      Array.from({ length: 100 }, () => recordReview(reviewContext(), learner, goodReview, now)),
    )

    expect(results.every(Boolean)).toBe(true)
    expect(await db.select().from(tables.reviews)).toHaveLength(1)
  })

  it('can be changed, which is said, and written again unchanged, which is not', async () => {
    const learner = await addLearner('able', 100)
    await recordReview(reviewContext(), learner, goodReview, now)
    const later = new Date(now.getTime() + 60_000)
    await recordReview(reviewContext(), learner, goodReview, later)
    const find = async () =>
      (await getPublicCourse({ sort: 'newest' })).reviewsList.find(
        (review) => review.name === 'Learner able',
      )
    expect(await find()).toMatchObject({
      rating: 4,
      comment: goodReview.comment,
      date: '2026-11-20',
      edited: false,
    })

    await recordReview(reviewContext(), learner, { ...goodReview, rating: 2, comment: '' }, later)
    expect(await find()).toMatchObject({ rating: 2, comment: null, edited: true })
  })

  it('may be changed by its writer when lessons were unmarked since', async () => {
    const learner = await addLearner('able', 100)
    await recordReview(reviewContext(), learner, goodReview, now)
    await db.delete(tables.lessonProgress)

    expect(await recordReview(reviewContext(), learner, { ...goodReview, rating: 1 }, now)).toBe(
      true,
    )
    expect(await getOwnReview('able')).toMatchObject({ rating: 1 })
  })

  it('shows no name and no photo unless the learner wants it, and never the uid', async () => {
    const learner = await addLearner('able-uid', 100)
    await db.update(tables.users).set({ image: '/files/able.webp' })
    await recordReview(reviewContext(), learner, { ...goodReview, showsName: false }, now)
    const course = await getPublicCourse({ sort: 'newest' })

    expect(
      course.reviewsList.find((review) => review.comment === goodReview.comment),
    ).toMatchObject({
      name: null,
      photo: null,
    })
    expect(JSON.stringify(course)).not.toContain('able-uid')
  })

  it('shows no name for a learner who has not given one, and their name once they have', async () => {
    const learner = await addLearner('able', 100)
    await db.update(tables.users).set({ name: 'User', firstName: 'User', lastName: '' })
    await recordReview(reviewContext(), learner, goodReview, now)
    const findName = async () => {
      const { reviewsList } = await getPublicCourse({ sort: 'newest' })
      return reviewsList.find(({ comment }) => comment === goodReview.comment)?.name
    }

    expect(await findName()).toBeNull()

    await db.update(tables.users).set({ name: 'ada@acme.example' })
    expect(await findName()).toBeNull()

    await db.update(tables.users).set({ name: 'Ada Lovelace' })
    expect(await findName()).toBe('Ada Lovelace')
  })

  it('stores any script as it is and refuses what the rating cannot be', async () => {
    const learner = await addLearner('able', 100)
    const comment = '<b>مرحبا</b> 👩‍🚀 \u202e日本語\n‘’'
    await recordReview(reviewContext(), learner, { ...goodReview, comment }, now)

    expect((await getOwnReview('able'))?.comment).toBe(comment)
    await expect(
      recordReview(reviewContext(), learner, { ...goodReview, rating: 6 }, now),
    ).rejects.toThrow()
  })
})

describe('the shown rating', () => {
  const numbers = async () => {
    const { rating, reviews } = await getPublicCourse()
    const { courses: catalog } = await searchCatalog(db, emptyCatalogQuery)
    const card = catalog.find((course) => course.id === courseId)
    expect({ rating: card?.rating, reviews: card?.reviews }).toEqual({ rating, reviews })

    return { rating, reviews }
  }
  const setBase = (rating: number, reviews: number) =>
    db.update(tables.courses).set({ rating, reviews }).where(eq(tables.courses.id, courseId))

  it('is the one of the file until somebody reviews, and follows with every change', async () => {
    await setBase(4.5, 2)
    expect(await numbers()).toEqual({ rating: 4.5, reviews: 2 })

    const ada = await addLearner('ada', 100)
    await recordReview(reviewContext(), ada, { ...goodReview, rating: 1 }, now)
    expect(await numbers()).toEqual({ rating: 3.3, reviews: 3 })

    await recordReview(
      reviewContext(),
      await addLearner('bob', 100),
      { ...goodReview, rating: 5 },
      now,
    )
    expect(await numbers()).toEqual({ rating: 3.8, reviews: 4 })

    await recordReview(reviewContext(), ada, { ...goodReview, rating: 4 }, now)
    expect(await numbers()).toEqual({ rating: 4.5, reviews: 4 })

    await removeReview(reviewContext(), ada)
    await removeReview(reviewContext(), ada)
    expect(await numbers()).toEqual({ rating: 4.7, reviews: 3 })

    await db.delete(tables.users)
    expect(await numbers()).toEqual({ rating: 4.5, reviews: 2 })
  })

  it('of a course that nobody had rated is that of its learners', async () => {
    await setBase(0, 0)
    await recordReview(reviewContext(), await addLearner('ada', 100), goodReview, now)

    expect(await numbers()).toEqual({ rating: 4, reviews: 1 })
  })

  it('survives loading the content anew', async () => {
    await setBase(4.5, 2)
    await recordReview(reviewContext(), await addLearner('ada', 100), goodReview, now)
    await db.delete(tables.contentState)
    expect(await loadContent(db, env.CONTENT_DIR, contentHooks)).toMatchObject({
      status: 'loaded',
    })
    expect(await numbers()).toEqual({ rating: 4.7, reviews: 9121 })
  }, 30_000)

  it('leaves hidden reviews out', async () => {
    await setBase(4.5, 2)
    await recordReview(
      reviewContext(),
      await addLearner('ada', 100),
      { ...goodReview, rating: 1 },
      now,
    )
    const reviewId = (await getOwnReview('ada'))?.id

    expect(await moderate('ada', '')).toBe(true)
    expect(await numbers()).toEqual({ rating: 4.5, reviews: 2 })
    expect((await getPublicCourse()).reviewsList.map(({ id }) => id)).not.toContain(reviewId)
    expect(await getOwnReview('ada')).toMatchObject({
      hidden: 'We’ve hidden this review. Only you can see it.',
    })

    expect(await moderate('ada', null)).toBe(true)
    expect(await numbers()).toEqual({ rating: 3.3, reviews: 3 })

    const inOtherCourse = { courseId: 'typography-for-screens', reviewId: reviewId ?? '' }
    expect(await setReviewHidden(reviewContext(), inOtherCourse, '')).toBe(false)
  })
})

describe('a hidden review', () => {
  it('stays hidden when its writer removes it and writes again, until an operator shows it', async () => {
    const ada = await addLearner('ada', 100)
    await recordReview(reviewContext(), ada, goodReview, now)
    const reviewId = (await getOwnReview('ada'))?.id ?? ''
    await moderate('ada', '')

    await removeReview(reviewContext(), ada)
    expect(await getOwnReview('ada')).toBeNull()
    expect(await setReviewHidden(reviewContext(), { courseId, reviewId }, null)).toBe(false)
    expect((await db.select().from(tables.reviews))[0]?.comment).toBeNull()

    const later = new Date(now.getTime() + 60_000)
    await recordReview(reviewContext(), ada, { ...goodReview, comment: 'Again.' }, later)
    expect(await getOwnReview('ada')).toMatchObject({
      comment: 'Again.',
      hidden: 'We’ve hidden this review. Only you can see it.',
    })
    expect((await getPublicCourse()).reviewsList.map(({ comment }) => comment)).not.toContain(
      'Again.',
    )

    expect(await moderate('ada', null)).toBe(true)

    const review = (await getPublicCourse({ sort: 'newest' })).reviewsList.find(
      ({ comment }) => comment === 'Again.',
    )
    expect(review).toMatchObject({ edited: false })
  })
})

describe("'helpful'", () => {
  const helpful = async (id: string) =>
    (await getPublicCourse()).reviewsList.find((review) => review.id === id)?.helpful
  const sample = 'labels-not-boxes'
  const voteNotPossible = { refusal: 'not-votable' }

  it('counts one vote a person, also for the reviews of the file and when 100 requests come at once', async () => {
    await addLearner('ada', 0)
    const before = (await helpful(sample)) ?? 0
    const vote = { uid: 'ada', courseId, reviewId: sample }
    const results = await Promise.all(Array.from({ length: 100 }, () => recordVote(db, vote)))
    expect(results.filter(({ refusal }) => refusal !== null)).toEqual([])
    expect(await helpful(sample)).toBe(before + 1)
    expect(await getOwnReviews(db, 'ada', courseId)).toMatchObject({
      votes: { [sample]: before + 1 },
    })

    await removeVote(db, vote)
    await removeVote(db, vote)
    expect(await helpful(sample)).toBe(before)
  })

  it('takes an enrollment in the course and a confirmed address, and says what is missing', async () => {
    await addLearner('ada', 0)
    const before = await helpful(sample)
    const vote = { uid: 'ada', courseId, reviewId: sample }
    await db.update(tables.users).set({ emailVerified: false })
    expect(await recordVote(db, vote)).toEqual({ refusal: 'confirmation' })
    expect(await getOwnReviews(db, 'ada', courseId)).toMatchObject({ voteLacks: 'confirmation' })

    await db.update(tables.users).set({ emailVerified: true })
    await db.delete(tables.enrollments)
    expect(await recordVote(db, vote)).toEqual({ refusal: 'enrollment' })
    expect(await getOwnReviews(db, 'ada', courseId)).toMatchObject({ voteLacks: 'enrollment' })
    expect(await helpful(sample)).toBe(before)
  })

  it("is not for one's own review, a hidden one, or one that does not exist", async () => {
    await recordReview(reviewContext(), await addLearner('ada', 100), goodReview, now)
    await addLearner('bob', 0)
    const reviewId = (await getOwnReview('ada'))?.id ?? ''
    expect(await recordVote(db, { uid: 'ada', courseId, reviewId })).toEqual(voteNotPossible)
    expect(await recordVote(db, { uid: 'bob', courseId, reviewId: 'nope' })).toEqual(
      voteNotPossible,
    )
    expect(
      await recordVote(db, { uid: 'bob', courseId: 'typography-for-screens', reviewId }),
    ).toEqual(voteNotPossible)

    await moderate('ada', '')
    expect(await recordVote(db, { uid: 'bob', courseId, reviewId })).toEqual(voteNotPossible)

    await moderate('ada', null)
    expect(await recordVote(db, { uid: 'bob', courseId, reviewId })).toEqual({ refusal: null })
    expect(await helpful(reviewId)).toBe(1)
  })

  it('goes with the review', async () => {
    const ada = await addLearner('ada', 100)
    await recordReview(reviewContext(), ada, goodReview, now)
    await addLearner('bob', 0)
    await recordVote(db, { uid: 'bob', courseId, reviewId: (await getOwnReview('ada'))?.id ?? '' })
    await removeReview(reviewContext(), ada)

    expect(await db.select().from(tables.reviewVotes)).toEqual([])
  })
})

describe('the list of reviews', () => {
  const sortedBy = async (sort: ReviewSort, choice = {}) =>
    (await getPublicCourse({ sort, ...choice })).reviewsList

  it('is sorted as chosen', async () => {
    const ratings = [3, 5, 1, 4, 2]
    for (const [index, rating] of ratings.entries()) {
      const at = new Date(now.getTime() + index * 1000)
      await recordReview(
        reviewContext(),
        await addLearner(`l${index}`, 100),
        { ...goodReview, rating },
        at,
      )
    }

    const newest = await sortedBy('newest')
    expect(newest.slice(0, 5).map(({ rating }) => rating)).toEqual(ratings.toReversed())

    const highest = (await sortedBy('highest')).map(({ rating }) => rating)
    expect(highest).toEqual(highest.toSorted((a, b) => b - a))

    const lowest = (await sortedBy('lowest')).map(({ rating }) => rating)
    expect(lowest).toEqual(lowest.toSorted((a, b) => a - b))

    const counts = (await sortedBy('helpful')).map(({ helpful }) => helpful)
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
  })

  it('comes in pages that have every review once, and counts the stars of all of them', async () => {
    const samples = (await getPublicCourse()).reviewsList.length
    for (let index = 0; index < 25; index++) {
      await recordReview(
        reviewContext(),
        await addLearner(`l${index}`, 100),
        { ...goodReview, rating: 2 },
        now,
      )
    }

    const pages = await Promise.all(
      [1, 2, 3, 4, 5].map((page) => getPublicCourse({ page, sort: 'newest' })),
    )
    const total = samples + 25
    expect(pages[0]?.reviewPage).toMatchObject({ page: 1, pages: Math.ceil(total / 10) })
    expect(pages[0]?.reviewPage.stars.reduce((sum, count) => sum + count)).toBe(total)
    expect(pages[0]?.reviewPage.stars[3]).toBeGreaterThanOrEqual(25)

    const lastPage = pages[0]?.reviewPage.pages ?? 0
    const ids = pages
      .slice(0, lastPage)
      .flatMap(({ reviewsList }) => reviewsList.map(({ id }) => id))
    expect(new Set(ids).size).toBe(total)
    expect(await getPublicCourse({ page: 999_999, sort: 'newest' })).toEqual(pages[lastPage - 1])

    const fives = await getPublicCourse({ stars: 5 })
    expect(fives.reviewsList.every(({ rating }) => rating === 5)).toBe(true)
    expect(fives.reviewPage).toMatchObject({ pages: 1, stars: pages[0]?.reviewPage.stars })
  })
})
