import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import {
  accountProblems,
  findAccountsByEmail,
  inviteAccounts,
} from '~/features/accounts/account-administration.server'
import { canonicalEmail } from '~/features/accounts/email-address/email-address.server'
import { enrollManyAndFollowUp } from '~/features/certificates/finished-work.server'
import {
  listCourseAvailability,
  listEnrollmentsByLearner,
  listSimilarCourseIds,
} from '~/features/enrollment/enrollment-queries.server'
import { learnerLimits } from '~/features/enrollment/learner-limits'
import { type Actor, recordAudit } from '~/features/staff/audit.server'
import {
  findProtectedAccounts,
  protectedAccountProblem,
  type StaffMember,
} from '~/features/staff/staff-queries.server'
import type { Database, Transaction } from '~/server/database/client.server'
import { failure, type Result, success } from '~/server/result'
import { didYouMean } from '~/server/validation/schema-problems'
import { type CsvLine, readCsv } from './read-csv.server'

/** A line of the file and the changes that it asks for. */
export type PlannedLine = {
  line: number
  email: string
  firstName: string
  lastName: string
  /** Null if the account has to be created. */
  uid: string | null
  /** Courses that the learner is not enrolled in yet. */
  enroll: string[]
}

export type ImportPlan = {
  /** The people in the file, one for each line. */
  people: Person[]
  lines: PlannedLine[]
  problems: { line: number; reason: string }[]
  /** Ignored columns of the file. */
  ignored: string[]
}

const known = ['email', 'first_name', 'last_name', 'courses']
/** Column names in spreadsheets, Google Classroom, Google Workspace and Moodle. */
const otherNames: Record<string, readonly string[]> = {
  email: [
    'e_mail',
    'mail',
    'email_address',
    'e_mail_address',
    'e_mail_1___value',
    'user_email',
    'student_email',
  ],
  first_name: ['firstname', 'given_name', 'givenname', 'forename', 'first'],
  last_name: ['lastname', 'surname', 'family_name', 'familyname', 'last'],
  courses: ['course', 'course_id', 'course_ids'],
  name: ['full_name', 'fullname', 'student_name', 'student'],
}
const linesAtOnce = 1_000

/**
 * Plans an import without changing anything. Fails if the file is not a table of learners.
 *
 * @param file the name of the file, for messages
 * @param staff the importing member of staff, or null for an operator
 */
export async function planImport(
  db: Database,
  file: string,
  bytes: Buffer,
  staff: StaffMember | null = null,
): Promise<Result<ImportPlan>> {
  const table = await readCsv(file, bytes)
  if (!table.ok) {
    return table
  }

  const { columns, lines } = table.value
  const meaningByColumn = findMeanings(file, columns)
  if (!meaningByColumn.ok) {
    return meaningByColumn
  }

  const meanings = meaningByColumn.value
  const people = lines.map((line) => personOf(line, meanings)).filter(hasLearner)
  const courses = await listCourseAvailability(
    db,
    people.flatMap((person) => person.courses),
  )
  const near = await nearCourses(db, people, courses)
  const seen = new Map<string, number>()
  const [planned, problems]: [PlannedLine[], Problem[]] = [[], []]
  for (let start = 0; start < people.length; start += linesAtOnce) {
    const part = people.slice(start, start + linesAtOnce)
    const found = part.flatMap((person) => problemsOf(person, courses, near, seen))
    const bad = new Set(found.map(({ line }) => line))
    const good = await planPart(
      db,
      part.filter(({ line }) => !bad.has(line)),
      courses,
      staff,
    )

    planned.push(...good.lines)
    problems.push(...found, ...good.problems)
    // Lets other requests run in between.
    await setImmediate()
  }

  const ignored = columns.filter((name) => !meanings.has(name))

  return success({
    people,
    lines: planned,
    problems: problems.toSorted((one, other) => one.line - other.line),
    ignored,
  })
}

type Meanings = ReadonlyMap<string, string>

/**
 * Finds out what each column contains, from its name. Fails if a required column is missing, or
 * if two columns contain the same. Only courses may be in several columns, as in Moodle's
 * `course1`, `course2`.
 */
