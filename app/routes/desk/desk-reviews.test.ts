import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as tables from '~/server/database/schema'
import { startDeskFront } from '../../../tests/support/desk-front'

const own = 'python-from-zero'
const foreign = 'typography-for-screens'
const report = '/Reviews/review-1/Report'
const place = { course: own, review: 'review-1' }
const gone = 'There is no such review'

let front: Awaited<ReturnType<typeof startDeskFront>>

beforeAll(async () => {
  front = await startDeskFront()
  for (const name of ['author', 'reader', 'other']) {
    await front.signUp(name)
  }

  await front.signUp('manager', 'manager')
  await front.signUp('teacher', 'teacher', [own])
})
afterAll(() => front.stop())
beforeEach(async () => {
  await front.db.delete(tables.reviews)
  await front.db.insert(tables.reviews).values([
    {
      uid: front.uidOf('author'),
      courseId: own,
      id: 'review-1',
      rating: 1,
      comment: 'Buy my shoes.',
      showsName: false,
    },
    {
      uid: front.uidOf('author'),
      courseId: foreign,
      id: 'review-2',
      rating: 5,
      comment: 'Letters!',
    },
  ])
})

const stored = async (id = 'review-1') =>
  (await front.db.select().from(tables.reviews).where(eq(tables.reviews.id, id)))[0]
const openReports = async () =>
  (await front.db.select().from(tables.reviewReports)).filter(({ closedAt }) => closedAt === null)
const act = (name: string, form: Record<string, string>) =>
  front.post(name, '/Desk/Reviews', { ...place, ...form })
const courseOf = async () => {
  const { pageCache } = await import('~/server/cache/cache-public-pages.server')
  pageCache.clear()
  return (await front.get('visitor', `/OneCourse/${own}?tab=reviews&sort=newest`)).body
}

describe('a report', () => {
  it('is asked of a signed-in learner, and stored once', async () => {
    expect((await front.get('visitor', report)).headers.location).toBe(
      `/Login?from=${encodeURIComponent(report)}`,
    )
    expect((await front.post('visitor', report, { reason: 'spam' })).headers.location).toContain(
      '/Login',
    )
    expect((await front.get('reader', report)).body).toContain('Buy my shoes.')
    expect((await front.post('reader', report, { reason: 'flying' })).body).toContain(
      'Choose what is wrong.',
    )
    expect(
      (await front.post('reader', report, { reason: 'spam', comment: 'x'.repeat(501) })).status,
    ).toBe(400)
    for (const comment of ['Shoes.', 'Again.']) {
      expect((await front.post('reader', report, { reason: 'spam', comment })).body).toContain(
        'Thank you.',
      )
    }

    expect(await openReports()).toMatchObject([
      { reviewId: 'review-1', reason: 'spam', comment: 'Shoes.' },
    ])
  })

  it('is not about one’s own review, one that is hidden, and one that isn’t there', async () => {
    expect((await front.get('author', report)).body).toContain(gone)
    expect((await front.post('author', report, { reason: 'spam' })).status).toBe(404)
    expect((await front.get('reader', '/Reviews/none/Report')).status).toBe(404)
    await act('manager', { act: 'hide', reason: 'Advertising.' })
    expect((await front.get('reader', report)).status).toBe(404)
    expect((await front.post('reader', report, { reason: 'spam' })).status).toBe(404)
    expect(await openReports()).toEqual([])
  })

  it('is one of at most 20 a day', async () => {
    const others = Array.from({ length: 21 }, (_, index) => ({
      id: `flood-${index}`,
      email: `f${index}@test.example`,
    }))
    for (const { id, email } of others) {
      await front.db.insert(tables.users).values({ id, email, name: id, firstName: id })
      await front.db.insert(tables.reviews).values({ uid: id, courseId: own, id, rating: 1 })
    }

    const send = (id: string) => front.post('other', `/Reviews/${id}/Report`, { reason: 'other' })
    for (const { id } of others.slice(0, 20)) {
      expect((await send(id)).status).toBe(200)
    }

    expect((await send('flood-20')).status).toBe(429)
    expect((await send('flood-0')).status).toBe(200)
  })
})

