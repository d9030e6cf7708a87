import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as tables from '~/server/database/schema'
import { startDeskFront } from '../../../tests/support/desk-front'

const course = 'python-from-zero'
const address = `/Desk/Courses/${course}`
let front: Awaited<ReturnType<typeof startDeskFront>>

beforeAll(async () => {
  front = await startDeskFront()
  await front.signUp('manager', 'manager')
  await front.signUp('teacher', 'teacher', [course])
  await front.signUp('learner')
  await front.db
    .insert(tables.enrollments)
    .values({ uid: front.uidOf('learner'), courseId: course })
})
afterAll(() => front.stop())

/** Sends a form with the state from the page, as the browser does. */
async function act(form: Record<string, string>, name = 'manager') {
  const { body } = await front.get(name, address)
  const shown = /name="shown" value="([^"]*)"/.exec(body)?.[1] ?? ''
  const shownPrice = /name="shownPrice" value="([^"]*)"/.exec(body)?.[1] ?? ''

  return front.post(name, address, { shown, shownPrice, ...form })
}

/** Gets a public page without the cache, which notices a change within a second. */
async function visit(target: string) {
  const { pageCache } = await import('~/server/cache/cache-public-pages.server')
  pageCache.clear()
  return front.get('visitor', target)
}

/** Loads the content, as after an edit of a file. */
async function loadAnew() {
  const { loadContent } = await import('~/features/courses/content/content-loader.server')
  const { contentFeatures } = await import('~/content-features.server')
  const { env } = await import('~/server/env.server')
  await front.db.delete(tables.contentState)

  return loadContent(front.db, env.CONTENT_DIR, contentFeatures)
}

describe('a course that the desk withdraws', () => {
  it('is on no page and in no search, and its learners keep it', async () => {
    expect((await act({ act: 'withdraw' })).body).toContain('The course is not published.')
    expect((await visit(`/OneCourse/${course}`)).status).toBe(404)
    expect((await visit('/AllCourses?q=python')).body).not.toContain(`/OneCourse/${course}"`)
    expect((await visit('/')).body).not.toContain(`/OneCourse/${course}`)
    expect((await front.get('learner', `/Learn/${course}`)).headers.location).toContain(
      `/Learn/${course}/`,
    )
    expect(await front.acts()).toMatchObject([
      {
        act: 'course withdraw',
        subject: course,
        changes: {
          published: { from: true, to: false },
          isPublishedByDesk: { from: false, to: true },
        },
      },
    ])
  })

  it('stays so when the content is loaded, and comes back by the desk or as its file says', async () => {
    expect(await loadAnew()).toMatchObject({ result: 'loaded' })
    expect((await visit(`/OneCourse/${course}`)).status).toBe(404)
    expect((await act({ act: 'publish-as-file' })).body).toContain('published, as its file says')
    expect((await visit(`/OneCourse/${course}`)).status).toBe(200)
    await act({ act: 'withdraw' })
    expect((await act({ act: 'publish' })).body).toContain('The course is published.')
    expect((await visit('/AllCourses?q=python')).body).toContain(`/OneCourse/${course}"`)
  })

  it('is not changed by a page that shows what it was before', async () => {
    const old = await act({ act: 'withdraw', shown: 'file:withdrawn' })
    expect([old.status, old.body.includes('Check it again.')]).toEqual([400, true])
    expect((await visit(`/OneCourse/${course}`)).status).toBe(200)
  })

  it('without its folder can’t be published', async () => {
    await front.db.delete(tables.contentCourses).where(eq(tables.contentCourses.courseId, course))
    expect((await act({ act: 'publish' })).status).toBe(400)
    await loadAnew()
  })
})

