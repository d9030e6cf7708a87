import {
  describeAccount,
  findAccounts,
  getAccount,
} from '~/features/accounts/account-administration.server'
import { listStoredEvents } from '~/features/accounts/security/security-log.server'
import { listLearnerCourses } from '~/features/profile/progress-report.server'
import { env } from '~/server/env.server'
import { commandText } from '~/server/operations/operator-command.server'
import {
  type AdminCommand,
  type Answer,
  type CommandCall,
  formatFacts,
  formatInstant,
  formatTable,
  limitOption,
  listed,
} from './command-definition.server'

export const learnerLookupCommands: AdminCommand[] = [
  {
    name: 'learner find',
    takes: ['TEXT'],
    options: { limit: limitOption(20, 1_000) },
    says: 'find accounts by part of an email address or name',
    effect: 'reads',
    run: ({ db, given: [text = ''], options }) =>
      listed({
        options,
        usual: 20,
        most: 1_000,
        find: async (limit) => (await findAccounts(db, text, limit)).map(accountOf),
        shown: accountRow,
        none: `No account has '${text}' in its email address or name.`,
        more: 'Give more of the text, or a higher --limit.',
      }),
  },
  {
    name: 'learner show',
    takes: ['LEARNER'],
    says: 'show account, sessions, ways to sign in, attempts, security log and courses',
    effect: 'reads',
    files: true,
    run: showLearner,
  },
  {
    name: 'learner log',
    takes: ['LEARNER'],
    options: { limit: limitOption(100, 10_000) },
    says: 'list what happened in an account: sign-ins, failures and changes',
    effect: 'reads',
    run: async ({ db, given: [name = ''], options }) => {
      const { id } = await getAccount(db, name)
      return listed({
        options,
        usual: 100,
        most: 10_000,
        find: (limit) => listStoredEvents(db, id, limit),
        shown: eventRow,
        none: `Nothing in the last ${env.SECURITY_LOG_DAYS} days.`,
        more: 'Give a higher --limit.',
      })
    },
  },
]

type Found = Awaited<ReturnType<typeof findAccounts>>[number]

const accountOf = ({
  id: uid,
  email,
  name,
  emailVerified,
  banned,
  createdAt,
  lastLoginAt,
}: Found) => ({
  uid,
  email,
  name,
  confirmed: emailVerified,
  disabled: banned,
  createdAt,
  lastLoginAt,
})

const accountRow = ({
  uid,
  email,
  name,
  confirmed,
  disabled,
  lastLoginAt,
}: ReturnType<typeof accountOf>) => ({
  UID: uid,
  EMAIL: email,
  NAME: name,
  STATE: disabled ? 'disabled' : confirmed ? 'confirmed' : 'not confirmed',
  'LAST SIGN-IN': formatInstant(lastLoginAt) ?? 'never',
})

async function showLearner({ db, attempts, given: [name = ''] }: CommandCall): Promise<Answer> {
  const user = await getAccount(db, name)
  const {
    id: uid,
    email,
    firstName,
    lastName,
    banned: disabled,
    provider,
    createdAt,
    lastLoginAt,
  } = user
  const { sessions, ways, mails, counted, events } = await describeAccount(
    db,
    await attempts(db),
    uid,
  )
  const courses = await listLearnerCourses(db, uid)
  const account = {
    uid,
    email,
    firstName,
    lastName,
    confirmedAt: user.emailVerifiedAt,
    disabled,
    provider,
    createdAt,
  }
  const facts = formatFacts({
    uid,
    email: `${email} (${user.emailVerified ? `confirmed ${formatInstant(user.emailVerifiedAt) ?? ''}`.trim() : 'not confirmed'})`,
    name: user.name,
    account: disabled ? 'disabled: no one can sign in' : 'enabled',
    created: `${formatInstant(createdAt)}, by ${provider}`,
    'last sign-in': formatInstant(lastLoginAt) ?? 'never',
    'time zone': user.displayTimezone,
  })
  const parts = {
    'Ways to sign in': formatTable(
      ways.map(wayRow),
      `None. A link to set a password helps: ${commandText('admin', `learner resend ${uid} reset`)}`,
    ),
    Sessions: formatTable(sessions.map(sessionRow), 'Signed in nowhere.'),
    'Counted attempts': formatTable(counted.map(countRow), 'None.'),
    'What happened': formatTable(events.map(eventRow), 'Nothing in the last 90 days.'),
    'Unsent email': formatTable(mails.map(mailRow), 'None.'),
    Courses: formatTable(courses.map(courseRow), 'Enrolled in none.'),
  }
  const text = [
    facts,
    ...Object.entries(parts).map(([title, part]) => `${title}\n${indented(part)}`),
  ].join('\n\n')

  return {
    data: { ...account, lastLoginAt, ways, sessions, counted, events, mails, courses },
    text,
  }
}

const indented = (text: string) => text.replace(/^/gm, '  ')

type Described = Awaited<ReturnType<typeof describeAccount>>
type CourseRow = Awaited<ReturnType<typeof listLearnerCourses>>[number]

const wayRow = ({ provider, since, proven }: Described['ways'][number]) => ({
  WAY: provider === 'credential' ? 'password' : provider,
  SINCE: formatInstant(since),
  STATE: proven ? 'added by the owner of the address' : 'added before the address was proven',
})

const sessionRow = ({ since, lastUsedAt, expiresAt, browser }: Described['sessions'][number]) => ({
  SINCE: formatInstant(since),
  'LAST USED': formatInstant(lastUsedAt),
  ENDS: formatInstant(expiresAt),
  BROWSER: browser,
})

const countRow = ({ what, count, max, refused, endsAt }: Described['counted'][number]) => ({
  WHAT: what,
  COUNT: `${count} of ${max}`,
  UNTIL: formatInstant(endsAt),
  STATE: refused ? 'more are refused' : '',
})

const eventRow = ({ at, kind, way, device }: Described['events'][number]) => ({
  AT: formatInstant(at),
  WHAT: kind,
  WAY: way,
  DEVICE: device,
})

const mailRow = ({ kind, dueAt, failedAt, reason }: Described['mails'][number]) => ({
  EMAIL: kind,
  STATE: failedAt ? `failed ${formatInstant(failedAt)}` : `next attempt ${formatInstant(dueAt)}`,
  REASON: reason,
})

const courseRow = ({
  courseId,
  percent,
  doneLessons,
  totalLessons,
  exam,
  certificate,
  ...times
}: CourseRow) => ({
  COURSE: courseId,
  PROGRESS: `${percent}%`,
  LESSONS: `${doneLessons} of ${totalLessons}`,
  EXAM: exam.passed
    ? `passed, ${exam.best}%`
    : exam.best === null
      ? ''
      : `not passed, best ${exam.best}%`,
  CERTIFICATE: certificate ? `${certificate.id}${certificate.revoked ? ' (revoked)' : ''}` : '',
  ENROLLED: formatInstant(times.enrolledAt),
  // Enrolling sets both.
  'LAST OPENED':
    +times.lastAccessedAt === +times.enrolledAt ? 'never' : formatInstant(times.lastAccessedAt),
})