function findMeanings(file: string, columns: readonly string[]): Result<Meanings> {
  const meanings = new Map<string, string>()
  for (const column of columns) {
    const meaning = meaningOf(column)
    if (!meaning) {
      continue
    }

    const [sameColumn] = [...meanings].find(([, other]) => other === meaning) ?? []
    if (sameColumn !== undefined && meaning !== 'courses') {
      return failure(
        `${file} has two columns for ${meaning}: ${sameColumn} and ${column}. Delete one.`,
      )
    }

    meanings.set(column, meaning)
  }

  const foundMeanings = new Set(meanings.values())
  const required = foundMeanings.has('name') ? ['email'] : ['email', 'first_name']
  const missing = required.filter((meaning) => !foundMeanings.has(meaning))
  if (missing.length > 0) {
    const unknownColumns = columns.filter((column) => !meanings.has(column))
    return failure(describeMissingColumns(file, columns, { missing, unknownColumns }))
  }

  return success(meanings)
}

function describeMissingColumns(
  file: string,
  columns: readonly string[],
  { missing, unknownColumns }: { missing: string[]; unknownColumns: string[] },
): string {
  const misspelled = missing.flatMap((meaning) => {
    const names = [meaning, ...(otherNames[meaning] ?? [])]
    return unknownColumns.filter((column) => didYouMean(column, names))
  })
  const found = columns.length > 0 ? ` Found: ${columns.join(', ')}.` : ''
  const hint =
    misspelled.length > 0 ? ` Did you mean them by ${misspelled.join(', ')}? Correct the name.` : ''

  return `${file} needs a first line with these columns: ${known.join(', ')}. Missing: ${missing.join(', ')}.${found}${hint}`
}

function meaningOf(column: string): string | undefined {
  if (/^course_?\d+$/.test(column)) {
    return 'courses'
  }

  return [...known, 'name'].find((name) => name === column || otherNames[name]?.includes(column))
}

export type Person = ReturnType<typeof personOf>
type Courses = Awaited<ReturnType<typeof listCourseAvailability>>
type Problem = ImportPlan['problems'][number]

function personOf({ line, fields }: CsvLine, meanings: Meanings) {
  const values = (wanted: string) =>
    [...meanings].flatMap(([column, meaning]) => (meaning === wanted ? [fields[column] ?? ''] : []))
  const [email = ''] = values('email')
  const [first, last] = splitName(values('name')[0] ?? '')
  const wanted = new Set(
    values('courses').flatMap((courses) => courses.split(/[\s,;]+/).filter(Boolean)),
  )

  return {
    line,
    email: canonicalEmail(email) ?? email,
    firstName: values('first_name')[0] ?? first,
    lastName: values('last_name')[0] ?? last,
    courses: [...wanted],
  }
}

/** 'Ada King Lovelace' or 'Lovelace, Ada King'; one name alone is the first name. */
function splitName(name: string): [first: string, last: string] {
  const [last = '', first] = name.split(/,\s*/, 2)
  if (first) {
    return [first, last]
  }

  const words = name.split(/\s+/)

  return words.length > 1 ? [words.slice(0, -1).join(' '), words.at(-1) ?? ''] : [name, '']
}

/** False for lines that only describe other columns, such as the points of assignments. */
function hasLearner({ email, firstName, lastName, courses }: Person): boolean {
  return [email, firstName, lastName, ...courses].some((value) => value !== '')
}

/** Suggestions for the first few unknown course IDs. */
async function nearCourses(
  db: Database,
  people: readonly Person[],
  courses: Courses,
): Promise<Map<string, string>> {
  const unknown = [...new Set(people.flatMap((person) => person.courses))]
    .filter((id) => !courses.has(id))
    .slice(0, 20)
  const near = new Map<string, string>()
  for (const id of unknown) {
    near.set(id, didYouMean(id.toLowerCase(), await listSimilarCourseIds(db, id)))
  }

  return near
}

/**
 * Finds the problems of a line before its account is looked up.
 *
 * @param seen the line number of each address so far.
 */
function problemsOf(
  person: Person,
  courses: Courses,
  near: ReadonlyMap<string, string>,
  seen: Map<string, number>,
): Problem[] {
  const { line, email } = person
  const before = email === '' ? undefined : seen.get(email)
  seen.set(email, before ?? line)
  const unknown = person.courses.filter((course) => !courses.has(course))
  const reasons = [
    ...(email === '' ? ['The email address is missing.'] : accountProblems(person)),
    ...(before === undefined ? [] : [`${email} is already on line ${before}.`]),
    ...unknown.map((course) => `No course has the ID '${course}'.${near.get(course) ?? ''}`),
  ]

  return reasons.map((reason) => ({ line, reason }))
}

