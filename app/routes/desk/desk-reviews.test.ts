import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as tables from '~/server/database/schema'
import { type DeskServer, startDeskServer } from '../../../tests/support/desk-server'

const ownCourse = 'python-from-zero'
const otherCourse = 'typography-for-screens'
const reportPath = '/Reviews/review-1/Report'
const reviewFields = { course: ownCourse, review: 'review-1' }
const unknownReviewText = 'There is no such review'

let server: DeskServer

beforeAll(async () => {
  server = await startDeskServer()
  for (const name of ['author', 'reader', 'other']) {
    await server.signUp(name)
  }

  await server.signUp('manager', 'manager')
  await server.signUp('teacher', 'teacher', [ownCourse])
})
afterAll(() => server.stop())
beforeEach(async () => {
  await server.db.delete(tables.reviews)
  await server.db.insert(tables.reviews).values([
    {
      uid: server.getUid('author'),
      courseId: ownCourse,
      id: 'review-1',
      rating: 1,
      comment: 'Buy my shoes.',
      showsName: false,
    },
    {
      uid: server.getUid('author'),
      courseId: otherCourse,
      id: 'review-2',
      rating: 5,
      comment: 'Letters!',
    },
  ])
})

const findReview = async (id = 'review-1') =>
  (await server.db.select().from(tables.reviews).where(eq(tables.reviews.id, id)))[0]
const listOpenReports = async () =>
  (await server.db.select().from(tables.reviewReports)).filter(({ closedAt }) => closedAt === null)
const sendForm = (name: string, form: Record<string, string>) =>
  server.post(name, '/Desk/Reviews', { ...reviewFields, ...form })
const getCoursePage = async () => {
  const { pageCache } = await import('~/server/cache/page-cache.server')
  pageCache.clear()
  return (await server.get('visitor', `/OneCourse/${ownCourse}?tab=reviews&sort=newest`)).body
}

describe('a report', () => {
  it('requires a signed-in learner, and is stored once', async () => {
    expect((await server.get('visitor', reportPath)).headers.location).toBe(
      `/Login?from=${encodeURIComponent(reportPath)}`,
    )
    expect(
      (await server.post('visitor', reportPath, { reason: 'spam' })).headers.location,
    ).toContain('/Login')
    expect((await server.get('reader', reportPath)).body).toContain('Buy my shoes.')
    expect((await server.post('reader', reportPath, { reason: 'flying' })).body).toContain(
      'Choose what is wrong.',
    )
    expect(
      (await server.post('reader', reportPath, { reason: 'spam', comment: 'x'.repeat(501) }))
        .status,
    ).toBe(400)

    for (const comment of ['Shoes.', 'Again.']) {
      expect((await server.post('reader', reportPath, { reason: 'spam', comment })).body).toContain(
        'Thank you.',
      )
    }

    expect(await listOpenReports()).toMatchObject([
      { reviewId: 'review-1', reason: 'spam', comment: 'Shoes.' },
    ])
  })

  it('is refused for your own review, a hidden one, and one that doesn’t exist', async () => {
    expect((await server.get('author', reportPath)).body).toContain(unknownReviewText)
    expect((await server.post('author', reportPath, { reason: 'spam' })).status).toBe(404)
    expect((await server.get('reader', '/Reviews/none/Report')).status).toBe(404)

    await sendForm('manager', { intent: 'hide', reason: 'Advertising.' })
    expect((await server.get('reader', reportPath)).status).toBe(404)
    expect((await server.post('reader', reportPath, { reason: 'spam' })).status).toBe(404)
    expect(await listOpenReports()).toEqual([])
  })

  it('is refused after 20 reports in a day', async () => {
    const authors = Array.from({ length: 21 }, (_, index) => ({
      id: `flood-${index}`,
      email: `f${index}@test.example`,
    }))
    for (const { id, email } of authors) {
      await server.db.insert(tables.users).values({ id, email, name: id, firstName: id })
      await server.db.insert(tables.reviews).values({ uid: id, courseId: ownCourse, id, rating: 1 })
    }

    const send = (id: string) => server.post('other', `/Reviews/${id}/Report`, { reason: 'other' })
    for (const { id } of authors.slice(0, 20)) {
      expect((await send(id)).status).toBe(200)
    }

    expect((await send('flood-20')).status).toBe(429)
    expect((await send('flood-0')).status).toBe(200)
  })
})

