import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAccountMailComposer } from '~/features/accounts/mail/account-mails.server'
import * as tables from '~/server/database/schema'
import { type DeskServer, startDeskServer } from '../../../tests/support/desk-server'

const course = 'python-from-zero'
const boundary = '----form'

let server: DeskServer
let runDueImports: () => Promise<void>

beforeAll(async () => {
  server = await startDeskServer()
  const { runImports } = await import('~/features/desk/import/import-job.server')
  runDueImports = () => runImports(server.db, { mayContinue: () => true, now: new Date() })
  await server.signUp('manager', 'manager')
})
afterAll(() => server.stop())
beforeEach(async () => {
  await server.db.delete(tables.imports)
  await server.db.execute(sql`delete from users where email like '%@class.example'`)
})

/** @returns the URL of the import's page, or the page with the refusal */
async function upload(csv: string, { pace = '60', name = 'class.csv', by = 'manager' } = {}) {
  const part = (disposition: string, body: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${body}\r\n`
  const body = `${part('name="intent"', 'upload')}${part('name="pace"', pace)}${part(`name="file"; filename="${name}"`, csv)}--${boundary}--\r\n`
  const { headers, body: page } = await server.request('/Desk/People/Import', {
    method: 'POST',
    headers: {
      ...{ Host: 'localhost:3000', Origin: 'http://localhost:3000', Cookie: server.getCookie(by) },
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': String(Buffer.byteLength(body)),
    },
    body,
  })

  return headers.location ?? page
}

/** @param seen the status that the page displayed */
const pressButton = (page: string, intent: string, seen: string) =>
  server.post('manager', page, { intent, seen })
const getPage = async (page: string) =>
  (await server.get('manager', page)).body.replaceAll('<!-- -->', '')
const listImportedPeople = () =>
  server.db
    .select({ email: tables.users.email, course: tables.enrollments.courseId })
    .from(tables.users)
    .leftJoin(tables.enrollments, eq(tables.enrollments.uid, tables.users.id))
    .where(sql`${tables.users.email} like '%@class.example'`)
    .orderBy(tables.users.email)

const threePeople = [
  'email,first_name,last_name,courses',
  `ada@class.example,Ada,Lovelace,${course}`,
  'grace@class.example,,Hopper,',
  `zoe@class.example,Zoë,,${course} python-from-zer`,
].join('\n')

describe('an import at the desk', () => {
  it('is checked first, imports the good lines when asked to, and gives back the others to be repaired', async () => {
    const page = await upload(threePeople)
    expect(page).toMatch(/^\/Desk\/People\/Import\//)
    expect(await getPage(page)).toContain('The file is being checked.')

    await runDueImports()
    const checked = await getPage(page)
    expect([checked.includes('Import 1 line'), checked.includes('ada@class.example')]).toEqual([
      true,
      true,
    ])
    expect(await getPage(`${page}?show=problems`)).toContain(
      'No course has the ID &#x27;python-from-zer&#x27;',
    )
    expect(await listImportedPeople()).toEqual([])

    expect((await pressButton(page, 'start', 'checked')).body).toContain(
      'Started importing 1 line.',
    )

    await runDueImports()
    expect(await listImportedPeople()).toEqual([{ email: 'ada@class.example', course }])
    expect(await getPage(page)).toContain('Done')

    const mails = await server.db
      .select()
      .from(tables.outbox)
      .where(eq(tables.outbox.kind, 'invitation'))
    expect(mails).toHaveLength(1)
    expect((await server.listAuditEntries()).map(({ outcome }) => outcome)).toContain(
      `Imported: new account; enroll in ${course}.`,
    )

    const id = page.split('/').at(-1) ?? ''
    const { body } = await server.post('manager', '/Desk/Export', {
      table: 'import-problems',
      import: id,
    })
    expect(body.split('\r\n').slice(0, 2)).toEqual([
      'email,first_name,last_name,courses,line,problem',
      expect.stringMatching(/^grace@class\.example,,Hopper,,3,/),
    ])

    const repaired = await upload(
      body
        .replace('grace@class.example,,', 'grace@class.example,Grace,')
        .replace('python-from-zer,', ','),
    )

    await runDueImports()
    await pressButton(repaired, 'start', 'checked')
    await runDueImports()
    expect((await listImportedPeople()).map(({ email }) => email)).toEqual([
      'ada@class.example',
      'grace@class.example',
      'zoe@class.example',
    ])
  })

  it('says how many new learners can’t be emailed yet', async () => {
    const page = await upload(threePeople)
    await runDueImports()
    const warning = '1 new learner can’t be emailed announcements to everyone until they confirm'
    expect(await getPage(page)).toContain(warning)

    await pressButton(page, 'start', 'checked')
    await runDueImports()
    expect(await getPage(page)).toContain(warning)
    expect(await getPage('/Desk/People?state=unconfirmed')).toContain('ada@class.example')

    const pageOfKnownLearner = await upload(`email,first_name\nada@class.example,Ada`)
    await runDueImports()
    expect(await getPage(pageOfKnownLearner)).not.toContain('can’t be emailed')
  })

  it('is no visit of the learners', async () => {
    const page = await upload(threePeople)
    await runDueImports()
    await pressButton(page, 'start', 'checked')
    await runDueImports()
    const { countFigures } = await import('~/features/desk/figures.server')
    await countFigures(server.db, new Date())

    const [ada] = await server.db
      .select({ uid: tables.users.id })
      .from(tables.users)
      .where(eq(tables.users.email, 'ada@class.example'))
    expect(await getPage(`/Desk/People/${ada?.uid}`)).toMatch(/Last sign-in<.*?>Never</)
    const adasRow = new RegExp(`${ada?.uid}".*?</tr>`)
    const [learnerRow = ''] = adasRow.exec(await getPage(`/Desk/Courses/${course}/Learners`)) ?? []
    expect(learnerRow).toContain('>Never<')
    expect(await getPage(`/Desk/Courses/${course}`)).toMatch(
      /Opened it in the last 30 days<\/dt><dd[^>]*>0</,
    )

    const { body } = await server.post('manager', '/Desk/Export', { table: 'progress', course })
    const [header, learner] = body
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
    expect(learner?.[header?.indexOf('last_opened_at') ?? -1]).toBe('')
  })

  it('goes on after a stop and a kill, and does nothing twice', async () => {
    const lines = Array.from(
      { length: 600 },
      (_, line) => `n${line}@class.example,Ada,Byron,${course}`,
    )
    const page = await upload(['email,first_name,last_name,courses', ...lines].join('\n'), {
      pace: '6000',
    })
    await runDueImports()
    await pressButton(page, 'start', 'checked')
    const { runImports } = await import('~/features/desk/import/import-job.server')
    let steps = 0
    await runImports(server.db, { mayContinue: () => steps++ < 1, now: new Date() })
    const importedCount = (await listImportedPeople()).length
    expect(importedCount).toBeGreaterThan(0)
    expect(importedCount).toBeLessThan(600)
    expect((await pressButton(page, 'stop', 'running')).body).toContain('Stopped the import.')

    await runDueImports()
    expect(await listImportedPeople()).toHaveLength(importedCount)
    expect((await pressButton(page, 'start', 'checked')).body).toContain(
      'This import has changed in the meantime.',
    )

    await pressButton(page, 'start', 'stopped')
    // Two processes may be at work while one takes over from the other.
    await Promise.all([runDueImports(), runDueImports()])
    expect(await listImportedPeople()).toHaveLength(600)
    expect(await server.db.select().from(tables.imports)).toMatchObject([
      { importedLines: 600, faultyLines: 0 },
    ])
  })

  it('leaves out who was disabled since the check', async () => {
    const page = await upload(`email,first_name,courses\nada@class.example,Ada,${course}`)
    await runDueImports()
    const ada = {
      id: 'ada',
      email: 'ada@class.example',
      name: 'Ada',
      firstName: 'Ada',
      banned: true,
    }

    await server.db.insert(tables.users).values(ada)
    await pressButton(page, 'start', 'checked')
    await runDueImports()

    expect(await listImportedPeople()).toEqual([{ email: 'ada@class.example', course: null }])
    expect(await getPage(page)).toContain('The account is disabled.')
  })

  it('of a manager leaves out who has a role at the desk, like their page; an owner’s may enroll them', async () => {
    await server.signUp('owner', 'owner')
    await server.signUp('helper', 'manager')
    const getEmail = async (name: string) =>
      (
        await server.db
          .select()
          .from(tables.users)
          .where(eq(tables.users.id, server.getUid(name)))
      )[0]?.email
    const rows = [
      `${await getEmail('helper')},Ada,${course}`,
      `${await getEmail('manager')},Ben,${course}`,
    ]
    const csv = ['email,first_name,courses', ...rows].join('\n')
    const page = await upload(csv)
    await runDueImports()
    expect(await getPage(page)).toContain('Import 1 line')
    expect(await getPage(`${page}?show=problems`)).toContain('Only an owner can do this')

    const owners = await upload(csv, { by: 'owner' })
    await runDueImports()
    expect(await getPage(owners)).toContain('Import 2 lines')

    // The import stops once the person has lost the role.
    await server.post('owner', owners, { intent: 'start', seen: 'checked' })
    await server.db.delete(tables.staff).where(eq(tables.staff.uid, server.getUid('owner')))
    await runDueImports()
    expect(await getPage(owners)).toContain('may no longer change people')
    expect(
      await server.db.$count(
        tables.enrollments,
        eq(tables.enrollments.uid, server.getUid('helper')),
      ),
    ).toBe(0)
  })

  it('that went on after a failure no longer shows it', async () => {
    const page = await upload(threePeople)
    await runDueImports()
    await server.db
      .update(tables.imports)
      .set({ status: 'stopped', refusal: 'Something went wrong on the server.' })
    await pressButton(page, 'start', 'stopped')

    expect(await getPage(page)).not.toContain('Something went wrong')
  })

  it.each([
    ['that is no table', 'PK\u0003\u0004', 'is a workbook, not text.'],
    ['without a first line', ',,\n', 'has no first line that names its columns.'],
  ])('says why about a file %s', async (_what, csv, message) => {
    const page = await upload(csv)
    await runDueImports()
    const reportPage = await getPage(page)

    expect([reportPage.includes(message), reportPage.includes('Not a table of people')]).toEqual([
      true,
      true,
    ])
    expect((await pressButton(page, 'start', 'refused')).body).toContain(
      'This import has changed in the meantime.',
    )
    expect((await pressButton(page, 'discard', 'refused')).headers.location).toBe(
      '/Desk/People/Import',
    )
    expect((await server.get('manager', page)).status).toBe(404)
  })

  it('wants a file and a pace', async () => {
    expect(await upload('')).toContain('Choose a file.')
    expect(await upload(threePeople, { pace: '0' })).toContain('a whole number from 1 to 6,000')
  })

  it('keeps no line about a deleted account', async () => {
    await upload(
      `email,first_name,courses\nada@class.example,Ada,no-such-course\nben@class.example,Ben,`,
    )
    await runDueImports()
    const ada = { id: 'ada', email: 'ada@class.example', name: 'Ada', firstName: 'Ada' }
    await server.db.insert(tables.users).values(ada)
    const { deleteAccount } = await import('~/features/accounts/own-data/account-deletion.server')
    await server.db.transaction((transaction) => deleteAccount(transaction, async () => {}, 'ada'))

    expect(await server.db.select().from(tables.importRows)).toMatchObject([
      { email: 'ben@class.example' },
    ])
  })

  it('is forgotten after 30 days', async () => {
    const page = await upload(threePeople)
    await runDueImports()
    await server.db
      .update(tables.imports)
      .set({ createdAt: new Date(Date.now() - 31 * 24 * 60 * 60_000) })
    await runDueImports()

    expect((await server.get('manager', page)).status).toBe(404)
    expect(await server.db.$count(tables.importRows)).toBe(0)
  })
})

