/**
 * Imports a table of people: it creates accounts for those who have none, and enrolls learners.
 *
 * `planImport` reads the file and plans the change of each line without changing anything. Staff
 * check the plan, then `importLines` carries out some of its lines in one transaction. The same
 * functions serve the desk and the operator's command.
 */
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
import { type AuditedAction, writeAuditEntries } from '~/features/staff/audit.server'
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
  /** The IDs of the courses that the learner is not enrolled in yet. */
  newCourseIds: string[]
}

export type ImportPlan = {
  /** The people in the file, one for each line. */
  people: Person[]
  lines: PlannedLine[]
  problems: { line: number; reason: string }[]
  /** The names of columns that the import does not use. */
  ignoredColumns: string[]
}

/** The names of the columns that the template has. */
const columnNames = ['email', 'first_name', 'last_name', 'courses']
/** Column names in spreadsheets, Google Classroom, Google Workspace and Moodle. */
const alternativeNames: Record<string, readonly string[]> = {
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
/** The number of lines that are planned before other requests get their turn. */
const linesPerPart = 1_000
/** The number of unknown course IDs for which similar IDs are looked up. */
const maxSuggestions = 20

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
  const meaningsResult = findColumnMeanings(file, columns)
  if (!meaningsResult.ok) {
    return meaningsResult
  }

  const meanings = meaningsResult.value
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
    problems: problems.toSorted((first, second) => first.line - second.line),
    ignoredColumns: columns.filter((name) => !meanings.has(name)),
  })
}

/** What each column contains, by the column's name: 'email', 'first_name', 'courses' and so on. */
type ColumnMeanings = ReadonlyMap<string, string>

/**
 * Finds out what each column contains, from its name. Fails if a required column is missing, or
 * if two columns contain the same. Only courses may be in several columns, as in Moodle's
 * `course1`, `course2`.
 */
function findColumnMeanings(file: string, columns: readonly string[]): Result<ColumnMeanings> {
  const meanings = new Map<string, string>()
  for (const column of columns) {
    const meaning = findMeaning(column)
    if (!meaning) {
      continue
    }

    const previousColumn = [...meanings.keys()].find((name) => meanings.get(name) === meaning)
    if (previousColumn !== undefined && meaning !== 'courses') {
      return failure(
        `${file} has two columns for ${meaning}: ${previousColumn} and ${column}. Delete one.`,
      )
    }

    meanings.set(column, meaning)
  }

  const presentMeanings = new Set(meanings.values())
  const required = presentMeanings.has('name') ? ['email'] : ['email', 'first_name']
  const missing = required.filter((meaning) => !presentMeanings.has(meaning))
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
    const names = [meaning, ...(alternativeNames[meaning] ?? [])]
    return unknownColumns.filter((column) => didYouMean(column, names))
  })
  const presentColumns = columns.length > 0 ? ` Found: ${columns.join(', ')}.` : ''
  const hint =
    misspelled.length > 0 ? ` Did you mean them by ${misspelled.join(', ')}? Correct the name.` : ''

  return `${file} needs a first line with these columns: ${columnNames.join(', ')}. Missing: ${missing.join(', ')}.${presentColumns}${hint}`
}

function findMeaning(column: string): string | undefined {
  if (/^course_?\d+$/.test(column)) {
    return 'courses'
  }

  return [...columnNames, 'name'].find(
    (name) => name === column || alternativeNames[name]?.includes(column),
  )
}

export type Person = ReturnType<typeof readPerson>
type Courses = Awaited<ReturnType<typeof listCourseAvailability>>
type Problem = ImportPlan['problems'][number]

function readPerson({ line, fields }: CsvLine, meanings: ColumnMeanings) {
  const listValues = (meaning: string) => {
    const columns = [...meanings.keys()].filter((column) => meanings.get(column) === meaning)
    return columns.map((column) => fields[column] ?? '')
  }

  const [email = ''] = listValues('email')
  const [fullName = ''] = listValues('name')
  const [firstOfName, lastOfName] = splitName(fullName)
  const courseIds = listValues('courses').flatMap((ids) => ids.split(/[\s,;]+/).filter(Boolean))

  return {
    line,
    email: canonicalEmail(email) ?? email,
    firstName: listValues('first_name')[0] ?? firstOfName,
    lastName: listValues('last_name')[0] ?? lastOfName,
    courses: [...new Set(courseIds)],
  }
}

/** Splits 'Ada King Lovelace' or 'Lovelace, Ada King'. A single name is the first name. */
function splitName(name: string): [first: string, last: string] {
  const [last = '', first] = name.split(/,\s*/, 2)
  if (first) {
    return [first, last]
  }

  const parts = name.split(/\s+/)
  const lastPart = parts.at(-1)
  if (parts.length < 2 || lastPart === undefined) {
    return [name, '']
  }

  return [parts.slice(0, -1).join(' '), lastPart]
}