describe('a reported review', () => {
  beforeEach(async () => {
    await server.db.insert(tables.reviewReports).values([
      { uid: server.getUid('reader'), reviewId: 'review-1', reason: 'spam' },
      {
        uid: server.getUid('other'),
        reviewId: 'review-1',
        reason: 'other',
        comment: 'It is <b>rude</b>.',
      },
    ])

    await server.db
      .update(tables.reviews)
      .set({ createdAt: new Date('2020-01-01T00:00:00Z') })
      .where(eq(tables.reviews.id, 'review-1'))
  })

  it('comes first at the desk with the reasons of its reports, and needs attention on Today', async () => {
    const { body } = await server.get('manager', '/Desk/Reviews')
    expect(body.indexOf('Buy my shoes.')).toBeLessThan(body.indexOf('Letters!'))

    for (const text of [
      'Reported 2 times',
      'Advertising or spam',
      'It is &lt;b&gt;rude&lt;/b&gt;.',
    ]) {
      expect(body).toContain(text)
    }

    expect((await server.get('manager', '/Desk')).body).toContain('Learners reported 1 review')

    const reportedPage = (await server.get('manager', '/Desk/Reviews?state=reported')).body
    expect([reportedPage.includes('Buy my shoes.'), reportedPage.includes('Letters!')]).toEqual([
      true,
      false,
    ])
  })

  it('is kept or hidden, and either closes its reports', async () => {
    expect((await sendForm('manager', { intent: 'dismiss' })).body).toContain(
      '2 reports are closed.',
    )
    expect(await listOpenReports()).toEqual([])
    expect((await findReview())?.hiddenAt).toBeNull()
    expect((await sendForm('manager', { intent: 'dismiss' })).status).toBe(400)

    await server.db.update(tables.reviewReports).set({ closedAt: null })
    await sendForm('manager', { intent: 'hide', reason: 'Advertising.' })
    expect([(await findReview())?.hiddenReason, await listOpenReports()]).toEqual([
      'Advertising.',
      [],
    ])
    expect((await server.listAuditEntries()).at(0)).toMatchObject({
      act: 'review hide',
      subject: server.getUid('author'),
      changes: { isHidden: { from: false, to: true }, reason: { from: null, to: 'Advertising.' } },
    })
  })

  it('shows a teacher only what the course’s page shows', async () => {
    const { body } = await server.get('teacher', '/Desk/Reviews')
    expect(body).toContain('Buy my shoes.')

    for (const secret of ['Letters!', 'Reported', 'rude', server.getUid('author'), 'author']) {
      expect(body.includes(secret), secret).toBe(false)
    }

    for (const name of ['dismiss', 'hide', 'show']) {
      expect((await sendForm('teacher', { intent: name, reason: 'x' })).status).toBe(404)
    }

    const otherReview = { ...reviewFields, review: server.getUid('author') }
    expect(
      (await sendForm('teacher', { intent: 'answer', answer: 'Whose is it?', ...otherReview }))
        .status,
    ).toBe(400)
    expect((await findReview())?.answer).toBeNull()

    await sendForm('manager', { intent: 'hide', reason: 'Advertising.' })
    expect((await server.get('teacher', '/Desk/Reviews')).body).not.toContain('Buy my shoes.')
  })

  it('is listed once over all pages, those with most reports first', async () => {
    await server.db.delete(tables.reviews)
    const rows = Array.from({ length: 120 }, (_, index) => ({
      id: `many-${index}`,
      email: `m${index}@test.example`,
    }))
    for (const { id, email } of rows) {
      await server.db
        .insert(tables.users)
        .values({ id, email, name: id, firstName: id })
        .onConflictDoNothing()
      await server.db
        .insert(tables.reviews)
        .values({ uid: id, courseId: ownCourse, id, rating: 3, comment: `[${id}]` })
    }

    const reportedRows = rows.slice(0, 60)
    await server.db.insert(tables.reviewReports).values(
      reportedRows.map(({ id }) => ({
        uid: server.getUid('reader'),
        reviewId: id,
        reason: 'other' as const,
      })),
    )

    await server.db
      .insert(tables.reviewReports)
      .values({ uid: server.getUid('other'), reviewId: 'many-0', reason: 'other' as const })
    const listedIds: string[] = []
    for (let path = '/Desk/Reviews'; path !== ''; ) {
      const { body } = await server.get('manager', path)
      listedIds.push(...[...body.matchAll(/\[(many-\d+)\]<\/p>/g)].map(([, id]) => id ?? ''))
      const next = /href="(\/Desk\/Reviews\?[^"]*after=[^"]*)"/.exec(body)?.[1] ?? ''
      path = next.replaceAll('&amp;', '&')
    }

    expect(listedIds[0]).toBe('many-0')
    expect(new Set(listedIds.slice(0, 60))).toEqual(new Set(reportedRows.map(({ id }) => id)))
    expect([listedIds.length, new Set(listedIds).size]).toEqual([120, 120])
  })
})