/** Joins the sentences about each faulty line. */
export function reasonsByLine(problems: readonly Problem[]): Map<number, string> {
  const reasons = new Map<number, string>()
  for (const { line, reason } of problems) {
    reasons.set(line, [reasons.get(line) ?? '', reason].join(' ').trim())
  }

  return reasons
}

/** Plans the changes of some lines, as things stand now. */
export async function planPart(
  db: Pick<Database, 'select' | 'execute'>,
  people: readonly Person[],
  courses: Courses,
  staff: StaffMember | null,
): Promise<{ lines: PlannedLine[]; problems: Problem[] }> {
  const accounts = await findAccountsByEmail(
    db,
    people.map(({ email }) => email),
  )
  const uids = [...accounts.values()].map(({ uid }) => uid)
  const enrollments = await listEnrollmentsByLearner(db, uids)
  const untouchable = await findProtectedAccounts(db, staff, uids)
  const problems: Problem[] = []
  const lines = people.flatMap(({ courses: wanted, ...person }) => {
    const account = accounts.get(person.email)
    const had = (account && enrollments.get(account.uid)?.courses) ?? []
    const enroll = wanted.filter((course) => !had.includes(course))
    const hidden = enroll.filter((course) => !courses.get(course)?.published)
    const reasons = [
      ...(account?.disabled ? ['The account is disabled.'] : []),
      ...(account && enroll.length > 0 && untouchable.has(account.uid)
        ? [protectedAccountProblem]
        : []),
      ...hidden.map((course) => `The course '${course}' isn’t published.`),
      ...(had.length + enroll.length > learnerLimits.enrollments
        ? [`A learner can be enrolled in at most ${learnerLimits.enrollments} courses.`]
        : []),
    ]

    problems.push(...reasons.map((reason) => ({ line: person.line, reason })))

    return reasons.length > 0 ? [] : [{ ...person, uid: account?.uid ?? null, enroll }]
  })

  return { lines, problems }
}

/**
 * Each chunk is committed with its audit, so that a repeated import continues where it broke off.
 */
export const linesPerTransaction = 250

export const changesSomething = ({ uid, enroll }: PlannedLine) => uid === null || enroll.length > 0

/** `pauseMs` is the time between two invitations. */
type Pace = { now: Date; pauseMs: number }

/** Carries out some lines of the plan, and records each in the audit. */
export async function importLines(
  transaction: Transaction,
  actor: Actor,
  lines: readonly PlannedLine[],
  pace: Pace,
): Promise<void> {
  const uids = await findOrMake(transaction, lines, pace)
  const uidOf = ({ email }: PlannedLine) => uids.get(email) ?? ''
  const wanted = lines.flatMap((line) =>
    line.enroll.map((courseId) => ({ uid: uidOf(line), courseId })),
  )
  await enrollManyAndFollowUp(transaction, wanted, pace.now)
  const entries = lines.map((line) => ({
    subject: uidOf(line),
    arguments: { line: line.line, courses: line.enroll },
    outcome: `Imported: ${outcomeOf(line)}.`,
  }))

  await recordAudit(transaction, actor, entries)
}

/** Allows one import at a time, because two could deadlock on the same addresses. */
export async function lockImports(transaction: Transaction): Promise<void> {
  await transaction.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('import of learners', 0))`,
  )
}

/** Also finds an account that was created after the plan was made. */
async function findOrMake(
  transaction: Transaction,
  part: readonly PlannedLine[],
  pace: Pace,
): Promise<Map<string, string>> {
  const wanted = part.filter(({ uid }) => uid === null)
  const accounts = wanted.map(({ email, firstName, lastName }) => ({ email, firstName, lastName }))
  const made = await inviteAccounts(transaction, accounts, pace)
  const taken = wanted.flatMap(({ email }) => (made.has(email) ? [] : [email]))
  const found = await findAccountsByEmail(transaction, taken)

  return new Map([
    ...part.flatMap(({ email, uid }) => (uid === null ? [] : [[email, uid] as const])),
    ...made,
    ...[...found].map(([email, { uid }]) => [email, uid] as const),
  ])
}

/** One sentence, for the plan as for the audit. */
export function outcomeOf({ uid, enroll }: PlannedLine): string {
  const parts = [
    uid === null && 'new account',
    enroll.length > 0 && `enroll in ${enroll.join(', ')}`,
  ]
  return parts.filter(Boolean).join('; ') || 'nothing to do'
}
