import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { deleteAccount } from '~/features/accounts/own-data/account-deletion.server'
import { writeCourseSearch } from '~/features/catalog/search/search-index.server'
import { enrollAndFollowUp, learningContext } from '~/features/certificates/finished-work.server'
import { leaveCourse } from '~/features/enrollment/enrollment-queries.server'
import { startAttempt, submitAttempt } from '~/features/exams/attempt/attempt-queries.server'
import { emptyProgress } from '~/features/learning/progress/lesson-progress'
import { recordMissedQuestions } from '~/features/learning/progress/missed-question-queries.server'
import { questionId } from '~/features/learning/progress/question-id.server'
import { recordLessonProgress } from '~/features/learning/progress/record-progress.server'
import type { ReportedProgress } from '~/features/learning/progress/reported-progress'
import { startCheckout } from '~/features/orders/checkout/start-checkout.server'
import { redeemGift } from '~/features/orders/gifts/gift-orders.server'
import { syncOrderWithProvider } from '~/features/orders/payments/sync-order.server'
import { requestRefund } from '~/features/orders/refunds/refund-requests.server'
import { sendPendingRefunds } from '~/features/orders/refunds/refunds.server'
import { recordReport } from '~/features/reviews/reports/report-queries.server'
import { hideReview, showReview } from '~/features/reviews/review-actions.server'
import { recordReview, removeReview } from '~/features/reviews/review-queries.server'
import { disableAccount, enableAccount } from '~/features/staff/account-actions.server'
import * as tables from '~/server/database/schema'
import { StartError } from '~/server/env.server'
import { operatorContext } from '../../../tests/support/admin'
import { startRefund } from '../../../tests/support/sample-orders'
import { openSampleShop, type SampleShop } from '../../../tests/support/sample-shop'
import { testDatabase } from '../../../tests/support/test-database'
import { loadCouponPage } from './coupons/coupon-page.server'
import { loadCouponsPage } from './coupons/coupons-page.server'
import { loadCourseLearnersPage } from './courses/course-learners-page.server'
import { loadCoursePage } from './courses/course-page.server'
import { loadCoursesPage } from './courses/courses-page.server'
import { loadLearnerProgressPage } from './courses/learner-progress-page.server'
import type { DeskRequest } from './desk-request.server'
import { countFigures } from './figures.server'
import { loadGiftsPage } from './gifts/gifts-page.server'
import { loadOrderPage } from './orders/order-page.server'
import { loadOrdersPage } from './orders/orders-page.server'
import { loadPeoplePage } from './people/people-page.server'
import { loadReviewsPage } from './reviews/reviews-page.server'
import { loadTodayPage } from './today/today-page.server'

// Before the settings are read.
vi.hoisted(() => {
  process.env.PAYMENTS = 'sample'
})

/** `node bench/desk.ts` does 10,000. */
const actCount = Number(process.env.DESK_ACTS ?? 300)
const courses = ['python-from-zero', 'typography-for-screens']
const dayMs = 24 * 60 * 60_000
const now = new Date()
const { db } = await testDatabase()
const rated = { db, ratingsChange: writeCourseSearch }
let shop: SampleShop

type Act = {
  act: keyof typeof acts
  learner: number
  course: number
  pick: number
  daysAgo: number
}
/** The learner and the course that an act is about. */
type Place = { uid: string; courseId: string; pick: number; at: Date }

let newest = 100

async function newLearner({ at }: { at: Date }) {
  const id = `learner-${newest++}`
  const name = { name: 'Ada Byron', firstName: 'Ada', lastName: 'Byron' }
  await db
    .insert(tables.users)
    .values({ id, email: `${id}@example.com`, ...name, emailVerified: true, createdAt: at })
}

async function pickRow<Row>(rows: Promise<Row[]>, pick: number): Promise<Row | undefined> {
  const found = await rows
  return found[pick % Math.max(1, found.length)]
}

const ordersOf = (uid: string) => db.select().from(tables.orders).where(eq(tables.orders.uid, uid))
const lessonsOf = (courseId: string) =>
  db
    .select()
    .from(tables.courseLessons)
    .where(eq(tables.courseLessons.courseId, courseId))
    .orderBy(tables.courseLessons.id)

