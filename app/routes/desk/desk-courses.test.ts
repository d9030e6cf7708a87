import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as tables from '~/server/database/schema'
import { type DeskServer, startDeskServer } from '../../../tests/support/desk-server'

const course = 'python-from-zero'
const coursePath = `/Desk/Courses/${course}`
let server: DeskServer

beforeAll(async () => {
  server = await startDeskServer()
  await server.signUp('manager', 'manager')
  await server.signUp('teacher', 'teacher', [course])
  await server.signUp('learner')
  await server.db
    .insert(tables.enrollments)
    .values({ uid: server.getUid('learner'), courseId: course })
})
afterAll(() => server.stop())

type CourseForm = Record<string, string> & { intent: string }

/**
 * Sends one of the page's forms with the fingerprint that the page has now, as the browser does.
 */
async function sendForm(form: CourseForm, name = 'manager') {
  const { body } = await server.get(name, coursePath)
  const fingerprint = findFingerprint(body, form.intent)

  return server.post(name, coursePath, { fingerprint, ...form })
}

/** Returns an empty text if the page doesn't have the form. */
function findFingerprint(body: string, intent: string): string {
  const hiddenFields = `name="intent" value="${intent}"/><input[^>]*name="fingerprint" value="([^"]*)"`
  return new RegExp(hiddenFields).exec(body)?.[1] ?? ''
}

/** Gets a public page without the cache, which notices a change only after a second. */
async function visit(path: string) {
  const { pageCache } = await import('~/server/cache/page-cache.server')
  pageCache.clear()
  return server.get('visitor', path)
}

/** Loads the content again, as after an edit of a file. */
async function reloadContent() {
  const { loadContent } = await import('~/features/courses/content/content-loader.server')
  const { contentHooks } = await import('~/content-hooks.server')
  const { env } = await import('~/server/env.server')
  await server.db.delete(tables.contentState)

  return loadContent(server.db, env.CONTENT_DIR, contentHooks)
}