describe('an answer', () => {
  const answer = 'Shoes are for another course.'

  it('is below the review with the instructor’s name until the teacher removes it', async () => {
    expect((await sendForm('teacher', { intent: 'answer', answer: 'First words.' })).status).toBe(
      200,
    )
    expect((await sendForm('teacher', { intent: 'answer', answer })).status).toBe(200)

    const page = await getCoursePage()
    expect(page).toContain(answer)
    expect(page).toMatch(/Answer by <bdi[^>]*>[^<]+<\/bdi>/)
    expect((await server.listAuditEntries()).at(0)).toMatchObject({
      changes: { answer: { from: 'First words.', to: answer } },
    })
    expect((await sendForm('teacher', { intent: 'remove-answer' })).status).toBe(200)
    expect((await findReview())?.answer).toBeNull()
  })

  it('is emailed to the author once, with its latest text, unless the author unsubscribed', async () => {
    await server.db.delete(tables.outbox)
    for (const text of ['First words.', answer]) {
      await sendForm('teacher', { intent: 'answer', answer: text })
    }

    const mails = await server.db.select().from(tables.outbox)
    expect(mails).toMatchObject([
      { uid: server.getUid('author'), kind: 'review-answer', topic: 'review-1' },
    ])

    const { composeAnswerMail } = await import('~/features/desk/reviews/answer-mail.server')
    const compose = () => composeAnswerMail(server.db, server.getUid('author'), 'review-1')
    const mail = await compose()
    expect([mail?.to, mail?.text?.includes(answer)]).toEqual(['author@learnify.example', true])
    expect(mail?.headers).toMatchObject({
      'List-Unsubscribe': expect.stringContaining('/StopReminders?'),
    })

    const choose = (wantsAnnouncements: boolean) =>
      server.db
        .update(tables.users)
        .set({ wantsAnnouncements })
        .where(eq(tables.users.id, server.getUid('author')))

    await choose(false)
    expect(await compose()).toBeNull()

    await choose(true)
    await sendForm('manager', { intent: 'hide', reason: 'Advertising.' })
    expect(await compose()).toBeNull()
  })

  it('is refused for a review of another course, a hidden review, and an empty text', async () => {
    const otherCourseFields = { course: otherCourse, review: 'review-2' }
    expect(
      (await sendForm('teacher', { intent: 'answer', answer, ...otherCourseFields })).status,
    ).toBe(400)
    expect((await findReview('review-2'))?.answer).toBeNull()
    expect(
      (await sendForm('manager', { intent: 'answer', answer, ...otherCourseFields })).status,
    ).toBe(200)
    expect((await sendForm('teacher', { intent: 'answer', answer: ' ' })).status).toBe(400)
    expect((await sendForm('teacher', { intent: 'answer', answer: 'x'.repeat(2001) })).status).toBe(
      400,
    )

    await sendForm('manager', { intent: 'hide', reason: 'Advertising.' })
    expect((await sendForm('manager', { intent: 'answer', answer })).body).toContain(
      'The review is hidden',
    )
  })

  it('is hidden together with its review', async () => {
    await sendForm('teacher', { intent: 'answer', answer })
    await sendForm('manager', { intent: 'hide', reason: 'Advertising.' })

    expect(await getCoursePage()).not.toContain(answer)
  })
})