describe('the columns of an import', () => {
  it.each([
    ['German', 'E-Mail-Adresse;Vorname;Nachname;Kurse'],
    ['German, with Name for the last name', 'E-Mail;Vorname;Name;Kurs'],
    ['Spanish', 'Correo electrónico;Nombre;Apellidos;Cursos'],
    ['French', 'Adresse e-mail;Prénom;Nom;Cours'],
    ['Brazilian Portuguese', 'Endereço de e-mail;Nome;Sobrenome;Curso'],
    ['Arabic', 'البريد الإلكتروني;الاسم الأول;اسم العائلة;الدورات'],
  ])('are recognized in %s', async (_language, header) => {
    const page = await upload(`${header}\nada@class.example;Ada;King Lovelace;${course}`)
    await runDueImports()
    expect(await getPage(page)).toContain('Import 1 line')

    await pressButton(page, 'start', 'checked')
    await runDueImports()
    expect(await listImportedPeople()).toEqual([{ email: 'ada@class.example', course }])

    const [ada] = await server.db
      .select({ firstName: tables.users.firstName, lastName: tables.users.lastName })
      .from(tables.users)
      .where(eq(tables.users.email, 'ada@class.example'))
    expect(ada).toEqual({ firstName: 'Ada', lastName: 'King Lovelace' })
  })

  it('are chosen by staff if their names are unknown, before the file is checked', async () => {
    const page = await upload(`Kontakt,Vorname,Nachname,Klasse\nada@class.example,Ada,L,${course}`)
    await runDueImports()
    const unclear = await getPage(page)
    expect(unclear).toContain('Choose the columns')
    expect(unclear).toContain('Without a column of course IDs, nobody is enrolled.')
    expect(unclear).toMatch(/<option value="first_name" selected="">First name/)
    expect(unclear).not.toContain('Import 1 line')

    const names = { 'column-1': 'first_name', 'column-2': 'last_name' }
    const form = { intent: 'columns', seen: 'unclear', ...names }
    const refused = await server.post('manager', page, { ...form, 'column-3': 'courses' })
    expect(refused.body).toContain('Choose the column with the email addresses.')
    expect(refused.body).toMatch(/<option value="courses" selected="">Course IDs/)

    const twice = await server.post('manager', page, {
      ...form,
      'column-0': 'email',
      'column-3': 'email',
    })
    expect(twice.body).toContain('Choose only one column for “Email address”.')

    await server.post('manager', page, { ...form, 'column-0': 'email', 'column-3': 'courses' })
    await runDueImports()
    expect(await getPage(page)).toContain('Import 1 line')

    await pressButton(page, 'start', 'checked')
    await runDueImports()
    expect(await listImportedPeople()).toEqual([{ email: 'ada@class.example', course }])

    const [stored] = await server.db.select().from(tables.imports)
    expect([stored?.file, JSON.stringify(stored?.columns)]).toEqual([
      null,
      expect.not.stringContaining('ada@class.example'),
    ])
  })

  it('say before the import that nobody is enrolled without courses', async () => {
    const page = await upload('email,first_name,last_name\nada@class.example,Ada,Lovelace')
    await runDueImports()
    const checked = await getPage(page)

    expect(checked).toContain('Import 1 line')
    expect(checked).toContain('No column of this file has course IDs, so nobody is enrolled.')
  })
})

