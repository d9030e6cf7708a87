/**
 * Plans the import of a table of people, without changing anything: what the import does for each
 * line, or the problem that keeps a line from being imported.
 */
import { setImmediate } from 'node:timers/promises'
import {
  findAccountProblems,
  findAccountsByEmail,
} from '~/features/accounts/account-invitations.server'
import { toCanonicalEmail } from '~/features/accounts/email-address/email-address.server'
import { splitFullName } from '~/features/accounts/full-name'
import {
  listCourseAvailability,
  listSimilarCourseIds,
} from '~/features/courses/course-lookup.server'
import { listEnrollmentsByLearner } from '~/features/enrollment/enrollment-queries.server'
import { learnerLimits } from '~/features/enrollment/learner-limits'
import {
  findProtectedAccounts,
  protectedAccountProblem,
  type StaffMember,
} from '~/features/staff/staff-queries.server'
import type { Database } from '~/server/database/client.server'
import { failure, type Result, success } from '~/server/result'
import { didYouMean } from '~/server/validation/schema-problems'
import type { ColumnMeaning, ImportColumn } from './column-meanings'
import { type CsvLine, type CsvTable, readCsv } from './read-csv.server'
import { listKnownNames, recognizeColumns } from './recognize-columns.server'

/** A line of the file, with the changes that the import will make. */
export type PlannedLine = {
  lineNumber: number
  email: string
  firstName: string
  lastName: string
  /** Null if the account has to be created. */
  uid: string | null
  /** The IDs of the courses that the learner is not enrolled in yet. */
  newCourseIds: string[]
}

export type ImportPlan = {
  /** The people in the file, one for each line, including faulty lines. */
  people: Person[]
  /** The lines without a problem. */
  lines: PlannedLine[]
  problems: { line: number; reason: string }[]
  /** The columns of the file. The import does not use those without a meaning. */
  columns: readonly ImportColumn[]
}

/** The names of the columns in the template that staff can download. */
const templateColumnNames = ['email', 'first_name', 'last_name', 'courses']
/** The largest length of the example that is shown for a column. */
const maxExampleLength = 60
/** The number of lines that are planned before other requests get their turn. */
const linesPerBatch = 1_000
/** The number of unknown course IDs for which similar IDs are looked up. */
const maxSuggestions = 20

/** A file that an operator or a member of staff wants to import. */
type ImportFile = {
  /** The name of the file, for messages. */
  name: string
  bytes: Buffer
}

/**
 * Plans an import without changing anything. Fails if the file is not a table of learners, or if
 * the names of its columns don't say which ones are needed.
 *
 * @param staff the importing member of staff, or null for an operator
 */
export async function planImport(
  db: Database,
  file: ImportFile,
  staff: StaffMember | null = null,
): Promise<Result<ImportPlan>> {
  const table = await readCsv(file.name, file.bytes)
  if (!table.ok) {
    return table
  }

  const columns = describeColumns(table.value)
  const problem = findColumnNamesProblem(file.name, columns)
  return problem === null
    ? success(await planTable(db, table.value, columns, staff))
    : failure(problem)
}

/** Returns the columns of a table, with what they contain as far as their names say it. */
export function describeColumns({ columns, lines }: CsvTable): ImportColumn[] {
  const meanings = recognizeColumns(columns)
  return columns.map((name, index) => {
    const exampleLine = lines.find(({ fields }) => fields.get(name))
    const example = (exampleLine?.fields.get(name) ?? '').slice(0, maxExampleLength)
    return { name, meaning: meanings[index] ?? null, example }
  })
}

/** Plans the changes of each line of a table, without changing anything. */
export async function planTable(
  db: Database,
  { lines }: CsvTable,
  columns: readonly ImportColumn[],
  staff: StaffMember | null,
): Promise<ImportPlan> {
  const people = lines.map((line) => readPerson(line, columns)).filter(hasPersonValues)
  const courses = await listCourseAvailability(
    db,
    people.flatMap((person) => person.courses),
  )
  const similarCourses = await findSimilarCourses(db, people, courses)

  const lineByEmail = new Map<string, number>()
  const plannedLines: PlannedLine[] = []
  const problems: Problem[] = []
  for (let start = 0; start < people.length; start += linesPerBatch) {
    const batch = people.slice(start, start + linesPerBatch)
    const batchProblems = batch.flatMap((person) =>
      findLineProblems(person, courses, similarCourses, lineByEmail),
    )
    const faultyLines = new Set(batchProblems.map(({ line }) => line))
    const correctPeople = batch.filter(({ lineNumber }) => !faultyLines.has(lineNumber))
    const plan = await planLines(db, correctPeople, courses, staff)

    plannedLines.push(...plan.lines)
    problems.push(...batchProblems, ...plan.problems)
    // Lets other requests run in between.
    await setImmediate()
  }

  return {
    people,
    lines: plannedLines,
    problems: problems.toSorted((first, second) => first.line - second.line),
    columns,
  }
}