async function hide({ courseId, pick }: Place, reason: string | null) {
  const review = await pickRow(
    db.select().from(tables.reviews).where(eq(tables.reviews.courseId, courseId)),
    pick,
  )
  if (!review) {
    return
  }

  const context = { ...operatorContext(db), ratingsChange: writeCourseSearch }
  const input = { courseId, reviewId: review.id }
  if (reason === null) {
    await showReview(context, input)
  } else {
    await hideReview(context, input, reason)
  }
}

async function setDisabled({ uid }: Place, isDisabled: boolean) {
  const context = operatorContext(db)
  await (isDisabled ? disableAccount(context, uid) : enableAccount(context, uid))
}

/** @param pick a lesson of the course, or null for all of them. */
async function doLessons(
  { uid, courseId, at }: Omit<Place, 'pick'>,
  pick: number | null,
  value: 'done' | 'undone',
) {
  const all = await lessonsOf(courseId)
  const mark = { value, at: at.getTime() }
  const progress = { ...emptyProgress, readToEnd: true, mark }
  const reported: ReportedProgress = { progress, studied: [[mark.at - 60_000, mark.at]], now: at }
  for (const { id } of pick === null
    ? all
    : all.slice(pick % all.length, (pick % all.length) + 1)) {
    await recordLessonProgress(learningContext(db), { uid, courseId, lessonId: id }, reported)
  }
}

/** Acts of learners and staff. Some aren't possible at the time, and change nothing. */
const acts = {
  'sign up': newLearner,
  enroll: ({ uid, courseId, at }: Omit<Place, 'pick'>) =>
    enrollAndFollowUp(db, uid, [courseId], at, { granted: true }),
  leave: ({ uid, courseId }: Place) => leaveCourse(db, uid, courseId),
  lesson: ({ pick, ...place }: Place) => doLessons(place, pick, pick % 8 === 0 ? 'undone' : 'done'),
  async complete(place: Place) {
    await acts.enroll(place)
    await doLessons(place, null, 'done')
    await acts.exam(place)
    await acts.review(place)
  },
  async miss({ uid, courseId, pick, at }: Place) {
    const quiz = await pickRow(
      lessonsOf(courseId).then((all) => all.filter(({ kind }) => kind === 'quiz')),
      pick,
    )
    const question = quiz?.questions?.[pick % (quiz.questions.length || 1)]
    if (!quiz || !question) {
      return
    }

    const missed = [{ questionId: questionId(question.question), missedAt: at }]
    await db.transaction((transaction) =>
      recordMissedQuestions(transaction, { uid, courseId, lessonId: quiz.id }, missed, 'UTC'),
    )
  },
  async exam({ uid, courseId, at }: Place) {
    const started = await startAttempt(learningContext(db), { uid, courseId }, at)
    if (started.refusal === null) {
      await submitAttempt(learningContext(db), { uid, attemptId: started.attemptId }, at)
    }
  },
  review: ({ uid, courseId, pick, at }: Place) =>
    recordReview(
      rated,
      { uid, courseId },
      { rating: 1 + (pick % 5), comment: '', showsName: true },
      at,
    ),
  'remove review': ({ uid, courseId }: Place) => removeReview(rated, { uid, courseId }),
  async report({ uid, pick }: Place) {
    const review = await pickRow(db.select().from(tables.reviews), pick)
    if (review) {
      await recordReport(db, { uid, reviewId: review.id }, { reason: 'spam', comment: '' })
    }
  },
  hide: (place: Place) => hide(place, 'Spam'),
  show: (place: Place) => hide(place, null),
  async buy({ uid, courseId, pick }: Place) {
    const couponCode = pick % 3 === 0 ? 'HALF' : null
    const gift =
      pick % 4 === 0 ? { recipientEmail: 'ben@example.com', senderName: 'Ada', message: '' } : null
    await startCheckout(shop.shop, {
      uid,
      courseId,
      buyer: { name: 'Ada Byron', email: 'ada@example.com' },
      couponCode,
      gift,
    })

    for (const { id } of await ordersOf(uid)) {
      const [payment] = await db
        .select()
        .from(tables.payments)
        .where(eq(tables.payments.orderId, id))
      if (payment?.sessionId) {
        await shop.sample.pay(payment.sessionId, 'paid')
      }

      await syncOrderWithProvider(shop.shop, id)
    }
  },
  async redeem({ uid, pick }: Place) {
    const gift = await pickRow(db.select().from(tables.gifts).orderBy(tables.gifts.createdAt), pick)
    if (gift) {
      await redeemGift(db, gift.code, uid)
    }
  },
  async refund({ uid, pick }: Place) {
    const order = await pickRow(ordersOf(uid), pick)
    if (!order) {
      return
    }

    const refund = { amountMinor: pick % 2 ? null : 100, reason: 'test' }
    await startRefund(db, order.id, refund)
    await sendPendingRefunds(shop.shop, order.id)
  },
  async 'ask for money'({ uid, pick }: Place) {
    const order = await pickRow(ordersOf(uid), pick)
    if (order) {
      await requestRefund(shop.shop, { orderId: order.id, kind: 'refund', reason: 'No' })
    }
  },
  disable: (place: Place) => setDisabled(place, true),
  enable: (place: Place) => setDisabled(place, false),
  delete: ({ uid, pick }: Place) =>
    pick % 8 === 0 &&
    db.transaction((transaction) => deleteAccount(transaction, writeCourseSearch, uid)),
}