/** Returns the CSV file that the link 'Download a template' contains. */
async function downloadTemplate(cookie = server.getCookie('manager')): Promise<string> {
  const { body } = await server.request('/Desk/People/Import', {
    headers: { ...server.headers, Cookie: cookie },
  })
  const [, encodedCsv = ''] = /href="data:text\/csv;charset=utf-8,([^"]*)"/.exec(body) ?? []
  return decodeURIComponent(encodedCsv)
}

describe('the template', () => {
  it('names courses of the school, and can be imported as it is', async () => {
    const template = await downloadTemplate()
    expect(template).toMatch(/^email,first_name,last_name,courses\r\nada@school\.example,/)

    const page = await upload(template)
    await runDueImports()

    const [, ...lines] = template.split('\r\n')
    const templateCourses = lines.flatMap((line) => line.split(',')[3]?.split(' ') ?? [])
    const publishedCourses = await server.db
      .select({ id: tables.courses.id })
      .from(tables.courses)
      .where(eq(tables.courses.published, true))

    expect(templateCourses).toHaveLength(3)
    expect(publishedCourses.map(({ id }) => id)).toEqual(expect.arrayContaining(templateCourses))
    expect(await getPage(page)).toContain('Import 2 lines')
  })

  it('has the separator of the last download', async () => {
    const template = await downloadTemplate(
      `${server.getCookie('manager')}; csv_separator=semicolon`,
    )
    expect(template).toMatch(/^email;first_name;last_name;courses\r\nada@school\.example;/)

    const page = await upload(template)
    await runDueImports()
    expect(await getPage(page)).toContain('Import 2 lines')
  })
})

