import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { learningContext } from '~/features/certificates/rewards.server'
import { connect, type Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema/index'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { findLessonPage } from '../lessons/lesson-queries.server'
import { submitLessonForm } from '../lessons/submit-lesson-form.server'
import { noteHtmlVersion, renderNote } from '../markdown.server'
import { type NoteChoice, noteLimits, notesPerPage, notesUrl, parseNoteChoice } from './note-form'
import { recordNote } from './note-queries.server'

const courseId = 'python-from-zero'
const place = { uid: 'ada', courseId, lessonId: 'names-and-values' }
const firstPage: NoteChoice = { scope: 'lesson', from: 0 }
let db: Database
let url: string

beforeAll(async () => {
  ;({ db, url } = await createTestDatabase())
})
beforeEach(async () => {
  await db.delete(tables.users)
  for (const id of ['ada', 'eve']) {
    await db
      .insert(tables.users)
      .values({ id, email: `${id}@test.example`, name: id, firstName: id })
    await db.insert(tables.enrollments).values({ uid: id, courseId })
  }
})

const note = (index: number, body = `Note ${index}`) => ({
  id: `note-${1000 + index}`,
  positionMs: index,
  body,
})

async function addNotes(count: number, body = 'A note') {
  const html = renderNote(body)
  if (html === null) {
    throw new Error('A note like this is refused.')
  }

  const numbers = Array.from({ length: count }, (_, index) => index)
  await db.insert(tables.notes).values(
    numbers.map((index) => ({
      ...place,
      ...note(index, body),
      html,
      rendering: noteHtmlVersion,
    })),
  )
}

const readPage = async (choice = firstPage, uid = 'ada') => {
  const lessonPage = await findLessonPage(db, { ...place, uid }, choice)
  if (!lessonPage) {
    throw new Error('No such lesson.')
  }

  return lessonPage.page
}
const countNotes = () => db.$count(tables.notes)

describe('the notes of a course', () => {
  it('are 200 at most, also when requests come at once; the message says what to do', async () => {
    await addNotes(noteLimits.perCourse - 2)
    const other = connect(url, { poolSize: 10 })
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        recordNote(other.database, place, note(500 + index)),
      ),
    )

    await other.pool.end()
    expect(results.filter((refusal) => refusal === null)).toHaveLength(2)
    expect(results.filter((refusal) => refusal === 'full')).toHaveLength(18)
    expect(await countNotes()).toBe(noteLimits.perCourse)

    const form = new FormData()
    for (const [name, value] of Object.entries({
      intent: 'note',
      uid: 'ada',
      id: 'note-9999',
      positionMs: '0',
    })) {
      form.set(name, value)
    }

    form.set('body', 'One more')
    expect(await submitLessonForm(learningContext(db), place, form, new Date())).toMatchObject({
      data: { errors: { form: expect.stringContaining('Delete one to add another.') } },
      init: { status: 409 },
    })
    expect(await recordNote(db, place, note(3, 'Changed'))).toBeNull()
    expect(await recordNote(db, { ...place, uid: 'eve' }, note(3))).toBeNull()
  })

  it('come in pages that have every note once, of the lesson or of the course', async () => {
    await addNotes(45)
    await recordNote(db, { ...place, lessonId: 'functions-that-return' }, note(900))
    const seenIds: string[] = []
    for (let from = 0; from < 46; from += notesPerPage) {
      const { notes } = await readPage({ scope: 'course', from })
      expect(notes).toMatchObject({ total: 46, inLesson: 45, inCourse: 46, from })
      seenIds.push(...notes.list.map(({ id }) => id))
    }

    expect(new Set(seenIds).size).toBe(46)
    expect((await readPage()).notes).toMatchObject({ total: 45, list: { length: notesPerPage } })
    expect((await readPage({ scope: 'lesson', from: 199 })).notes.list).toEqual([])
  })

  it('are only their learner’s, by whatever id', async () => {
    await recordNote(db, place, note(1))
    await recordNote(db, { ...place, uid: 'eve' }, note(1, 'Mine'))

    expect((await readPage()).notes.list).toMatchObject([{ body: 'Note 1' }])
    expect((await readPage(firstPage, 'eve')).notes.list).toMatchObject([{ body: 'Mine' }])
  })

  it.each([
    ['a wide table', `${'|a'.repeat(50)}|\n${'|-'.repeat(50)}|\n${'a\n'.repeat(40)}`],
    ['quotation marks', '"'.repeat(5000)],
    ['addresses', '<http://b>'.repeat(500)],
    ['headings', '# \n'.repeat(1666)],
    ['code of signs', `\`\`\`json\n${'{"a":'.repeat(980)}`],
    ['emphasis', '*_'.repeat(2500)],
    ['quotes in quotes', '> '.repeat(2500)],
    [
      'tables that are just small enough',
      `${'|a|b|c|d|e|f|\n|-|-|-|-|-|-|\n|1|2|3|4|5|6|\n\n'.repeat(120)}`.slice(0, 5000),
    ],
  ])('make a small page when they are 200 of %s', async (_what, body) => {
    await addNotes(noteLimits.perCourse, body)
    const { notes } = await readPage()

    expect(notes.list.length).toBeGreaterThan(0)
    expect(JSON.stringify(notes).length).toBeLessThan(100_000)
  })
})

describe('a note', () => {
  it('that would become much longer than it is, is refused with a sentence', async () => {
    const body = `[a]: http://x.example/${'y'.repeat(1500)}\n\n${'[a] '.repeat(850)}`

    expect(await recordNote(db, place, note(1, body))).toBe('too-long-as-html')
    expect(await countNotes()).toBe(0)
  })

  it.each([
    ['a wide table', `${'|a'.repeat(800)}|\n${'|-'.repeat(800)}|\n${'a\n'.repeat(890)}`],
    ['a long table', `|${'|'.repeat(100)}\n|${'-|'.repeat(100)}\n${'|\n'.repeat(2_000)}`],
    ['many tables', `|${'|'.repeat(70)}\n|${'-|'.repeat(70)}\n${'|\n'.repeat(60)}\n`.repeat(14)],
  ])('whose few characters are %s with thousands of cells is refused', async (_, body) => {
    expect(body.length).toBeLessThanOrEqual(noteLimits.body)
    expect(await recordNote(db, place, note(1, body))).toBe('too-long-as-html')
  })

  it('keeps its tables, however long its other lines are', () => {
    const text = `${'Not a table.\n'.repeat(200)}\n| a | b | c | d | e | f |\n|-|-|-|-|-|-|\n| 1 | 2 | 3 | 4 | 5 | 6 |`
    expect(renderNote(text)).toContain('<td>1</td>')
  })

  it('is rendered when it is saved, and anew where an earlier renderer did it', async () => {
    await recordNote(db, place, note(1, '**Bold**'))
    await db.execute(sql`update notes set html = 'as stored'`)
    expect((await readPage()).notes.list).toMatchObject([{ html: 'as stored' }])

    await db.execute(sql`update notes set rendering = 0`)
    expect((await readPage()).notes.list[0]?.html).toContain('<strong>Bold</strong>')
  })
})

it('the choice of notes survives its address, and what is odd is the first page', () => {
  for (const choice of [firstPage, { scope: 'course', from: 40 }] as const) {
    expect(parseNoteChoice(new URLSearchParams(notesUrl(choice)))).toEqual(choice)
  }

  for (const from of ['-1', 'NaN', '1e9', '1.5', '', '200']) {
    expect(parseNoteChoice(new URLSearchParams({ 'notes-from': from })).from).toBe(0)
  }
})
