import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deleteAccount } from '~/features/accounts/own-data/account-deletion.server'
import { writeCourseSearch } from '~/features/catalog/search/search-index.server'
import { enrollAndReward, learningContext } from '~/features/certificates/rewards.server'
import { leaveCourse } from '~/features/enrollment/enrollment-queries.server'
import { startAttempt, submitAttempt } from '~/features/exams/attempt/attempt-queries.server'
import { emptyProgress } from '~/features/learning/progress/lesson-progress'
import { recordMissedQuestions } from '~/features/learning/progress/missed-question-queries.server'
import { questionId } from '~/features/learning/progress/question-id.server'
import { recordLessonProgress } from '~/features/learning/progress/record-progress.server'
import type { ReceivedReport } from '~/features/learning/progress/reported-progress'
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
import { operatorContext } from '../../../tests/support/operator'
import { insertRefund } from '../../../tests/support/sample-orders'
import { openSampleShop, type SampleShop } from '../../../tests/support/sample-shop'
import { createTestDatabase } from '../../../tests/support/test-database'
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

/** `node bench/desk.ts` runs 10,000 events. */
const eventCount = Number(process.env.DESK_ACTS ?? 300)
const courses = ['python-from-zero', 'typography-for-screens']
const dayMs = 24 * 60 * 60_000
const now = new Date()
const { db } = await createTestDatabase()
const rated = { db, updateRatings: writeCourseSearch }
let shop: SampleShop

type Event = {
  kind: keyof typeof events
  learner: number
  course: number
  pick: number
  daysAgo: number
}
/** The learner and the course of an event. `pick` selects one of several rows. */
type EventDetails = { uid: string; courseId: string; pick: number; at: Date }

let nextLearnerNumber = 100

async function addLearner({ at }: { at: Date }) {
  const id = `learner-${nextLearnerNumber++}`
  const name = { name: 'Ada Byron', firstName: 'Ada', lastName: 'Byron' }
  await db
    .insert(tables.users)
    .values({ id, email: `${id}@example.com`, ...name, emailVerified: true, createdAt: at })
}

async function pickRow<Row>(rows: Promise<Row[]>, pick: number): Promise<Row | undefined> {
  const candidates = await rows
  return candidates[pick % Math.max(1, candidates.length)]
}

async function listOrders(uid: string) {
  return db.select().from(tables.orders).where(eq(tables.orders.uid, uid))
}

async function listLessons(courseId: string) {
  return db
    .select()
    .from(tables.courseLessons)
    .where(eq(tables.courseLessons.courseId, courseId))
    .orderBy(tables.courseLessons.id)
}

/** @param reason null shows the review again */
async function setHidden({ courseId, pick }: EventDetails, reason: string | null) {
  const review = await pickRow(
    db.select().from(tables.reviews).where(eq(tables.reviews.courseId, courseId)),
    pick,
  )
  if (!review) {
    return
  }

  const context = { ...operatorContext(db), updateRatings: writeCourseSearch }
  const input = { courseId, reviewId: review.id }
  if (reason === null) {
    await showReview(context, input)
  } else {
    await hideReview(context, input, reason)
  }
}

async function setDisabled({ uid }: EventDetails, isDisabled: boolean) {
  const context = operatorContext(db)
  await (isDisabled ? disableAccount(context, uid) : enableAccount(context, uid))
}

/** @param pick selects a lesson of the course; null selects all of them */
async function markLessons(
  { uid, courseId, at }: Omit<EventDetails, 'pick'>,
  pick: number | null,
  value: 'done' | 'undone',
) {
  const lessons = await listLessons(courseId)
  const lesson = lessons[(pick ?? 0) % lessons.length]
  const pickedLessons = pick === null || !lesson ? lessons : [lesson]

  const mark = { value, at: at.getTime() }
  const progress = { ...emptyProgress, readToEnd: true, mark }
  const report: ReceivedReport = {
    progress,
    studyIntervals: [[mark.at - 60_000, mark.at]],
    receivedAt: at,
  }
  for (const { id } of pickedLessons) {
    await recordLessonProgress(learningContext(db), {
      learnerLesson: { uid, courseId, lessonId: id },
      report,
      sessionToken: null,
    })
  }
}