async function perform({ act, learner, course, pick, daysAgo }: Act): Promise<unknown> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from users where id <> 'owner' order by id desc limit 12`,
  )
  const place = {
    uid: rows[learner % rows.length]?.id ?? '',
    courseId: courses[course] ?? '',
    pick,
  }

  return acts[act]({ ...place, at: new Date(now.getTime() - daysAgo * dayMs) })
}

/** Loads a page's data as an owner gets it. */
async function load<Data>(
  loadPage: (desk: DeskRequest) => Promise<Data>,
  params = {},
  search = '',
): Promise<NonNullable<Data>> {
  const staff = { uid: 'owner', role: 'owner' as const, courseIds: null, seesAddresses: true }
  const data = await loadPage({
    db,
    staff,
    session: { id: 'session', userId: 'owner' },
    timeZone: 'UTC',
    params,
    search: new URLSearchParams(search),
    now,
  })

  if (!data) {
    throw new Error(`The desk has no such page of ${JSON.stringify(params)}.`)
  }

  return data
}

/** All rows of a list, page by page. */
async function loadAll<Row>(
  list: (search: string) => Promise<{ rows: Row[]; next: string | null }>,
  filter = '',
) {
  const all: Row[] = []
  for (let after = ''; ; ) {
    const { rows, next } = await list(`${filter}&after=${encodeURIComponent(after)}`)
    all.push(...rows)
    if (!next) {
      return all
    }

    after = next
  }
}

beforeAll(async () => {
  shop = await openSampleShop(db)
  await db.execute(
    sql`update exams set pass_percent = 0, max_attempts = 1000, minutes_between_attempts = 0`,
  )
  await db.insert(tables.coupons).values({ code: 'HALF', percent: 50 })
  const name = { name: 'Owner', firstName: 'Owner', email: 'owner@example.com' }
  await db.insert(tables.users).values({ id: 'owner', ...name })
  for (let learner = 0; learner < 12; learner++) {
    await newLearner({ at: new Date(now.getTime() - 70 * dayMs) })
  }
})
afterAll(() => shop.close())

const anyAct = fc.record<Act>({
  act: fc.constantFrom(
    ...(Object.keys(acts) as Act['act'][]),
    'lesson',
    'lesson',
    'complete',
    'complete',
    'buy',
  ),
  learner: fc.nat(11),
  course: fc.nat(1),
  pick: fc.nat(100),
  daysAgo: fc.integer({ min: 0, max: 70 }),
})

it('every number on the desk equals counting the facts', {
  timeout: 60_000 + actCount * 200,
}, async () => {
  for (const act of fc.sample(anyAct, { numRuns: actCount, seed: 30 })) {
    await perform(act).catch((error) => {
      if (!(error instanceof StartError)) {
        throw error
      }
    })
  }

  await countFigures(db, now)
  await compare()
})

/** Reads every row of the counted tables. */
async function readFacts() {
  return {
    users: await db.select().from(tables.users),
    enrollments: await db.select().from(tables.enrollments),
    work: await db.select().from(tables.lessonProgress),
    attempts: await db.select().from(tables.examAttempts),
    certificates: await db.select().from(tables.certificates),
    register: await db.select().from(tables.certificateRegister),
    reviews: await db.select().from(tables.reviews),
    reports: await db.select().from(tables.reviewReports),
    cards: await db.select().from(tables.practiceCards),
    orders: await db.select().from(tables.orders),
    gifts: await db.select().from(tables.gifts),
    ledger: await db.select().from(tables.ledger),
    refunds: await db.select().from(tables.refunds),
    requests: await db.select().from(tables.refundRequests),
    days: await db.select().from(tables.studyDays),
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
const dayOf = (time: Date) => time.toISOString().slice(0, 10)
const byId = <Row extends { id: string }>(rows: Row[]) => new Map(rows.map((row) => [row.id, row]))

async function compare(): Promise<void> {
  const facts = await readFacts()
  const {
    users,
    enrollments,
    work,
    attempts,
    certificates,
    register,
    reviews,
    cards,
    orders,
    ledger,
  } = facts
  const catalog = byId(await db.select().from(tables.courses))
  const counting = await db.select().from(tables.countingLessons)

  const today = await load(loadTodayPage)
  expect(today.figures?.days.map(({ day }) => day)).toHaveLength(60)
  for (const day of today.figures?.days ?? []) {
    const on = (times: (Date | null)[]) =>
      times.filter((time) => time && dayOf(time) === day.day).length
    expect(day).toEqual({
      day: day.day,
      newLearners: on(users.map(({ createdAt }) => createdAt)),
      activeLearners: facts.days.filter((one) => one.day === day.day).length,
      enrollments: on(enrollments.map(({ enrolledAt }) => enrolledAt)),
      lessons: on(
        work.filter(({ done }) => done).map(({ earnedAt, markedAt }) => earnedAt ?? markedAt),
      ),
      certificates: on(register.map(({ issuedAt }) => issuedAt)),
      revenueMinor: sum(
        ledger.filter(({ at }) => dayOf(at) === day.day).map(({ amountMinor }) => amountMinor),
      ),
    })
  }

  const active = (from: number, to: number) => {
    const [first, last] = [to, from].map((ago) => dayOf(new Date(now.getTime() - ago * dayMs))) as [
      string,
      string,
    ]
    return new Set(facts.days.filter(({ day }) => day > first && day <= last).map(({ uid }) => uid))
      .size
  }

  expect(today.figures).toMatchObject({
    learners: users.length,
    activeNow: active(0, 30),
    activeBefore: active(30, 60),
  })

  expect(today.figures?.orderProblems).toBe(0)
  const checked = (part: string) => {
    const title = today.checks.find(({ to }) => to?.includes(part))?.title ?? '0'
    return Number(/\d+/.exec(title)?.[0])
  }
  expect(checked('asked')).toBe(facts.requests.filter(({ state }) => state === 'asked').length)
  const open = facts.reports.filter(({ closedAt }) => !closedAt).map(({ reviewId }) => reviewId)
  expect(checked('reported')).toBe(new Set(open).size)

  const people = await loadAll((search) => load(loadPeoplePage, {}, search))
  expect(people.map(({ id }) => id).sort()).toEqual(users.map(({ id }) => id).sort())
  for (const person of people) {
    expect(person.courses).toBe(enrollments.filter(({ uid }) => uid === person.id).length)
  }

  const disabled = await loadAll((search) => load(loadPeoplePage, {}, search), 'state=disabled')
  expect(disabled.length).toBe(users.filter(({ banned }) => banned).length)

  const listed = byId(await loadAll((search) => load(loadCoursesPage, {}, search)))
  expect(listed.size).toBe(catalog.size)
  for (const courseId of courses) {
    const own = enrollments.filter((one) => one.courseId === courseId)
    const ownOrders = new Set(orders.filter((one) => one.courseId === courseId).map(({ id }) => id))
    const figures = {
      learners: own.length,
      active: own.filter(
        ({ lastAccessedAt }) => now.getTime() - lastAccessedAt.getTime() < 30 * dayMs,
      ).length,
      completed: own.filter(({ completedAt }) => completedAt).length,
    }
    const revenueMinor = sum(
      ledger.filter(({ orderId }) => ownOrders.has(orderId)).map(({ amountMinor }) => amountMinor),
    )
    const shown = reviews
      .filter((one) => one.courseId === courseId && !one.hiddenAt)
      .map(({ rating }) => rating)
    const { rating: fileRating = 0, reviews: fileReviews = 0 } = catalog.get(courseId) ?? {}
    const rating = (fileRating * fileReviews + sum(shown)) / (fileReviews + shown.length)
    expect(listed.get(courseId)).toMatchObject({ ...figures, revenueMinor })
    expect(listed.get(courseId)?.rating).toBeCloseTo(rating, 0.9)

    const page = await load(loadCoursePage, { course: courseId })
    expect(page.figures).toEqual({
      ...figures,
      certificates: certificates.filter((one) => one.courseId === courseId).length,
    })
    expect(page.revenue?.minor).toBe(revenueMinor)
    for (const step of page.funnel) {
      const begun = work.filter((one) => one.courseId === courseId && one.lessonId === step.id)
      expect(step).toMatchObject({
        begun: begun.length,
        done: begun.filter(({ done }) => done).length,
      })
    }

    for (const { id, missed } of page.hardestQuestions) {
      expect(missed).toBe(
        cards.filter((one) => one.courseId === courseId && one.questionId === id).length,
      )
    }

    const lessons = counting.filter((one) => one.courseId === courseId)
    const learners = await loadAll((search) =>
      load(loadCourseLearnersPage, { course: courseId }, search),
    )
    expect(learners.map(({ uid }) => uid).sort()).toEqual(own.map(({ uid }) => uid).sort())
    for (const learner of learners) {
      const isOwn = (one: { uid: string; courseId: string }) =>
        one.uid === learner.uid && one.courseId === courseId
      const done = new Set(
        work.filter((one) => isOwn(one) && one.done).map(({ lessonId }) => lessonId),
      )
      const doneLessons = lessons.filter(({ id }) => done.has(id))
      const seconds = (some: typeof lessons) =>
        sum(some.map(({ durationSeconds }) => durationSeconds))
      const figures = {
        percent: Math.floor((seconds(doneLessons) * 100) / seconds(lessons)),
        doneLessons: doneLessons.length,
        totalLessons: lessons.length,
      }
      const handedIn = attempts.filter((one) => isOwn(one) && one.submittedAt)
      const best =
        handedIn.length > 0 ? Math.max(...handedIn.map(({ percent }) => percent ?? 0)) : null
      const exam = {
        attempts: handedIn.length,
        best,
        passed: handedIn.some(({ passed }) => passed),
      }

      expect(learner).toMatchObject({ ...figures, exam })
      expect(learner.certificate?.id).toBe(certificates.find(isOwn)?.id)
      const report = await load(loadLearnerProgressPage, { course: courseId, uid: learner.uid })
      expect(report.figures).toMatchObject(figures)
    }
  }

  const shownReviews = await loadAll((search) => load(loadReviewsPage, {}, search))
  expect(shownReviews.map(({ id }) => id).sort()).toEqual(
    reviews
      .filter(({ removedAt }) => !removedAt)
      .map(({ id }) => id)
      .sort(),
  )

  const shownOrders = await loadAll((search) => load(loadOrdersPage, {}, search))
  expect(shownOrders.map(({ id }) => id).sort()).toEqual(orders.map(({ id }) => id).sort())
  for (const { id, totalMinor } of shownOrders) {
    const paid = sum(
      ledger
        .filter((one) => one.orderId === id && one.kind === 'charge')
        .map(({ amountMinor }) => amountMinor),
    )
    const back = sum(
      facts.refunds
        .filter((one) => one.orderId === id && one.state !== 'failed')
        .map(({ amountMinor }) => amountMinor),
    )
    const order = await load(loadOrderPage, { order: id })
    expect([order.remaining.minor, totalMinor]).toEqual([paid - back, order.order.totalMinor])
  }

  for (const { id, openReports } of shownReviews) {
    expect(openReports).toBe(open.filter((one) => one === id).length)
  }

  const used = orders.filter(
    (one) => one.couponCode && ['processing', 'paid', 'refunded'].includes(one.state),
  )
  const [group] = await loadAll((search) => load(loadCouponsPage, {}, search))
  expect(group?.uses).toBe(used.length)
  expect((await load(loadCouponPage, { code: 'HALF' })).uses).toBe(String(used.length))
  const gifts = await loadAll((search) => load(loadGiftsPage, {}, search))
  const given = facts.gifts.filter(({ orderId }) => byId(orders).get(orderId)?.state !== 'canceled')
  expect(gifts.map(({ id }) => id).sort()).toEqual(given.map(({ orderId }) => orderId).sort())
  expect(gifts.filter(({ redeemedAt }) => redeemedAt).length).toBe(
    given.filter(({ redeemedAt }) => redeemedAt).length,
  )

  for (const counted of [
    enrollments,
    work,
    attempts,
    certificates,
    shownReviews,
    cards,
    orders,
    used,
    gifts,
    facts.refunds,
  ]) {
    expect(counted.length).toBeGreaterThan(0)
  }
}
