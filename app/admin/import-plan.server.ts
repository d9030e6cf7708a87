import { canonicalEmail } from '~/features/accounts/email-address/email-address.server'
import { accountProblems, findAccountsByEmail } from '~/features/accounts/operator/account-import.server'
import { listEnrollable, listEnrollmentsOf } from '~/features/enrollment/enrollment-queries.server'
import { learnerLimits } from '~/features/progress/learner-limits'
import type { Database } from '~/server/database/client.server'
import { StartError } from '~/server/env.server'
import { type CsvLine, readCsv } from './csv-files.server'

/** A line of the file, and what follows from it. */
export type PlannedLine = {
  line: number
  email: string
  firstName: string
  lastName: string
  /** Null: an account is to be made. */
  uid: string | null
  /** Courses that the learner is not enrolled in yet. */
  enroll: string[]
}

export type ImportPlan = {
  lines: PlannedLine[]
  problems: { line: number; reason: string }[]
  /** Columns of the file that mean nothing here. */
  ignored: string[]
}

const needed = ['email', 'first_name']
const known = [...needed, 'last_name', 'courses']
const linesAtOnce = 1_000

/** What an import would do; changes nothing. @throws {StartError} for a file that is no such table. */
export async function planImport(db: Database, file: string): Promise<ImportPlan> {
  const { columns, lines } = await readCsv(file)
  const missing = needed.filter((name) => !columns.includes(name))
  if (missing.length > 0) {
    const found = columns.length > 0 ? ` Found: ${columns.join(', ')}.` : ''
    throw new StartError(
      `${file} needs a first line with these columns: ${known.join(', ')}. Missing: ${missing.join(', ')}.${found}`,
    )
  }
  const people = lines.map(personOf)
  const courses = await listEnrollable(
    db,
    people.flatMap((person) => person.courses),
  )
  const problems = listProblems(people, courses)
  const bad = new Set(problems.map(({ line }) => line))
  const planned: PlannedLine[] = []
  for (let start = 0; start < people.length; start += linesAtOnce) {
    const part = people.slice(start, start + linesAtOnce).filter(({ line }) => !bad.has(line))
    planned.push(...(await planPart(db, part, courses, problems)))
  }
  const ignored = columns.filter((name) => !known.includes(name))
  return { lines: planned, problems: problems.toSorted((one, other) => one.line - other.line), ignored }
}

type Person = ReturnType<typeof personOf>
type Courses = Awaited<ReturnType<typeof listEnrollable>>
type Problem = ImportPlan['problems'][number]

function personOf({ line, fields }: CsvLine) {
  const { email = '', first_name: firstName = '', last_name: lastName = '', courses = '' } = fields
  const wanted = [...new Set(courses.split(/[\s,;]+/).filter(Boolean))]
  return { line, email: canonicalEmail(email) ?? email, firstName, lastName, courses: wanted }
}

/** What is wrong with the lines themselves, before accounts are looked up. */
function listProblems(people: readonly Person[], courses: Courses): Problem[] {
  const seen = new Map<string, number>()
  return people.flatMap((person) => {
    const { line, email } = person
    const before = seen.get(email)
    seen.set(email, before ?? line)
    const unknown = person.courses.filter((course) => !courses.has(course))
    const reasons = [
      ...accountProblems(person),
      ...(before === undefined ? [] : [`${email} is already on line ${before}.`]),
      ...unknown.map((course) => `No course has the ID '${course}'.`),
    ]
    return reasons.map((reason) => ({ line, reason }))
  })
}

async function planPart(
  db: Database,
  people: readonly Person[],
  courses: Courses,
  problems: Problem[],
): Promise<PlannedLine[]> {
  const accounts = await findAccountsByEmail(
    db,
    people.map(({ email }) => email),
  )
  const enrollments = await listEnrollmentsOf(
    db,
    [...accounts.values()].map(({ uid }) => uid),
  )
  return people.map(({ courses: wanted, ...person }) => {
    const account = accounts.get(person.email)
    const had = (account && enrollments.get(account.uid)?.courses) ?? []
    const enroll = wanted.filter((course) => !had.includes(course))
    const hidden = enroll.filter((course) => !courses.get(course)?.published)
    const reasons = [
      ...(account?.disabled ? ['The account is disabled.'] : []),
      ...hidden.map((course) => `The course '${course}' isn’t published.`),
      ...(had.length + enroll.length > learnerLimits.enrollments
        ? [`A learner can be enrolled in at most ${learnerLimits.enrollments} courses.`]
        : []),
    ]
    problems.push(...reasons.map((reason) => ({ line: person.line, reason })))
    return { ...person, uid: account?.uid ?? null, enroll }
  })
}