/** What learners and staff do. Events that are not possible at the time change nothing. */
const events = {
  'sign up': addLearner,
  enroll: ({ uid, courseId, at }: Omit<EventDetails, 'pick'>) =>
    enrollAndReward(db, uid, [courseId], at, { isFreeOfCharge: true }),
  leave: ({ uid, courseId }: EventDetails) => leaveCourse(db, uid, courseId),
  lesson: ({ pick, ...details }: EventDetails) =>
    markLessons(details, pick, pick % 8 === 0 ? 'undone' : 'done'),
  async complete(details: EventDetails) {
    await events.enroll(details)
    await markLessons(details, null, 'done')
    await events.exam(details)
    await events.review(details)
  },
  async miss({ uid, courseId, pick, at }: EventDetails) {
    const lessons = await listLessons(courseId)
    const quizzes = lessons.filter(({ kind }) => kind === 'quiz')
    const quiz = quizzes[pick % Math.max(1, quizzes.length)]
    const question = quiz?.questions?.[pick % (quiz.questions.length || 1)]
    if (!quiz || !question) {
      return
    }

    const missed = [{ questionId: questionId(question.question), missedAt: at }]
    await db.transaction((transaction) =>
      recordMissedQuestions(transaction, { uid, courseId, lessonId: quiz.id }, missed, 'UTC'),
    )
  },
  async exam({ uid, courseId, at }: EventDetails) {
    const started = await startAttempt(learningContext(db), { uid, courseId }, at)
    if (started.refusal === null) {
      await submitAttempt(learningContext(db), { uid, attemptId: started.attemptId }, at)
    }
  },
  review: ({ uid, courseId, pick, at }: EventDetails) =>
    recordReview(
      rated,
      { uid, courseId },
      { rating: 1 + (pick % 5), comment: '', showsName: true },
      at,
    ),
  'remove review': ({ uid, courseId }: EventDetails) => removeReview(rated, { uid, courseId }),
  async report({ uid, pick }: EventDetails) {
    const review = await pickRow(db.select().from(tables.reviews), pick)
    if (review) {
      await recordReport(db, { uid, reviewId: review.id }, { reason: 'spam', comment: '' })
    }
  },
  hide: (details: EventDetails) => setHidden(details, 'Spam'),
  show: (details: EventDetails) => setHidden(details, null),
  async buy({ uid, courseId, pick }: EventDetails) {
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

    for (const { id } of await listOrders(uid)) {
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
  async redeem({ uid, pick }: EventDetails) {
    const gift = await pickRow(db.select().from(tables.gifts).orderBy(tables.gifts.createdAt), pick)
    if (gift) {
      await redeemGift(db, gift.code, uid)
    }
  },
  async refund({ uid, pick }: EventDetails) {
    const order = await pickRow(listOrders(uid), pick)
    if (!order) {
      return
    }

    const refund = { amountMinor: pick % 2 ? null : 100, reason: 'test' }
    await insertRefund(db, order.id, refund)
    await sendPendingRefunds(shop.shop, order.id)
  },
  async 'ask for money'({ uid, pick }: EventDetails) {
    const order = await pickRow(listOrders(uid), pick)
    if (order) {
      await requestRefund(shop.shop, { orderId: order.id, kind: 'refund', reason: 'No' })
    }
  },
  disable: (details: EventDetails) => setDisabled(details, true),
  enable: (details: EventDetails) => setDisabled(details, false),
  delete: ({ uid, pick }: EventDetails) =>
    pick % 8 === 0 &&
    db.transaction((transaction) => deleteAccount(transaction, writeCourseSearch, uid)),
}

async function performEvent({ kind, learner, course, pick, daysAgo }: Event): Promise<unknown> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from users where id <> 'owner' order by id desc limit 12`,
  )
  const details = {
    uid: rows[learner % rows.length]?.id ?? '',
    courseId: courses[course] ?? '',
    pick,
  }

  return events[kind]({ ...details, at: new Date(now.getTime() - daysAgo * dayMs) })
}

/** Loads the data of a page as an owner. */
async function load<Data>(
  loadPage: (desk: DeskRequest) => Promise<Data>,
  params = {},
  search = '',
): Promise<NonNullable<Data>> {
  const staff = { uid: 'owner', role: 'owner' as const, courseIds: null, seesLearnerEmails: true }
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

/** Loads all rows of a list, page by page. */
async function loadAll<Row>(
  list: (search: string) => Promise<{ rows: Row[]; next: string | null }>,
  filter = '',
) {
  const allRows: Row[] = []
  for (let after = ''; ; ) {
    const { rows, next } = await list(`${filter}&after=${encodeURIComponent(after)}`)
    allRows.push(...rows)
    if (!next) {
      return allRows
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
    await addLearner({ at: new Date(now.getTime() - 70 * dayMs) })
  }
})

afterAll(() => shop.close())

const randomEvent = fc.record<Event>({
  kind: fc.constantFrom(
    ...(Object.keys(events) as Event['kind'][]),
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

it('shows the same numbers on all pages of the desk as counting the stored rows one by one', {
  timeout: 60_000 + eventCount * 200,
}, async () => {
  for (const event of fc.sample(randomEvent, { numRuns: eventCount, seed: 30 })) {
    await performEvent(event).catch((error) => {
      if (!(error instanceof StartError)) {
        throw error
      }
    })
  }

  await countFigures(db, now)

  await expectNumbersToEqualRows()
})

async function expectNumbersToEqualRows(): Promise<void> {
  const rows = await readRows()
  await expectTodayToEqual(rows)
  await expectPeopleToEqual(rows)
  await expectCoursesToEqual(rows)
  await expectReviewsToEqual(rows)
  await expectOrdersToEqual(rows)
  await expectCouponsToEqual(rows)
  await expectGiftsToEqual(rows)

  // Numbers that are all 0 would prove nothing.
  for (const [table, tableRows] of Object.entries(rows)) {
    expect(tableRows.length, table).toBeGreaterThan(0)
  }
}

type Rows = Awaited<ReturnType<typeof readRows>>

/** Reads every row of the counted tables. */
async function readRows() {
  return {
    users: await db.select().from(tables.users),
    enrollments: await db.select().from(tables.enrollments),
    lessonProgress: await db.select().from(tables.lessonProgress),
    attempts: await db.select().from(tables.examAttempts),
    certificates: await db.select().from(tables.certificates),
    certificateRegister: await db.select().from(tables.certificateRegister),
    reviews: await db.select().from(tables.reviews),
    reports: await db.select().from(tables.reviewReports),
    practiceCards: await db.select().from(tables.practiceCards),
    orders: await db.select().from(tables.orders),
    gifts: await db.select().from(tables.gifts),
    ledger: await db.select().from(tables.ledger),
    refunds: await db.select().from(tables.refunds),
    refundRequests: await db.select().from(tables.refundRequests),
    studyDays: await db.select().from(tables.studyDays),
  }
}

async function expectTodayToEqual(rows: Rows): Promise<void> {
  const { figures, checks } = await load(loadTodayPage)
  expect(figures?.days.map(({ day }) => day)).toHaveLength(60)
  for (const day of figures?.days ?? []) {
    expect(day).toEqual(countDay(rows, day.day))
  }

  expect(figures).toMatchObject({
    learners: rows.users.length,
    activeNow: countActiveLearners(rows, 0, 30),
    activeBefore: countActiveLearners(rows, 30, 60),
    orderProblems: 0,
  })

  const getCheckedCount = (status: string) => {
    const title = checks.find(({ path }) => path?.includes(status))?.title ?? '0'
    return Number(/\d+/.exec(title)?.[0])
  }
  const waitingRequests = rows.refundRequests.filter(({ status }) => status === 'asked')
  expect(getCheckedCount('asked')).toBe(waitingRequests.length)
  expect(getCheckedCount('reported')).toBe(new Set(listReportedReviewIds(rows)).size)
}

function countDay(rows: Rows, day: string) {
  const countOnDay = (times: (Date | null)[]) =>
    times.filter((time) => time && formatDay(time) === day).length
  const doneLessons = rows.lessonProgress.filter(({ done }) => done)
  const payments = rows.ledger.filter(({ at }) => formatDay(at) === day)

  return {
    day,
    newLearners: countOnDay(rows.users.map(({ createdAt }) => createdAt)),
    activeLearners: rows.studyDays.filter((studyDay) => studyDay.day === day).length,
    enrollments: countOnDay(rows.enrollments.map(({ enrolledAt }) => enrolledAt)),
    lessons: countOnDay(doneLessons.map(({ earnedAt, markedAt }) => earnedAt ?? markedAt)),
    certificates: countOnDay(rows.certificateRegister.map(({ issuedAt }) => issuedAt)),
    revenueMinor: sum(payments.map(({ amountMinor }) => amountMinor)),
  }
}

/** Counts the learners who studied in a period, whose ends are given in days before today. */
function countActiveLearners({ studyDays }: Rows, fromDaysAgo: number, toDaysAgo: number): number {
  const lastDay = formatDay(new Date(now.getTime() - fromDaysAgo * dayMs))
  const dayBefore = formatDay(new Date(now.getTime() - toDaysAgo * dayMs))
  const daysInPeriod = studyDays.filter(({ day }) => day > dayBefore && day <= lastDay)

  return new Set(daysInPeriod.map(({ uid }) => uid)).size
}

/** Lists the review of each open report. A review with several open reports is repeated. */
function listReportedReviewIds({ reports }: Rows): string[] {
  return reports.filter(({ closedAt }) => !closedAt).map(({ reviewId }) => reviewId)
}

async function expectPeopleToEqual({ users, enrollments }: Rows): Promise<void> {
  const people = await loadAll((search) => load(loadPeoplePage, {}, search))
  expect(sortedIds(people)).toEqual(sortedIds(users))
  for (const person of people) {
    expect(person.courseCount).toBe(enrollments.filter(({ uid }) => uid === person.id).length)
  }

  const disabled = await loadAll((search) => load(loadPeoplePage, {}, search), 'state=disabled')
  expect(disabled.length).toBe(users.filter(({ banned }) => banned).length)
}

async function expectCoursesToEqual(rows: Rows): Promise<void> {
  const catalog = byId(await db.select().from(tables.courses))
  const listedCourses = byId(await loadAll((search) => load(loadCoursesPage, {}, search)))
  expect(listedCourses.size).toBe(catalog.size)

  for (const courseId of courses) {
    const listedCourse = listedCourses.get(courseId)
    const revenueMinor = sumRevenue(rows, courseId)
    expect(listedCourse).toMatchObject({ ...countCourse(rows, courseId), revenueMinor })
    expect(listedCourse?.rating).toBeCloseTo(calculateRating(rows, catalog.get(courseId)), 0.9)

    await expectCoursePageToEqual(rows, courseId)
    await expectCourseLearnersToEqual(rows, courseId)
  }
}

function countCourse(rows: Rows, courseId: string) {
  const enrollments = rows.enrollments.filter((enrollment) => enrollment.courseId === courseId)
  const activeEnrollments = enrollments.filter(
    ({ enrolledAt, lastAccessedAt }) =>
      lastAccessedAt > enrolledAt && now.getTime() - lastAccessedAt.getTime() < 30 * dayMs,
  )

  return {
    learners: enrollments.length,
    active: activeEnrollments.length,
    completed: enrollments.filter(({ completedAt }) => completedAt).length,
  }
}

function sumRevenue({ orders, ledger }: Rows, courseId: string): number {
  const courseOrders = orders.filter((order) => order.courseId === courseId)
  const orderIds = new Set(courseOrders.map(({ id }) => id))
  const payments = ledger.filter(({ orderId }) => orderIds.has(orderId))

  return sum(payments.map(({ amountMinor }) => amountMinor))
}

type Course = typeof tables.courses.$inferSelect

/** Adds the visible reviews to the rating that the course's file has from elsewhere. */
function calculateRating({ reviews }: Rows, course: Course | undefined): number {
  if (!course) {
    throw new Error('The catalog has no such course.')
  }

  const ratings = reviews
    .filter(({ courseId, hiddenAt }) => courseId === course.id && !hiddenAt)
    .map(({ rating }) => rating)
  const ratingSum = course.rating * course.reviews + sum(ratings)

  return ratingSum / (course.reviews + ratings.length)
}

async function expectCoursePageToEqual(rows: Rows, courseId: string): Promise<void> {
  const isOfCourse = (row: { courseId: string }) => row.courseId === courseId
  const { figures, revenue, funnel, hardestQuestions } = await load(loadCoursePage, {
    course: courseId,
  })

  expect(figures).toEqual({
    ...countCourse(rows, courseId),
    certificates: rows.certificates.filter(isOfCourse).length,
  })
  expect(revenue?.minor).toBe(sumRevenue(rows, courseId))

  const progress = rows.lessonProgress.filter(isOfCourse)
  for (const step of funnel) {
    const lessonProgress = progress.filter(({ lessonId }) => lessonId === step.id)
    expect(step).toMatchObject({
      begun: lessonProgress.length,
      done: lessonProgress.filter(({ done }) => done).length,
    })
  }

  const cards = rows.practiceCards.filter(isOfCourse)
  for (const { id, missed } of hardestQuestions) {
    expect(missed).toBe(cards.filter(({ questionId }) => questionId === id).length)
  }
}

async function expectCourseLearnersToEqual(rows: Rows, courseId: string): Promise<void> {
  const enrollments = rows.enrollments.filter((enrollment) => enrollment.courseId === courseId)
  const learners = await loadAll((search) =>
    load(loadCourseLearnersPage, { course: courseId }, search),
  )
  expect(learners.map(({ uid }) => uid).sort()).toEqual(enrollments.map(({ uid }) => uid).sort())

  for (const learner of learners) {
    const isOfLearner = (row: { uid: string; courseId: string }) =>
      row.uid === learner.uid && row.courseId === courseId
    const figures = await countProgress(rows.lessonProgress.filter(isOfLearner), courseId)
    const exam = countAttempts(rows.attempts.filter(isOfLearner))
    expect(learner).toMatchObject({ ...figures, exam })
    expect(learner.certificate?.id).toBe(rows.certificates.find(isOfLearner)?.id)

    const report = await load(loadLearnerProgressPage, { course: courseId, uid: learner.uid })
    expect(report.progress).toMatchObject(figures)
  }
}

async function countProgress(progress: Rows['lessonProgress'], courseId: string) {
  const lessons = await db
    .select()
    .from(tables.countingLessons)
    .where(eq(tables.countingLessons.courseId, courseId))
  const doneIds = new Set(progress.filter(({ done }) => done).map(({ lessonId }) => lessonId))
  const doneLessons = lessons.filter(({ id }) => doneIds.has(id))
  const sumSeconds = (some: typeof lessons) =>
    sum(some.map(({ durationSeconds }) => durationSeconds))

  return {
    percent: Math.floor((sumSeconds(doneLessons) * 100) / sumSeconds(lessons)),
    doneLessons: doneLessons.length,
    totalLessons: lessons.length,
  }
}

function countAttempts(attempts: Rows['attempts']) {
  const submitted = attempts.filter(({ submittedAt }) => submittedAt)
  const percentages = submitted.map(({ percent }) => percent ?? 0)

  return {
    attempts: submitted.length,
    best: submitted.length > 0 ? Math.max(...percentages) : null,
    passed: submitted.some(({ passed }) => passed),
  }
}

async function expectReviewsToEqual(rows: Rows): Promise<void> {
  const listedReviews = await loadAll((search) => load(loadReviewsPage, {}, search))
  expect(sortedIds(listedReviews)).toEqual(
    sortedIds(rows.reviews.filter(({ removedAt }) => !removedAt)),
  )
  expect(listedReviews.length).toBeGreaterThan(0)

  const reportedIds = listReportedReviewIds(rows)
  for (const { id, openReports } of listedReviews) {
    expect(openReports).toBe(reportedIds.filter((reviewId) => reviewId === id).length)
  }
}

async function expectOrdersToEqual({ orders, ledger, refunds }: Rows): Promise<void> {
  const listedOrders = await loadAll((search) => load(loadOrdersPage, {}, search))
  expect(sortedIds(listedOrders)).toEqual(sortedIds(orders))

  for (const { id, totalMinor } of listedOrders) {
    const charges = ledger.filter(({ orderId, kind }) => orderId === id && kind === 'charge')
    const orderRefunds = refunds.filter(
      ({ orderId, status }) => orderId === id && status !== 'failed',
    )
    const paidMinor = sum(charges.map(({ amountMinor }) => amountMinor))
    const refundedMinor = sum(orderRefunds.map(({ amountMinor }) => amountMinor))

    const { order, remaining } = await load(loadOrderPage, { order: id })
    expect([remaining.minor, totalMinor]).toEqual([paidMinor - refundedMinor, order.totalMinor])
  }
}

async function expectCouponsToEqual({ orders }: Rows): Promise<void> {
  const ordersWithCoupon = orders.filter(
    ({ couponCode, status }) => couponCode && ['processing', 'paid', 'refunded'].includes(status),
  )
  expect(ordersWithCoupon.length).toBeGreaterThan(0)

  const [couponGroup] = await loadAll((search) => load(loadCouponsPage, {}, search))
  expect(couponGroup?.uses).toBe(ordersWithCoupon.length)
  const coupon = await load(loadCouponPage, { code: 'HALF' })
  expect(coupon.uses).toBe(String(ordersWithCoupon.length))
}

async function expectGiftsToEqual({ gifts, orders }: Rows): Promise<void> {
  const listedGifts = await loadAll((search) => load(loadGiftsPage, {}, search))
  const ordersById = byId(orders)
  const paidGifts = gifts.filter(({ orderId }) => ordersById.get(orderId)?.status !== 'canceled')
  expect(sortedIds(listedGifts)).toEqual(paidGifts.map(({ orderId }) => orderId).sort())
  expect(listedGifts.length).toBeGreaterThan(0)
  expect(listedGifts.filter(({ redeemedAt }) => redeemedAt).length).toBe(
    paidGifts.filter(({ redeemedAt }) => redeemedAt).length,
  )
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function formatDay(time: Date): string {
  return time.toISOString().slice(0, 10)
}

function byId<Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}

function sortedIds(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id).sort()
}