describe('a course that the desk withdraws', () => {
  it('disappears from every page and from search, but its learners keep it', async () => {
    expect((await sendForm({ intent: 'withdraw' })).body).toContain('The course is not published.')
    expect((await visit(`/OneCourse/${course}`)).status).toBe(404)
    expect((await visit('/AllCourses?q=python')).body).not.toContain(`/OneCourse/${course}"`)
    expect((await visit('/')).body).not.toContain(`/OneCourse/${course}`)
    expect((await server.get('learner', `/Learn/${course}`)).headers.location).toContain(
      `/Learn/${course}/`,
    )
    expect(await server.listAuditEntries()).toMatchObject([
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

  it('stays withdrawn when the content is loaded, until staff publish it or return to its file', async () => {
    expect(await reloadContent()).toMatchObject({ status: 'loaded' })
    expect((await visit(`/OneCourse/${course}`)).status).toBe(404)
    expect((await sendForm({ intent: 'publish-as-file' })).body).toContain(
      'published, as its file says',
    )
    expect((await visit(`/OneCourse/${course}`)).status).toBe(200)

    await sendForm({ intent: 'withdraw' })
    expect((await sendForm({ intent: 'publish' })).body).toContain('The course is published.')
    expect((await visit('/AllCourses?q=python')).body).toContain(`/OneCourse/${course}"`)
  })

  it('refuses a change from a page that shows an older status', async () => {
    const response = await sendForm({ intent: 'withdraw', fingerprint: 'file:withdrawn' })

    expect([response.status, response.body.includes('Check it again.')]).toEqual([400, true])
    expect((await visit(`/OneCourse/${course}`)).status).toBe(200)
  })

  it('can’t be published or priced without its folder, and the page says why', async () => {
    await server.db.delete(tables.contentCourses).where(eq(tables.contentCourses.courseId, course))

    for (const intent of ['publish', 'withdraw', 'price', 'price-as-file']) {
      const { status, body } = await sendForm({ intent, price: '10' })
      expect([status, body.includes('or its folder is gone')], intent).toEqual([400, true])
    }

    await reloadContent()
  })
})

describe('the preview of a course', () => {
  const previewPath = `/Desk/Preview/${course}`
  const readStoredRows = async () => [
    await server.db.select().from(tables.enrollments),
    await server.db.select().from(tables.lessonProgress),
    await server.db.select().from(tables.studyDays),
    await server.db.select().from(tables.operatorActs),
  ]

  it('shows each kind of lesson without anybody’s progress, and stores nothing', async () => {
    await server.db.insert(tables.lessonProgress).values({
      uid: server.getUid('teacher'),
      courseId: course,
      lessonId: 'names-and-values',
      mark: 'done',
      markedAt: new Date(),
    })
    const rowsBefore = await readStoredRows()
    const { rows } = await server.db.execute<{ id: string; kind: string }>(
      `select distinct on (kind) kind, id from course_lessons
        where course_id = '${course}' and kind <> 'announced' and not retired order by kind, position`,
    )
    expect(rows.map(({ kind }) => kind)).toEqual(['article', 'quiz', 'video'])

    for (const { id } of rows) {
      const { status, body } = await server.get('teacher', `${previewPath}/${id}`)
      expect([status, body.includes('as a learner who has just enrolled')], id).toEqual([200, true])
      expect(body, id).toMatch(/Why (?:<!-- -->)?0/)
      expect(body, id).not.toContain(`"/Learn/${course}`)
      expect(
        (await server.post('teacher', `${previewPath}/${id}`, { intent: 'mark', mark: 'done' }))
          .status,
      ).toBe(404)
    }

    expect(await readStoredRows()).toEqual(rowsBefore)
  })

  it('begins with the first lesson and its video, and works before the course is published', async () => {
    await sendForm({ intent: 'withdraw' })
    const firstLesson = (await server.get('teacher', `${previewPath}/~`)).body
    // A page that needs scripts would have hidden parts.
    expect(firstLesson).not.toContain('<div hidden id="S:')
    expect(firstLesson).toMatch(new RegExp(`/media/courses/${course}/videos/[^"]+\\?until=`))

    await sendForm({ intent: 'publish-as-file' })
    for (const path of ['/Desk/Preview/flying/~', '/Desk/Preview/typography-for-screens/~']) {
      expect((await server.get('teacher', path)).status).toBe(404)
    }

    expect((await server.get('learner', `${previewPath}/~`)).status).toBe(404)
  })

  it('shows the transcript of a video and the exam’s answers without beginning an attempt', async () => {
    const { rows } = await server.db.execute<{ id: string }>(
      `select id from course_lessons where course_id = '${course}' and kind = 'video' order by position limit 1`,
    )
    const video = (await server.get('teacher', `${previewPath}/${rows[0]?.id}`)).body
    expect(video).toContain('Search the transcript')

    const [, examPath = ''] = /href="([^"]*~exam)"/.exec(video) ?? []
    const [exam] = await server.db
      .select()
      .from(tables.exams)
      .where(eq(tables.exams.courseId, course))
    const { status, body } = await server.get('teacher', examPath)
    expect([status, body.match(/<h2[^>]*>\d+/g)?.length]).toEqual([200, exam?.questions.length])
    expect(body).toContain(`draws ${exam?.draw} of these ${exam?.questions.length} questions`)
    expect(body).toContain('Correct answer')
    expect(await server.db.$count(tables.examAttempts)).toBe(0)
    expect((await server.get('teacher', '/Desk/Preview/typography-for-screens/~exam')).status).toBe(
      404,
    )
    expect((await server.get('learner', examPath)).status).toBe(404)
  })
})

describe('a price that staff set', () => {
  it('is on the course’s page with the full price, and in the price history and the audit', async () => {
    const response = await sendForm({
      intent: 'price',
      price: '120',
      sale: '77.50',
      until: '2999-12-24',
    })
    expect(response.body).toContain('The course costs $77.50 until 2999-12-24, then $120.00.')

    const { body } = await visit(`/OneCourse/${course}`)
    expect([body.includes('$77.50'), body.includes('$120')]).toEqual([true, true])

    const rows = await server.db
      .select()
      .from(tables.priceHistory)
      .where(eq(tables.priceHistory.courseId, course))
    expect(rows.at(-1)).toMatchObject({ priceMinor: 7_750, isReduced: true })
    expect((await server.listAuditEntries()).at(0)).toMatchObject({
      act: 'course price',
      changes: {
        price: { to: '$77.50' },
        fullPrice: { to: '$120.00' },
        priceUntil: { from: null, to: '2999-12-24' },
      },
    })

    await reloadContent()
    expect((await visit(`/OneCourse/${course}`)).body).toContain('$77.50')
    expect((await sendForm({ intent: 'price-as-file' })).body).toContain('as its file says')
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
  ])('is refused if its fields are ‘%s’, ‘%s’ and ‘%s’', async (price, sale, until) => {
    expect((await sendForm({ intent: 'price', price, sale, until })).status).toBe(400)
  })

  it('is not overwritten from a page that shows an older price', async () => {
    const { body: olderPage } = await server.get('manager', coursePath)
    const newPrice = { intent: 'price', price: '80', sale: '', until: '' }
    expect((await sendForm(newPrice)).status).toBe(200)

    const fingerprint = findFingerprint(olderPage, 'price')
    for (const intent of ['price', 'price-as-file']) {
      const lateForm = { intent, price: '60', sale: '', until: '', fingerprint }
      const { status, body } = await sendForm(lateForm)
      expect([status, body.includes('Check it again.')], intent).toEqual([400, true])
    }

    expect((await server.get('manager', coursePath)).body).toContain('$80.00 (set at the desk)')

    // The form for publishing doesn't compare the price.
    const publicationFingerprint = findFingerprint(olderPage, 'withdraw')
    const withdrawForm = { intent: 'withdraw', fingerprint: publicationFingerprint }
    expect((await sendForm(withdrawForm)).status).toBe(200)

    for (const intent of ['publish-as-file', 'price-as-file']) {
      expect((await sendForm({ intent })).status).toBe(200)
    }
  })

  it('requires a recent sign-in, and can’t be set by a teacher', async () => {
    for (const intent of ['publish', 'withdraw', 'price']) {
      expect((await sendForm({ intent, price: '10' }, 'teacher')).status).toBe(404)
    }

    expect((await server.get('teacher', coursePath)).body).not.toContain('Publishing and price')

    await server.db
      .update(tables.sessions)
      .set({ confirmedAt: new Date(0) })
      .where(eq(tables.sessions.userId, server.getUid('manager')))
    expect((await sendForm({ intent: 'price', price: '10', sale: '', until: '' })).status).toBe(403)
  })
})

describe('Home', () => {
  const readShelf = async () => {
    const { body } = await visit('/')
    return [...new Set([...body.matchAll(/\/OneCourse\/([\w-]+)"/g)].map(([, id]) => id))].slice(
      0,
      4,
    )
  }
  const readDisplayedIds = async () => {
    const { body } = await server.get('manager', '/Desk/Courses')
    return /name="displayed" value="([^"]*)"/.exec(body)?.[1] ?? 'no field'
  }
  const arrange = async (...ids: string[]) => saveOrder(await readDisplayedIds(), ids)
  const saveOrder = (displayedIds: string, ids: string[]) =>
    server.request('/Desk/Courses', {
      method: 'POST',
      headers: {
        Host: 'localhost:3000',
        Origin: 'http://localhost:3000',
        'Content-Type': 'application/x-www-form-urlencoded',
        Cookie: server.getCookie('manager'),
      },
      body: new URLSearchParams([
        ['intent', 'home'],
        ['displayed', displayedIds],
        ...ids.map((id) => ['course', id]),
      ]).toString(),
    })

  it('shows the courses that staff chose in their order, and then the popular ones', async () => {
    const popularIds = await readShelf()
    const lastId = popularIds.at(-1) ?? ''
    expect((await arrange('typography-for-screens', lastId, '', '')).status).toBe(200)
    expect((await readShelf()).slice(0, 3)).toEqual([
      'typography-for-screens',
      lastId,
      popularIds[0],
    ])
    expect((await arrange('flying')).body).toContain('No course of the catalog has the ID')
    expect((await server.get('manager', '/Desk/Courses')).body).toContain(
      'value="typography-for-screens" selected',
    )

    await arrange('', '', '', '')
    expect(await readShelf()).toEqual(popularIds)
  })

  it('keeps a choice that somebody else has saved since the page was opened', async () => {
    const [first = '', second = ''] = await readShelf()
    const olderIds = await readDisplayedIds()
    await arrange(second, first)

    const { status, body } = await saveOrder(olderIds, [first, second])
    expect([status, body.includes('Check them again.')]).toEqual([400, true])
    expect((await readShelf()).slice(0, 2)).toEqual([second, first])

    await arrange('', '', '', '')
  })

  it('says that the content is being loaded while it is', async () => {
    const { lockContent } = await import('~/features/courses/content/content-lock.server')
    const response = await server.db.transaction(async (tx) => {
      await lockContent(tx)
      return arrange('', '', '', '')
    })

    expect([response.status, response.body.includes('The content is being loaded.')]).toEqual([
      400,
      true,
    ])
  })

  it('accepts several choices that are saved at the same time', async () => {
    const ids = (await readShelf()).map(String).reverse()
    const responses = await Promise.all(Array.from({ length: 4 }, () => arrange(...ids)))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await readShelf()).toEqual(ids)

    await arrange('', '', '', '')
  })
})

/** Returns the form that withdraws several courses. */
const createWithdrawForm = (courseIds: readonly string[]): [string, string][] => [
  ['intent', 'withdraw'],
  ...courseIds.map((courseId): [string, string] => ['courses', courseId]),
]

it('several courses are withdrawn at once, each with an audit entry', async () => {
  const courseIds = ['typography-for-screens', 'financial-modelling']
  const form = createWithdrawForm(courseIds)
  expect((await server.post('teacher', '/Desk/Courses', form)).status).not.toBe(200)

  const { body } = await server.post('manager', '/Desk/Courses', form)

  expect(body).toContain('2 courses withdrawn.')

  const catalog = (await visit('/AllCourses')).body
  for (const courseId of courseIds) {
    expect(catalog).not.toContain(`/OneCourse/${courseId}"`)
  }

  const [latestEntry, previousEntry] = await server.listAuditEntries()
  expect([previousEntry, latestEntry]).toMatchObject(
    courseIds.map((subject) => ({ act: 'course withdraw', subject })),
  )
})

it('courses that were withdrawn already are skipped, and a failure says how many were withdrawn', async () => {
  const withdraw = (courseIds: readonly string[]) =>
    server.post('manager', '/Desk/Courses', createWithdrawForm(courseIds))
  const courses = await server.db
    .select()
    .from(tables.courses)
    .where(eq(tables.courses.published, true))
  const [first = '', second = '', third = ''] = courses.map(({ id }) => id)
  const entryCount = async () => (await server.db.select().from(tables.operatorActs)).length
  const entryCountBefore = await entryCount()

  expect((await withdraw([first])).body).toContain('1 course withdrawn.')
  expect((await withdraw([first, second])).body).toContain('1 course withdrawn.')
  expect((await withdraw([first])).body).toContain('Every chosen course was withdrawn already.')

  const refused = await withdraw([first, third, 'flying', course])
  expect(refused.status).toBe(400)
  expect(refused.body).toContain('1 course withdrawn. No course has the ID')
  expect(await entryCount()).toBe(entryCountBefore + 3)
})