/**
 * Returns a sentence about missing or repeated columns, or null if the table can be imported. Only
 * courses may be in several columns, as in Moodle's `course1`, `course2`.
 */
function findColumnNamesProblem(file: string, columns: readonly ImportColumn[]): string | null {
  const repeatedColumn = columns.find(
    ({ meaning }, index) =>
      meaning !== null &&
      meaning !== 'courses' &&
      columns.findIndex((column) => column.meaning === meaning) < index,
  )
  if (repeatedColumn) {
    const { name, meaning } = repeatedColumn
    const firstColumn = columns.find((column) => column.meaning === meaning)
    return `${file} has two columns for ${meaning}: ${firstColumn?.name} and ${name}. Delete one.`
  }

  const presentMeanings = columns.map(({ meaning }) => meaning)
  const required: ColumnMeaning[] = presentMeanings.includes('name')
    ? ['email']
    : ['email', 'first_name']
  const missing = required.filter((meaning) => !presentMeanings.includes(meaning))
  return missing.length > 0 ? describeMissingColumns(file, columns, missing) : null
}

function describeMissingColumns(
  file: string,
  columns: readonly ImportColumn[],
  missing: readonly ColumnMeaning[],
): string {
  const columnNamesInFile = columns.map(({ name }) => name)
  const unknownColumns = columns.filter(({ meaning }) => meaning === null)
  const misspelled = missing.flatMap((meaning) =>
    unknownColumns
      .map(({ name }) => name)
      .filter((name) => didYouMean(name, listKnownNames(meaning))),
  )
  const presentColumns = columns.length > 0 ? ` Found: ${columnNamesInFile.join(', ')}.` : ''
  const hint =
    misspelled.length > 0 ? ` Did you mean them by ${misspelled.join(', ')}? Correct the name.` : ''

  return `${file} needs a first line with these columns: ${templateColumnNames.join(', ')}. Missing: ${missing.join(', ')}.${presentColumns}${hint}`
}

type Person = ReturnType<typeof readPerson>
type Courses = Awaited<ReturnType<typeof listCourseAvailability>>
type Problem = ImportPlan['problems'][number]

function readPerson({ line, fields }: CsvLine, columns: readonly ImportColumn[]) {
  const listValues = (meaning: ColumnMeaning) =>
    columns.filter((column) => column.meaning === meaning).map(({ name }) => fields.get(name) ?? '')

  const [email = ''] = listValues('email')
  const [name = ''] = listValues('name')
  const fullName = splitFullName(name.replaceAll(/\s+/g, ' '))
  const courseIds = listValues('courses').flatMap((ids) => ids.split(/[\s,;]+/).filter(Boolean))

  return {
    lineNumber: line,
    email: toCanonicalEmail(email) ?? email,
    firstName: listValues('first_name')[0] ?? fullName.firstName,
    lastName: listValues('last_name')[0] ?? fullName.lastName,
    courses: [...new Set(courseIds)],
  }
}

/**
 * Tells whether the line has a value of a person. Some lines only describe other columns, such as
 * points.
 */
function hasPersonValues({ email, firstName, lastName, courses }: Person): boolean {
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
  const { lineNumber, email } = person
  const reasons = email === '' ? ['The email address is missing.'] : findAccountProblems(person)

  const previousLine = email === '' ? undefined : lineByEmail.get(email)
  if (previousLine !== undefined) {
    reasons.push(`${email} is already on line ${previousLine}.`)
  }

  lineByEmail.set(email, previousLine ?? lineNumber)

  for (const courseId of person.courses) {
    if (!courses.has(courseId)) {
      reasons.push(`No course has the ID '${courseId}'.${similarCourses.get(courseId) ?? ''}`)
    }
  }

  return reasons.map((reason) => ({ line: lineNumber, reason }))
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
    const currentCourseIds = (account && enrollments.get(account.uid)?.courseIds) ?? []
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

    problems.push(...reasons.map((reason) => ({ line: person.lineNumber, reason })))
  }

  return { lines, problems }
}

/** Tells whether the import creates an account or an enrollment for the line. */
export function changesSomething({ uid, newCourseIds }: PlannedLine): boolean {
  return uid === null || newCourseIds.length > 0
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