describe('a reported review', () => {
  beforeEach(async () => {
    await front.db.insert(tables.reviewReports).values([
      { uid: front.uidOf('reader'), reviewId: 'review-1', reason: 'spam' },
      {
        uid: front.uidOf('other'),
        reviewId: 'review-1',
        reason: 'other',
        comment: 'It is <b>rude</b>.',
      },
    ])

    await front.db
      .update(tables.reviews)
      .set({ createdAt: new Date('2020-01-01T00:00:00Z') })
      .where(eq(tables.reviews.id, 'review-1'))
  })

  it('comes first at the desk, with what learners say, and is on Today', async () => {
    const { body } = await front.get('manager', '/Desk/Reviews')
    expect(body.indexOf('Buy my shoes.')).toBeLessThan(body.indexOf('Letters!'))
    for (const text of [
      'Reported 2 times',
      'Advertising or spam',
      'It is &lt;b&gt;rude&lt;/b&gt;.',
    ]) {
      expect(body).toContain(text)
    }

    expect((await front.get('manager', '/Desk')).body).toContain('Learners reported 1 review')
    const reported = (await front.get('manager', '/Desk/Reviews?state=reported')).body
    expect([reported.includes('Buy my shoes.'), reported.includes('Letters!')]).toEqual([
      true,
      false,
    ])
  })

  it('stands, or is hidden; either closes its reports', async () => {
    expect((await act('manager', { act: 'dismiss' })).body).toContain('2 reports are closed.')
    expect(await openReports()).toEqual([])
    expect((await stored())?.hiddenAt).toBeNull()
    expect((await act('manager', { act: 'dismiss' })).status).toBe(400)
    await front.db.update(tables.reviewReports).set({ closedAt: null })
    await act('manager', { act: 'hide', reason: 'Advertising.' })
    expect([(await stored())?.hiddenReason, await openReports()]).toEqual(['Advertising.', []])
    expect((await front.acts()).at(0)).toMatchObject({
      act: 'review hide',
      subject: front.uidOf('author'),
      changes: { isHidden: { from: false, to: true }, reason: { from: null, to: 'Advertising.' } },
    })
  })

  it('is no teacher’s business beyond what the course’s page shows', async () => {
    const { body } = await front.get('teacher', '/Desk/Reviews')
    expect(body).toContain('Buy my shoes.')
    for (const secret of ['Letters!', 'Reported', 'rude', front.uidOf('author'), 'author']) {
      expect(body.includes(secret), secret).toBe(false)
    }

    for (const name of ['dismiss', 'hide', 'show']) {
      expect((await act('teacher', { act: name, reason: 'x' })).status).toBe(404)
    }

    const ofLearner = { ...place, review: front.uidOf('author') }
    expect(
      (await act('teacher', { act: 'answer', answer: 'Whose is it?', ...ofLearner })).status,
    ).toBe(400)
    expect((await stored())?.answer).toBeNull()
    await act('manager', { act: 'hide', reason: 'Advertising.' })
    expect((await front.get('teacher', '/Desk/Reviews')).body).not.toContain('Buy my shoes.')
  })

  it('goes page by page, each once, those with most reports first', async () => {
    await front.db.delete(tables.reviews)
    const rows = Array.from({ length: 120 }, (_, index) => ({
      id: `many-${index}`,
      email: `m${index}@test.example`,
    }))
    for (const { id, email } of rows) {
      await front.db
        .insert(tables.users)
        .values({ id, email, name: id, firstName: id })
        .onConflictDoNothing()
      await front.db
        .insert(tables.reviews)
        .values({ uid: id, courseId: own, id, rating: 3, comment: `[${id}]` })
    }

    const reported = rows.slice(0, 60)
    await front.db.insert(tables.reviewReports).values(
      reported.map(({ id }) => ({
        uid: front.uidOf('reader'),
        reviewId: id,
        reason: 'other' as const,
      })),
    )

    await front.db
      .insert(tables.reviewReports)
      .values({ uid: front.uidOf('other'), reviewId: 'many-0', reason: 'other' as const })
    const seen: string[] = []
    for (let address = '/Desk/Reviews'; address !== ''; ) {
      const { body } = await front.get('manager', address)
      seen.push(...[...body.matchAll(/\[(many-\d+)\]<\/p>/g)].map(([, id]) => id ?? ''))
      const next = /href="(\/Desk\/Reviews\?[^"]*after=[^"]*)"/.exec(body)?.[1] ?? ''
      address = next.replaceAll('&amp;', '&')
    }

    expect(seen[0]).toBe('many-0')
    expect(new Set(seen.slice(0, 60))).toEqual(new Set(reported.map(({ id }) => id)))
    expect([seen.length, new Set(seen).size]).toEqual([120, 120])
  })
})

