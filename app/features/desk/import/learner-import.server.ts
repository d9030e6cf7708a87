import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import {
  findAccountProblems,
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

/** A line of the file, with the changes that the import will make. */
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

const knownColumns = ['email', 'first_name', 'last_name', 'courses']
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
/** So many lines are planned before other requests get their turn. */
const linesPerPart = 1_000

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
  const people = lines.map((line) => readPerson(line, meanings)).filter(describesPerson)
  const courses = await listCourseAvailability(
    db,
    people.flatMap((person) => person.courses),
  )
  const similarCourses = await findSimilarCourses(db, people, courses)

  const lineByEmail = new Map<string, number>()
  const plannedLines: PlannedLine[] = []
  const problems: Problem[] = []
  for (let start = 0; start < people.length; start += linesPerPart) {
    const part = people.slice(start, start + linesPerPart)
    const partProblems = part.flatMap((person) =>
      findLineProblems(person, courses, similarCourses, lineByEmail),
    )
    const faultyLines = new Set(partProblems.map(({ line }) => line))
    const readablePeople = part.filter(({ line }) => !faultyLines.has(line))
    const plan = await planLines(db, readablePeople, courses, staff)

    plannedLines.push(...plan.lines)
    problems.push(...partProblems, ...plan.problems)
    // Lets other requests run in between.
    await setImmediate()
  }

  return success({
    people,
    lines: plannedLines,
    problems: problems.toSorted((one, other) => one.line - other.line),
    ignored: columns.filter((name) => !meanings.has(name)),
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
    const meaning = findMeaning(column)
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

  return `${file} needs a first line with these columns: ${knownColumns.join(', ')}. Missing: ${missing.join(', ')}.${found}${hint}`
}

function findMeaning(column: string): string | undefined {
  if (/^course_?\d+$/.test(column)) {
    return 'courses'
  }

  return [...knownColumns, 'name'].find(
    (name) => name === column || otherNames[name]?.includes(column),
  )
}

export type Person = ReturnType<typeof readPerson>
type Courses = Awaited<ReturnType<typeof listCourseAvailability>>
type Problem = ImportPlan['problems'][number]

function readPerson({ line, fields }: CsvLine, meanings: Meanings) {
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

/** Splits 'Ada King Lovelace' or 'Lovelace, Ada King'. A single name is the first name. */
function splitName(name: string): [first: string, last: string] {
  const [last = '', first] = name.split(/,\s*/, 2)
  if (first) {
    return [first, last]
  }

  const words = name.split(/\s+/)

  return words.length > 1 ? [words.slice(0, -1).join(' '), words.at(-1) ?? ''] : [name, '']
}

/** Tells whether the line is about a person. Some lines only describe columns, such as points. */
function describesPerson({ email, firstName, lastName, courses }: Person): boolean {
  return [email, firstName, lastName, ...courses].some((value) => value !== '')
}

/** Suggests similar IDs for the first unknown course IDs. */
async function findSimilarCourses(
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
 * Finds the problems of a line that do not depend on its account.
 *
 * @param lineByEmail the line of each email address so far; this line is added
 */
function findLineProblems(
  person: Person,
  courses: Courses,
  similarCourses: ReadonlyMap<string, string>,
  lineByEmail: Map<string, number>,
): Problem[] {
  const { line, email } = person
  const reasons = email === '' ? ['The email address is missing.'] : findAccountProblems(person)

  const previousLine = email === '' ? undefined : lineByEmail.get(email)
  if (previousLine !== undefined) {
    reasons.push(`${email} is already on line ${previousLine}.`)
  }

  lineByEmail.set(email, previousLine ?? line)

  for (const courseId of person.courses) {
    if (!courses.has(courseId)) {
      reasons.push(`No course has the ID '${courseId}'.${similarCourses.get(courseId) ?? ''}`)
    }
  }

  return reasons.map((reason) => ({ line, reason }))
}

/** Joins the sentences about each faulty line, by its number. */
export function joinReasonsByLine(problems: readonly Problem[]): Map<number, string> {
  const reasons = new Map<number, string>()
  for (const { line, reason } of problems) {
    reasons.set(line, [reasons.get(line) ?? '', reason].join(' ').trim())
  }

  return reasons
}

/** Plans the changes of some lines, from the accounts and enrollments as they are now. */
export async function planLines(
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
  const protectedUids = await findProtectedAccounts(db, staff, uids)

  const lines: PlannedLine[] = []
  const problems: Problem[] = []
  for (const { courses: wantedIds, ...person } of people) {
    const account = accounts.get(person.email)
    const currentIds = (account && enrollments.get(account.uid)?.courses) ?? []
    const enroll = wantedIds.filter((id) => !currentIds.includes(id))
    const unpublishedIds = enroll.filter((id) => !courses.get(id)?.published)

    const reasons: string[] = []
    if (account?.disabled) {
      reasons.push('The account is disabled.')
    }

    if (account && enroll.length > 0 && protectedUids.has(account.uid)) {
      reasons.push(protectedAccountProblem)
    }

    reasons.push(...unpublishedIds.map((id) => `The course '${id}' isn’t published.`))
    if (currentIds.length + enroll.length > learnerLimits.enrollments) {
      reasons.push(`A learner can be enrolled in at most ${learnerLimits.enrollments} courses.`)
    }

    if (reasons.length === 0) {
      lines.push({ ...person, uid: account?.uid ?? null, enroll })
    }

    problems.push(...reasons.map((reason) => ({ line: person.line, reason })))
  }

  return { lines, problems }
}

/** So many lines are committed together with their audit entries. */
export const linesPerTransaction = 250

export function changesSomething({ uid, enroll }: PlannedLine): boolean {
  return uid === null || enroll.length > 0
}

type Pace = {
  now: Date
  /** The time between two invitations. */
  pauseMs: number
}

/** Imports lines of the plan, and writes an audit entry for each. */
export async function importLines(
  transaction: Transaction,
  actor: Actor,
  lines: readonly PlannedLine[],
  pace: Pace,
): Promise<void> {
  const uids = await findOrInviteAccounts(transaction, lines, pace)
  const uidOf = ({ email }: PlannedLine) => uids.get(email) ?? ''
  const wanted = lines.flatMap((line) =>
    line.enroll.map((courseId) => ({ uid: uidOf(line), courseId })),
  )
  await enrollManyAndFollowUp(transaction, wanted, pace.now)
  const entries = lines.map((line) => ({
    subject: uidOf(line),
    arguments: { line: line.line, courses: line.enroll },
    outcome: `Imported: ${describeLine(line)}.`,
  }))

  await recordAudit(transaction, actor, entries)
}

/** Allows one import at a time, because two could deadlock on the same addresses. */
export async function lockImports(transaction: Transaction): Promise<void> {
  await transaction.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('import of learners', 0))`,
  )
}

/** Returns the uid of each email. An account can have been created since the plan was made. */
async function findOrInviteAccounts(
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

/** Describes what the import does for a line, for the plan and the audit log. */
export function describeLine({ uid, enroll }: PlannedLine): string {
  const changes: string[] = []
  if (uid === null) {
    changes.push('new account')
  }

  if (enroll.length > 0) {
    changes.push(`enroll in ${enroll.join(', ')}`)
  }

  return changes.length === 0 ? 'nothing to do' : changes.join('; ')
}