/** Tells whether the line is about a person. Some lines only describe columns, such as points. */
function describesPerson({ email, firstName, lastName, courses }: Person): boolean {
  return [email, firstName, lastName, ...courses].some((value) => value !== '')
}

/** Suggests similar IDs for the first unknown course IDs. Each suggestion is a sentence. */
async function findSimilarCourses(
  db: Database,
  people: readonly Person[],
  courses: Courses,
): Promise<Map<string, string>> {
  const courseIds = new Set(people.flatMap((person) => person.courses))
  const unknownIds = [...courseIds].filter((id) => !courses.has(id))

  const suggestions = new Map<string, string>()
  for (const id of unknownIds.slice(0, maxSuggestions)) {
    const similarIds = await listSimilarCourseIds(db, id)
    suggestions.set(id, didYouMean(id.toLowerCase(), similarIds))
  }

  return suggestions
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
  for (const { courses: courseIds, ...person } of people) {
    const account = accounts.get(person.email)
    const currentCourseIds = (account && enrollments.get(account.uid)?.courses) ?? []
    const newCourseIds = courseIds.filter((id) => !currentCourseIds.includes(id))
    const unpublishedIds = newCourseIds.filter((id) => !courses.get(id)?.published)

    const reasons: string[] = []
    if (account?.disabled) {
      reasons.push('The account is disabled.')
    }

    if (account && newCourseIds.length > 0 && protectedUids.has(account.uid)) {
      reasons.push(protectedAccountProblem)
    }

    reasons.push(...unpublishedIds.map((id) => `The course '${id}' isn’t published.`))
    if (currentCourseIds.length + newCourseIds.length > learnerLimits.enrollments) {
      reasons.push(`A learner can be enrolled in at most ${learnerLimits.enrollments} courses.`)
    }

    if (reasons.length === 0) {
      lines.push({ ...person, uid: account?.uid ?? null, newCourseIds })
    }

    problems.push(...reasons.map((reason) => ({ line: person.line, reason })))
  }

  return { lines, problems }
}

/** The number of lines that are committed together with their audit entries. */
export const linesPerTransaction = 250

export function changesSomething({ uid, newCourseIds }: PlannedLine): boolean {
  return uid === null || newCourseIds.length > 0
}

/** The times at which the invitations are sent. */
type InvitationPace = {
  now: Date
  /** The time between two invitations. */
  pauseMs: number
}

/** The name of an import in the audit log, at the desk and in the terminal. */
export const importActionName = 'learners import'

/** Imports lines of the plan, and writes an audit entry for each. */
export async function importLines(
  transaction: Transaction,
  auditedAction: AuditedAction,
  lines: readonly PlannedLine[],
  pace: InvitationPace,
): Promise<void> {
  const uids = await findOrInviteAccounts(transaction, lines, pace)

  const enrollments = lines.flatMap((line) =>
    line.newCourseIds.map((courseId) => ({ uid: getUid(uids, line), courseId })),
  )
  await enrollManyAndFollowUp(transaction, enrollments, pace.now)

  const entries = lines.map((line) => ({
    subject: getUid(uids, line),
    arguments: { line: line.line, courses: line.newCourseIds },
    outcome: `Imported: ${describeLine(line)}.`,
  }))
  await writeAuditEntries(transaction, auditedAction, entries)
}

function getUid(uids: ReadonlyMap<string, string>, { email }: PlannedLine): string {
  const uid = uids.get(email)
  if (uid === undefined) {
    throw new Error('An account was neither found nor created for a line of an import.')
  }

  return uid
}

/** Allows one import at a time, because two could deadlock on the same email addresses. */
export async function lockImports(transaction: Transaction): Promise<void> {
  await transaction.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('import of learners', 0))`,
  )
}

/**
 * Returns the uid of each email address, and invites the people who have no account. An account
 * that was created since the plan was made is used as it is.
 */
async function findOrInviteAccounts(
  transaction: Transaction,
  lines: readonly PlannedLine[],
  pace: InvitationPace,
): Promise<Map<string, string>> {
  const newPeople = lines
    .filter(({ uid }) => uid === null)
    .map(({ email, firstName, lastName }) => ({ email, firstName, lastName }))
  const uids = new Map(await inviteAccounts(transaction, newPeople, pace))

  const takenEmails = newPeople.map(({ email }) => email).filter((email) => !uids.has(email))
  const takenAccounts = await findAccountsByEmail(transaction, takenEmails)
  for (const [email, { uid }] of takenAccounts) {
    uids.set(email, uid)
  }

  for (const { email, uid } of lines) {
    if (uid !== null) {
      uids.set(email, uid)
    }
  }

  return uids
}

/** Describes what the import does for a line, for the plan and the audit log. */
export function describeLine({ uid, newCourseIds }: PlannedLine): string {
  const changes: string[] = []
  if (uid === null) {
    changes.push('new account')
  }

  if (newCourseIds.length > 0) {
    changes.push(`enroll in ${newCourseIds.join(', ')}`)
  }

  return changes.length === 0 ? 'nothing to do' : changes.join('; ')
}