describe('an answer', () => {
  const answer = 'Shoes are for another course.'

  it('by the teacher of the course is below the review, with the instructor’s name, until it is removed', async () => {
    expect((await act('teacher', { act: 'answer', answer: 'First words.' })).status).toBe(200)
    expect((await act('teacher', { act: 'answer', answer })).status).toBe(200)
    const page = await courseOf()
    expect(page).toContain(answer)
    expect(page).toMatch(/Answer by <bdi[^>]*>[^<]+<\/bdi>/)
    expect((await front.acts()).at(0)).toMatchObject({
      changes: { answer: { from: 'First words.', to: answer } },
    })
    expect((await act('teacher', { act: 'remove-answer' })).status).toBe(200)
    expect((await stored())?.answer).toBeNull()
  })

  it('is mailed to the author once, with the answer as it is then, unless they stopped such mail', async () => {
    await front.db.delete(tables.outbox)
    for (const text of ['First words.', answer]) {
      await act('teacher', { act: 'answer', answer: text })
    }

    const mails = await front.db.select().from(tables.outbox)
    expect(mails).toMatchObject([
      { uid: front.uidOf('author'), kind: 'review-answer', about: 'review-1' },
    ])
    const { composeAnswerMail } = await import('~/features/desk/reviews/answer-mail.server')
    const compose = () => composeAnswerMail(front.db, front.uidOf('author'), 'review-1')
    const mail = await compose()
    expect([mail?.to, mail?.text?.includes(answer)]).toEqual(['author@learnify.example', true])
    expect(mail?.headers).toMatchObject({
      'List-Unsubscribe': expect.stringContaining('/StopReminders?'),
    })
    const choose = (wantsAnnouncements: boolean) =>
      front.db
        .update(tables.users)
        .set({ wantsAnnouncements })
        .where(eq(tables.users.id, front.uidOf('author')))

    await choose(false)
    expect(await compose()).toBeNull()
    await choose(true)
    await act('manager', { act: 'hide', reason: 'Advertising.' })
    expect(await compose()).toBeNull()
  })

  it('is not for a review of another course, an empty text, or a hidden review', async () => {
    const foreignPlace = { course: foreign, review: 'review-2' }
    expect((await act('teacher', { act: 'answer', answer, ...foreignPlace })).status).toBe(400)
    expect((await stored('review-2'))?.answer).toBeNull()
    expect((await act('manager', { act: 'answer', answer, ...foreignPlace })).status).toBe(200)
    expect((await act('teacher', { act: 'answer', answer: ' ' })).status).toBe(400)
    expect((await act('teacher', { act: 'answer', answer: 'x'.repeat(2001) })).status).toBe(400)
    await act('manager', { act: 'hide', reason: 'Advertising.' })
    expect((await act('manager', { act: 'answer', answer })).body).toContain('The review is hidden')
  })

  it('goes with a hidden review', async () => {
    await act('teacher', { act: 'answer', answer })
    await act('manager', { act: 'hide', reason: 'Advertising.' })
    expect(await courseOf()).not.toContain(answer)
  })
})