describe('a course seen as a learner', () => {
  const preview = `/Desk/Preview/${course}`
  const stored = async () => [
    await front.db.select().from(tables.enrollments),
    await front.db.select().from(tables.lessonProgress),
    await front.db.select().from(tables.studyDays),
    await front.db.select().from(tables.operatorActs),
  ]

  it('is each kind of lesson, without anybody’s progress, and stores nothing', async () => {
    await front.db.insert(tables.lessonProgress).values({
      uid: front.uidOf('teacher'),
      courseId: course,
      lessonId: 'names-and-values',
      mark: 'done',
      markedAt: new Date(),
    })
    const before = await stored()
    const { rows } = await front.db.execute<{ id: string; kind: string }>(
      `select distinct on (kind) kind, id from course_lessons
        where course_id = '${course}' and kind <> 'announced' and not retired order by kind, position`,
    )
    expect(rows.map(({ kind }) => kind)).toEqual(['article', 'quiz', 'video'])
    for (const { id } of rows) {
      const { status, body } = await front.get('teacher', `${preview}/${id}`)
      expect([status, body.includes('as a learner who has just enrolled')], id).toEqual([200, true])
      expect(body, id).toMatch(/Why (?:<!-- -->)?0/)
      expect(body, id).not.toContain(`"/Learn/${course}`)
      expect(
        (await front.post('teacher', `${preview}/${id}`, { intent: 'mark', mark: 'done' })).status,
      ).toBe(404)
    }

    expect(await stored()).toEqual(before)
  })

  it('begins with its first lesson, has its video, and works before it is published', async () => {
    await act({ act: 'withdraw' })
    const first = (await front.get('teacher', `${preview}/~`)).body
    // The page is complete without scripts.
    expect(first).not.toContain('<div hidden id="S:')
    expect(first).toMatch(new RegExp(`/media/courses/${course}/videos/[^"]+\\?until=`))
    await act({ act: 'publish-as-file' })
    for (const none of ['/Desk/Preview/flying/~', '/Desk/Preview/typography-for-screens/~']) {
      expect((await front.get('teacher', none)).status).toBe(404)
    }

    expect((await front.get('learner', `${preview}/~`)).status).toBe(404)
  })

  it('has the transcript of a video, and the exam’s questions with their answers, without an attempt', async () => {
    const { rows } = await front.db.execute<{ id: string }>(
      `select id from course_lessons where course_id = '${course}' and kind = 'video' order by position limit 1`,
    )
    const video = (await front.get('teacher', `${preview}/${rows[0]?.id}`)).body
    expect(video).toContain('Search the transcript')
    const [, address = ''] = /href="([^"]*~exam)"/.exec(video) ?? []
    const [exam] = await front.db
      .select()
      .from(tables.exams)
      .where(eq(tables.exams.courseId, course))
    const { status, body } = await front.get('teacher', address)
    expect([status, body.match(/<h2[^>]*>\d+/g)?.length]).toEqual([200, exam?.questions.length])
    expect(body).toContain(`draws ${exam?.draw} of these ${exam?.questions.length} questions`)
    expect(body).toContain('Correct answer')
    expect(await front.db.$count(tables.examAttempts)).toBe(0)
    expect((await front.get('teacher', '/Desk/Preview/typography-for-screens/~exam')).status).toBe(
      404,
    )
    expect((await front.get('learner', address)).status).toBe(404)
  })
})

