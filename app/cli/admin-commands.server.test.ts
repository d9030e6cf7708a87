import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parse } from 'csv-parse/sync'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAccountMailComposer } from '~/features/accounts/mail/account-mails.server'
import { findOneTimeToken } from '~/features/accounts/one-time-tokens.server'
import { recordPassword } from '~/features/accounts/password/password-queries.server'
import { findPasswordResetLink } from '~/features/accounts/password/password-reset.server'
import { csvSeparators, separatorCharacters } from '~/features/desk/csv-separators'
import { planImport } from '~/features/desk/import/import-plan.server'
import { importLines } from '~/features/desk/import/learner-import.server'
import { readCsv } from '~/features/desk/import/read-csv.server'
import type { Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { createAdminCommandRunner } from '../../tests/support/admin-commands'
import { listAuditEntries } from '../../tests/support/operator'
import { createTestDatabase } from '../../tests/support/test-database'
import { readCsvFile, writeCsv } from './csv-files.server'

let db: Database
let admin: ReturnType<typeof createAdminCommandRunner>
let folder: string
let fileCount = 0

beforeAll(async () => {
  ;({ db } = await createTestDatabase())
  admin = createAdminCommandRunner(db)
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-csv-'))
})
afterAll(() => rm(folder, { recursive: true }))
beforeEach(async () => {
  await db.delete(tables.users)
})

const getNewFile = () => path.join(folder, `${++fileCount}.csv`)

async function writeNewFile(text: string | Buffer): Promise<string> {
  const file = getNewFile()
  await writeFile(file, text)
  return file
}

const header = 'Email;First name;Last name;Courses\r\n'
const threePeople = `${header}Ada@Test.Example;Ada;Lovelace;three-knots python-from-zero\r\neve@test.example;Eve;;\r\n\r\nbob@test.example;Bob;Ross;three-knots\r\n`
const importText = async (text: string | Buffer, ...options: string[]) =>
  admin('people', 'import', await writeNewFile(text), ...options)
async function planText(text: string | Buffer) {
  const plan = await planImport(db, { name: 'class.csv', bytes: Buffer.from(text) })
  if (!plan.ok) {
    throw new Error(plan.problem)
  }

  return plan.value
}

const countRows = async () => ({
  users: await db.$count(tables.users),
  enrollments: await db.$count(tables.enrollments),
  mails: await db.$count(tables.outbox),
})

describe('an import', () => {
  it('creates accounts, enrolls learners, invites them one after the other, and records each in the audit log', async () => {
    expect(await importText(threePeople)).toMatch(
      /^3 new accounts, 3 enrollments, 0 lines unchanged\./,
    )
    expect(await countRows()).toEqual({ users: 3, enrollments: 3, mails: 3 })

    const [ada] = await db
      .select()
      .from(tables.users)
      .where(eq(tables.users.email, 'ada@test.example'))
    expect(ada).toMatchObject({
      name: 'Ada Lovelace',
      emailVerified: false,
      provider: 'email',
      lastLoginAt: null,
    })

    const emails = await db.select().from(tables.outbox)
    const dueTimes = emails.map(({ dueAt }) => dueAt.getTime()).toSorted()
    expect(dueTimes.map((time) => time - (dueTimes[0] ?? 0))).toEqual([0, 1000, 2000])

    const auditEntries = await listAuditEntries(db, 'learners import')
    expect(auditEntries.filter(({ subject }) => subject === ada?.id)).toMatchObject([
      { arguments: { line: 2, courses: ['three-knots', 'python-from-zero'] } },
    ])
    expect(JSON.stringify(auditEntries)).not.toContain('@')
  })

  it('changes nothing the second time, and adds only a new course', async () => {
    await importText(threePeople)
    const before = await listAuditEntries(db, 'learners import')

    expect(await importText(threePeople)).toMatch(
      /^0 new accounts, 0 enrollments, 3 lines unchanged\.$/,
    )
    expect(await importText(threePeople.replace('Eve;;', 'Eve;;three-knots'))).toMatch(
      /^0 new accounts, 1 enrollment,/,
    )
    expect(await countRows()).toEqual({ users: 3, enrollments: 4, mails: 3 })
    expect(await listAuditEntries(db, 'learners import')).toHaveLength(before.length + 1)
  })

  it('with --dry-run prints what would happen to each line, and changes nothing', async () => {
    const { rows: stateBefore } = await db.execute(sql`select * from product_state`)
    const output = await importText(threePeople, '--dry-run')

    expect(output.split('\n').slice(0, 4)).toEqual([
      'LINE  EMAIL             WHAT',
      '2     ada@test.example  new account; enroll in three-knots, python-from-zero',
      '3     eve@test.example  new account',
      '5     bob@test.example  new account; enroll in three-knots',
    ])

    expect(output).toMatch(/3 new accounts, 3 enrollments[\s\S]*Nothing was changed\.$/)
    expect(await countRows()).toEqual({ users: 0, enrollments: 0, mails: 0 })
    expect((await db.execute(sql`select * from product_state`)).rows).toEqual(stateBefore)
  })

  it('names every bad line with its number and reason, and then changes nothing', async () => {
    const bad = `email,first_name,last_name,courses
ada@test.example,Ada,"Love
lace",
not an address,Bob,Ross,
eve@test.example,,Moss,flying
eve@test.example,Eve,Moss,three-knots
`

    await expect(importText(bad)).rejects.toThrow(
      [
        'Line 2: last_name: Please remove the characters that we can’t save.',
        "Line 4: 'not an address' doesn’t look like an email address.",
        'Line 5: first_name: First name is required.',
        "Line 5: No course has the ID 'flying'.",
        'Line 6: eve@test.example is already on line 5.',
        '5 problems. Nothing was changed.',
      ].join('\n'),
    )

    expect(await countRows()).toEqual({ users: 0, enrollments: 0, mails: 0 })
  })

  it.each([
    [
      'Excel with semicolons and a line for them',
      'sep=;\r\nemail;first_name;last_name;courses;;\r\na@b.example;Ada;Love, Lace;three-knots;;\r\n;;;;;\r\n',
    ],
    [
      'Excel on an old Mac',
      'email,first_name,last_name,courses\ra@b.example,Ada,"Love, Lace",three-knots\r',
    ],
    [
      'mixed line ends',
      '\ufeffemail,first_name,last_name,courses\r\na@b.example,Ada,"Love, Lace",three-knots\n\r',
    ],
    [
      'Unicode text',
      Buffer.from(
        '\ufeffE-mail\tFirst Name\tLast Name\tCourses\r\na@b.example\tAda\tLove, Lace\tthree-knots\r\n',
        'utf16le',
      ),
    ],
    [
      'Google Classroom',
      '"Last Name","First Name","Email Address","Course","Essay; draft; final"\n"","","","","100"\n"Love, Lace","Ada","a@b.example","three-knots","90"\n',
    ],
    [
      'Google Workspace',
      'First Name [Required],Last Name [Required],Email Address [Required],Password [Required],Courses\nAda,"Love, Lace",a@b.example,****,three-knots\n',
    ],
    [
      'Moodle',
      'username;firstname;lastname;email;course1;role1\nada;Ada;Love, Lace;a@b.example;three-knots;student\n',
    ],
  ] as [string, string | Buffer][])('reads what is written by: %s', async (_writer, text) => {
    const { lines, problems } = await planText(text)

    expect(problems).toEqual([])
    expect(lines).toMatchObject([
      {
        email: 'a@b.example',
        firstName: 'Ada',
        lastName: 'Love, Lace',
        newCourseIds: ['three-knots'],
      },
    ])
  })

  it('reads names in one column, and line numbers with any line end', async () => {
    const text =
      'sep=,\rname,mail,course1,course2\rAda King Lovelace,a@b.example,three-knots,python-from-zero\r"Ross, Bob",b@b.example\rCher,c@b.example\r'
    const { lines } = await planText(text)

    expect(
      lines.map(({ lineNumber, firstName, lastName, newCourseIds }) => [
        lineNumber,
        firstName,
        lastName,
        newCourseIds.length,
      ]),
    ).toEqual([
      [3, 'Ada', 'King Lovelace', 2],
      [4, 'Bob', 'Ross', 0],
      [5, 'Cher', '', 0],
    ])
  })

  it('reports an email address in a column of names', async () => {
    const { lines, problems } = await planText(
      'email,name\na@b.example,a@b.example\nc@b.example,Lovelace c@b.example\n',
    )
    expect(lines).toEqual([])
    expect(problems).toEqual([
      { line: 2, reason: 'first_name: First name can’t be an email address.' },
      { line: 3, reason: 'last_name: Last name can’t be an email address.' },
    ])
  })

  it('suggests a similar course, and reports a missing email address', async () => {
    const text = 'email,first_name,courses\na@b.example,Ada,Three-Knot\n,Bob,three-knots\n'
    await expect(importText(text)).rejects.toThrow(
      "Line 2: No course has the ID 'Three-Knot'. Did you mean `three-knots`?\nLine 3: The email address is missing.\n",
    )
  })

  it('refuses disabled accounts and courses that nobody can enroll in', async () => {
    await db
      .insert(tables.users)
      .values({ id: 'eve', email: 'eve@test.example', name: 'Eve', firstName: 'Eve', banned: true })
    await db
      .update(tables.courses)
      .set({ published: false })
      .where(eq(tables.courses.id, 'three-knots'))
    const refused = importText(threePeople)
    await expect(refused).rejects.toThrow(
      /^Line 2: The course 'three-knots' isn’t published\.\nLine 3: The account is disabled\./,
    )

    await db
      .update(tables.courses)
      .set({ published: true })
      .where(eq(tables.courses.id, 'three-knots'))
  })

  it.each([
    [
      'without its columns',
      'firstnam,post\n',
      /needs a first line with these columns.*Missing: email, first_name\. Found: firstnam, post\. Did you mean them by firstnam\?/,
    ],
    [
      'with an open quote',
      'email,first_name\n"a@b.example,Ada\n',
      /isn’t valid CSV\. A quotation mark/,
    ],
    [
      'with a column twice',
      'email,first_name,Email\na@b.example,Ada,c@d.example\n',
      /has the column email twice/,
    ],
    [
      'with too many fields',
      'email,first_name\na@b.example,Ada,x\n',
      /Line 2 has 3 fields, but the first line names only 2/,
    ],
    [
      'with two columns for one thing',
      'Email,E-mail,first_name\n',
      /two columns for email: email and e_mail\. Delete one/,
    ],
    ['that is a web page', '<html><table>', /is a web page, not text/],
    ['that is an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /is a workbook, not text/],
    ['that is a workbook', 'PK\u0003\u0004 of a spreadsheet', /is a workbook, not text/],
    [
      'that isn’t UTF-8',
      Buffer.from('email,first_name\na@b.example,Ren\xe9\n', 'latin1'),
      /isn’t UTF-8/,
    ],
  ])('refuses a file %s', async (_name, text, sentence) => {
    await expect(importText(text)).rejects.toThrow(sentence)
  })

  it('says why a file can’t be read or written', async () => {
    await expect(admin('people', 'import', '/nowhere.csv')).rejects.toThrow(
      '/nowhere.csv can’t be read: there’s no',
    )
    await expect(admin('people', 'import', folder)).rejects.toThrow(
      `${folder} can’t be read: it’s a folder.`,
    )
    await expect(importText('a'.repeat(40_000_000))).rejects.toThrow(
      'isn’t a table: its first line has more than',
    )

    const nothing = (async function* () {})()
    await expect(
      writeCsv({ target: '/nowhere/x.csv', separator: 'comma' }, [], nothing),
    ).rejects.toThrow('can’t be written: there’s no such file')
  })

  it('says that the disk is full, and removes the incomplete file', async () => {
    const file = path.join(folder, 'full.csv')
    const rowsUntilFull = (async function* () {
      yield { name: 'Ada' }
      throw Object.assign(new Error('write'), { code: 'ENOSPC' })
    })()

    await expect(
      writeCsv({ target: file, separator: 'comma' }, ['name'], rowsUntilFull),
    ).rejects.toThrow(`${file} can’t be written: the disk is full.`)
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })

  it('sends invitations at the requested pace, after the waiting ones', async () => {
    await importText(threePeople, '--emails-per-minute', '6')
    await importText(`${header}zoe@test.example;Zoe;;`, '--emails-per-minute', '6')
    const due = (await db.select().from(tables.outbox))
      .map(({ dueAt }) => dueAt.getTime())
      .toSorted()

    expect(due.map((at) => at - (due[0] ?? 0))).toEqual([0, 10_000, 20_000, 30_000])
    await expect(importText(threePeople, '--emails-per-minute', '0')).rejects.toThrow(
      /^--emails-per-minute takes a number/,
    )
  })

  it('enrolls an account that was created after the file was checked', async () => {
    const { lines } = await planText(threePeople)
    await db
      .insert(tables.users)
      .values({ id: 'eve', email: 'ada@test.example', name: 'Eve', firstName: 'Eve' })
    await db.transaction((transaction) =>
      importLines(transaction, { actor: 'grace', action: 'test' }, lines, {
        now: new Date(),
        pauseMs: 1000,
      }),
    )

    expect(await countRows()).toEqual({ users: 3, enrollments: 3, mails: 2 })
    expect(
      await db.select().from(tables.enrollments).where(eq(tables.enrollments.uid, 'eve')),
    ).toHaveLength(2)
  })

  it('sends a link that sets the password for a week, unless one is set already', async () => {
    await importText(`${header}ada@test.example;Ada;;`)
    const [ada] = await db.select().from(tables.users)
    const compose = createAccountMailComposer(db, 'https://school.example')
    const [waiting] = await db.select().from(tables.outbox)
    if (!waiting) {
      throw new Error('There is one.')
    }

    const mail = await compose(waiting)
    const token = /ResetPassword\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
    const day = 24 * 3_600_000
    expect(await findOneTimeToken(db, 'reset-password', token, Date.now() + 6.9 * day)).toBe(
      ada?.id,
    )
    expect(await findOneTimeToken(db, 'reset-password', token, Date.now() + 7.1 * day)).toBeNull()
    expect(await findPasswordResetLink(db, token)).toMatchObject({
      status: 'usable',
      token,
      hasPassword: false,
    })

    await recordPassword(db, ada?.id ?? '', 'a hash')
    expect(await findPasswordResetLink(db, token)).toMatchObject({
      status: 'usable',
      token,
      hasPassword: true,
    })

    await db.update(tables.users).set({ emailVerified: true })
    expect(await compose(waiting)).toBeNull()
  })
})

describe('an export', () => {
  it('has every account with its courses and no secret, is readable only by its owner, and can be imported', async () => {
    await importText(threePeople)
    await db
      .update(tables.users)
      .set({ firstName: '=cmd()' })
      .where(eq(tables.users.email, 'eve@test.example'))
    const file = getNewFile()
    expect(await admin('people', 'export', file)).toBe(`Wrote 3 accounts to ${file}.`)
    expect((await stat(file)).mode & 0o777).toBe(0o600)

    const text = await readFile(file, 'utf8')
    expect(text).toMatch(/^\ufeffuid,email,first_name,last_name,confirmed,disabled,created_at,/)
    expect(text).toMatch(
      /,ada@test\.example,Ada,Lovelace,no,no,\d{4}-.*,python-from-zero three-knots,,\r\n/,
    )
    expect(text).toContain(",eve@test.example,'=cmd(),,")
    expect(await listAuditEntries(db, 'learners export')).toMatchObject([
      { subject: null, outcome: 'Begins to write accounts to a file.' },
      { subject: null, outcome: 'Wrote 3 accounts to a file.' },
    ])

    await db.delete(tables.users)
    expect(await admin('people', 'import', file)).toMatch(/^3 new accounts, 3 enrollments/)
    expect(
      await db.select().from(tables.users).where(eq(tables.users.firstName, '=cmd()')),
    ).toHaveLength(1)
  })

  it('is audited before a line is written, even if it fails later', async () => {
    const before = await listAuditEntries(db, 'learners export')
    const file = path.join(folder, 'no such folder', 'accounts.csv')
    await expect(admin('people', 'export', file)).rejects.toThrow('can’t be written')
    expect((await listAuditEntries(db, 'learners export')).slice(before.length)).toMatchObject([
      { outcome: 'Begins to write accounts to a file.' },
      { outcome: 'It didn’t finish.' },
    ])

    await db.execute(sql`alter table operator_acts rename to operator_acts_away`)
    const refused = getNewFile()
    await expect(admin('people', 'export', refused)).rejects.toThrow()

    await db.execute(sql`alter table operator_acts_away rename to operator_acts`)
    await expect(stat(refused)).rejects.toThrow('ENOENT')
  })

  it('has the separator that the operator names', async () => {
    const file = getNewFile()
    await admin('people', 'export', file, '--separator', 'semicolon')

    expect(await readFile(file, 'utf8')).toMatch(/^\ufeffuid;email;first_name;last_name;/)
    await expect(admin('people', 'export', getNewFile(), '--separator', ';')).rejects.toThrow(
      '--separator takes one of these: comma, semicolon, tab.',
    )
  })

  it('overwrites no file, and the audit log has the failure', async () => {
    const file = await writeNewFile('mine')

    await expect(admin('people', 'export', file)).rejects.toThrow(`${file} already exists.`)
    expect(await readFile(file, 'utf8')).toBe('mine')
    expect((await listAuditEntries(db, 'learners export')).at(-1)).toMatchObject({
      outcome: 'It didn’t finish.',
    })
  })
})

describe('a table as CSV', () => {
  it('can be read back unchanged, and contains no formulas', async () => {
    const field = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom(
        '=1+1',
        '@x',
        '-2',
        '＝1',
        'a"b',
        'a;b',
        'x\r\ny',
        'a;=1',
        'a,=1',
        'a\t\t+1',
        'x\n=1',
        'x\r\n@1',
        'a;;-1',
        '"=1',
        'a";"=cmd()',
      ),
    )
    const text = field
      .map((value) => value.trim())
      .filter((value) => value !== '' && !/\0|(^|[,;\t\r\n])'/.test(value))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ one: text, other: text }), { maxLength: 5 }),
        fc.constantFrom(...csvSeparators),
        async (rows, separator) => {
          const file = getNewFile()
          async function* listed() {
            yield* rows
          }

          await writeCsv({ target: file, separator }, ['one', 'other'], listed())
          const csv = await readCsvFile(file)
          if (!csv.ok) {
            throw new Error(csv.problem)
          }

          const table = await readCsv(file, csv.value)
          expect(
            table.ok && table.value.lines.map(({ fields }) => Object.fromEntries(fields)),
          ).toEqual(rows)
          const raw = (await readFile(file, 'utf8')).slice(1)
          for (const field of parse(raw, { delimiter: separatorCharacters[separator] }).flat()) {
            expect(field).not.toMatch(/^[=+@\t\r＝＋－＠-]/)
          }

          // In much of the world a spreadsheet ends a field at each of these, and knows no quote
          // within one.
          for (const field of raw.split(/[,;\t\r\n]/)) {
            expect(field).not.toMatch(/^"*[=+@＝＋－＠-]/)
          }
        },
      ),
      { numRuns: 50 },
    )
  })
})