describe('an invitation', () => {
  it('names the courses, and choosing a password by it signs the learner in', async () => {
    const page = await upload(
      `email,first_name,last_name,courses\nada@class.example,Ada,Lovelace,${course} typography-for-screens`,
    )
    await runDueImports()
    await pressButton(page, 'start', 'checked')
    await runDueImports()

    const [invitation] = await server.db
      .select()
      .from(tables.outbox)
      .innerJoin(tables.users, eq(tables.users.id, tables.outbox.uid))
      .where(eq(tables.users.email, 'ada@class.example'))
    if (!invitation) {
      throw new Error('The import queued no invitation.')
    }

    const compose = createAccountMailComposer(server.db, 'http://localhost:3000')
    const mail = await compose(invitation.outbox)
    const text = mail?.text.replaceAll(/\s+/g, ' ') ?? ''
    expect(text).toContain('You’re enrolled in “Python from Zero” and “Typography for Screens”.')

    const token = /token=([\w-]+)/.exec(text)?.[1] ?? ''
    const password = 'Analytical-1843'
    const response = await server.post('visitor', `/ResetPassword?token=${token}`, {
      token,
      password,
      confirmPassword: password,
    })
    expect([response.status, response.headers.location]).toEqual([303, '/Profile'])

    const cookie = (response.headers['set-cookie'] ?? [])
      .map((line) => line.split(';')[0])
      .join('; ')
    const profile = await server.request('/Profile', {
      headers: { ...server.headers, Cookie: cookie },
    })
    expect([profile.status, profile.body.includes('Python from Zero')]).toEqual([200, true])

    const emails = await server.db
      .select({ kind: tables.outbox.kind })
      .from(tables.outbox)
      .where(eq(tables.outbox.uid, invitation.users.id))
    expect(emails).toEqual([])
  })
})