describe('a price of the desk', () => {
  it('is on the course’s page, with the full one, its last day and its history', async () => {
    const answer = await act({ act: 'price', price: '120', sale: '77.50', until: '2999-12-24' })
    expect(answer.body).toContain('The course costs $77.50 until 2999-12-24, then $120.00.')
    const { body } = await visit(`/OneCourse/${course}`)
    expect([body.includes('$77.50'), body.includes('$120')]).toEqual([true, true])
    const rows = await front.db
      .select()
      .from(tables.priceHistory)
      .where(eq(tables.priceHistory.courseId, course))
    expect(rows.at(-1)).toMatchObject({ priceMinor: 7_750, isReduced: true })
    expect((await front.acts()).at(0)).toMatchObject({
      act: 'course price',
      changes: {
        price: { to: '$77.50' },
        fullPrice: { to: '$120.00' },
        priceUntil: { from: null, to: '2999-12-24' },
      },
    })

    await loadAnew()
    expect((await visit(`/OneCourse/${course}`)).body).toContain('$77.50')
    expect((await act({ act: 'price-as-file' })).body).toContain('as its file says')
    expect((await visit(`/OneCourse/${course}`)).body).not.toContain('$77.50')
  })

  it.each([
    ['', '', ''],
    ['many', '', ''],
    ['20', '30', ''],
    ['20', '10', '2020-01-01'],
    ['20', '', '2999-01-01'],
    ['0.20', '', ''],
    ['10.999', '', ''],
  ])('like %s, %s, %s is refused', async (price, sale, until) => {
    expect((await act({ act: 'price', price, sale, until })).status).toBe(400)
  })

  it('is not overwritten by a page that shows an earlier one', async () => {
    const { body } = await front.get('manager', address)
    const shownPrice = /name="shownPrice" value="([^"]*)"/.exec(body)?.[1] ?? ''
    expect((await act({ act: 'price', price: '80', sale: '', until: '' })).status).toBe(200)
    for (const name of ['price', 'price-as-file']) {
      const late = await act({ act: name, price: '60', sale: '', until: '', shownPrice })
      expect([late.status, late.body.includes('Check it again.')], name).toEqual([400, true])
    }

    expect((await front.get('manager', address)).body).toContain('$80.00 (set at the desk)')
    // The form for publishing doesn't compare the price.
    expect((await act({ act: 'withdraw', shownPrice })).status).toBe(200)
    for (const name of ['publish-as-file', 'price-as-file']) {
      expect((await act({ act: name })).status).toBe(200)
    }
  })

  it('wants a proof that it is still them; and none is a teacher’s', async () => {
    for (const name of ['publish', 'withdraw', 'price']) {
      expect((await act({ act: name, price: '10' }, 'teacher')).status).toBe(404)
    }

    expect((await front.get('teacher', address)).body).not.toContain('Publishing and price')
    await front.db
      .update(tables.sessions)
      .set({ confirmedAt: new Date(0) })
      .where(eq(tables.sessions.userId, front.uidOf('manager')))
    expect((await act({ act: 'price', price: '10', sale: '', until: '' })).status).toBe(403)
  })
})

describe('Home', () => {
  const shelf = async () => {
    const { body } = await visit('/')
    return [...new Set([...body.matchAll(/\/OneCourse\/([\w-]+)"/g)].map(([, id]) => id))].slice(
      0,
      4,
    )
  }
  const arrange = (...ids: string[]) =>
    front.ask('/Desk/Courses', {
      method: 'POST',
      headers: {
        Host: 'localhost:3000',
        Origin: 'http://localhost:3000',
        'Content-Type': 'application/x-www-form-urlencoded',
        Cookie: front.cookieOf('manager'),
      },
      body: new URLSearchParams([['act', 'home'], ...ids.map((id) => ['course', id])]).toString(),
    })

  it('shows what the desk chose, in its order, then the popular ones; and those alone without a choice', async () => {
    const popular = await shelf()
    const last = popular.at(-1) ?? ''
    expect((await arrange('typography-for-screens', last, '', '')).status).toBe(200)
    expect((await shelf()).slice(0, 3)).toEqual(['typography-for-screens', last, popular[0]])
    expect((await arrange('flying')).body).toContain('No course of the catalog has the ID')
    expect((await front.get('manager', '/Desk/Courses')).body).toContain(
      'value="typography-for-screens" selected',
    )
    await arrange('', '', '', '')
    expect(await shelf()).toEqual(popular)
  })

  it('shows a choice of one of those who save at the same time', async () => {
    const ids = (await shelf()).map(String).reverse()
    const answers = await Promise.all(Array.from({ length: 4 }, () => arrange(...ids)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await shelf()).toEqual(ids)
    await arrange('', '', '', '')
  })
})
