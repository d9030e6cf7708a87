/**
 * `node bench/soak.ts [MINUTES]`: 300 learners do everything that learners do, at their own pace,
 * for half an hour. Each minute prints a row. Ends with status 1 if an answer was an error (a 503
 * counts), if memory at the end is more than 1.2 times that of the first third, if p99 of the last
 * third is more than 1.5 times that of the first, or if what was acknowledged isn't stored exactly
 * once.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { connectDatabase, startProduct } from '../tests/support/product.ts'
import { exitWithProblems, percentile, residentMemory } from './figures.ts'
import {
  addSignedInLearners,
  allowExam,
  benchPassword,
  courseId,
  type Learner,
  type SignVisit,
  videoLessonId,
} from './learners.ts'
import type { Kind } from './ledger.ts'
import { type ResponseTimes, Workload } from './workload.ts'

const minutes = Number(process.argv[2] ?? 30)
const learnerCount = 300
/** Of them, those that only watch or take exams; the others do all the rest. */
const [watchers, takers] = [120, 30]
const thinkMs = 8_000
const maxMemoryGrowth = 1.2
const maxSlowdown = 1.5
const publicKinds = ['page', 'suggestions', 'certificate']
const words = 'python design loops layout light budget search type algoritms camera team'.split(' ')
const profilePages = [
  '/Profile',
  '/Profile/current-courses',
  '/Profile/exam-scores',
  '/Profile/achievements',
]
const pickOne = <Item>(list: readonly Item[]) => list[randomInt(list.length)] as Item

type MinuteFigures = { times: ResponseTimes; residentMb: number }
type LearnerActivity = { weight: number; run: (learner: Learner) => Promise<unknown> }
type Catalog = Awaited<ReturnType<typeof readCatalog>>

const product = await startProduct({ onLine: console.log })
const database = await connectDatabase({ folder: product.folder })
const workload = new Workload(product.url)
const { ledger } = workload
const rows: MinuteFigures[] = []
const problems: string[] = []
try {
  const place = { count: learnerCount, folder: product.folder, publicUrl: product.url }
  const { learners, signVisit } = await addSignedInLearners(database, place)
  const [watching, rest] = [learners.slice(0, watchers), learners.slice(watchers)]
  const [taking, others] = [rest.slice(0, takers), rest.slice(takers)]
  for (const { uid } of learners) {
    ledger.recordSent('enrollment', `${uid} ${courseId}`).acknowledge()
  }

  // Whoever has finished the course may also review it.
  await allowExam(database, [...taking, ...others])
  const acts = listActivities(await readCatalog(), signVisit)

  workload.start({ watching, taking, readers: 20, newcomers: 2, signVisit, everyMs: thinkMs })
  const until = performance.now() + minutes * 60_000
  const work = Promise.all(others.map((learner) => simulateLearner(learner, acts, until)))
  console.log(
    '| minute | requests | errors | public p50 / p99 (ms) | learners p50 / p99 (ms) | memory (MB) |\n|---|---|---|---|---|---|',
  )
  for (let minute = 1; minute <= minutes; minute++) {
    await pause(60_000)
    recordMinute(minute)
  }

  await Promise.all([work, workload.stop()])
  checkGoals()
  problems.push(...(await ledger.listProblems(database)))
  console.log(`${ledger.count()} acknowledged facts looked for`)
} finally {
  await database.end()
  await product.stop()
}

exitWithProblems(problems)

async function simulateLearner(
  learner: Learner,
  acts: LearnerActivity[],
  until: number,
): Promise<void> {
  const choices = acts.flatMap(({ weight, run }) => Array<typeof run>(weight).fill(run))
  await pause(randomInt(thinkMs))
  while (performance.now() < until) {
    await pickOne(choices)(learner).catch((error) => problems.push(String(error)))
    await pause(thinkMs * (0.5 + Math.random()))
  }
}

function recordMinute(minute: number): void {
  const { times } = workload.readAndResetFigures()
  const errors = workload.failures.splice(0)
  const row = { times, residentMb: residentMemory(product.pid).now }
  rows.push(row)
  problems.push(...errors)
  const figures = [true, false].map((isPublic) => {
    const all = listTimes([row], isPublic)
    return `${percentile(all, 0.5).toFixed(1)} / ${percentile(all, 0.99).toFixed(0)}`
  })
  const requests = Object.values(times).flat().length
  console.log(
    `| ${[minute, requests, errors.length, ...figures, row.residentMb.toFixed(0)].join(' | ')} |`,
  )
}

function listTimes(some: MinuteFigures[], isPublic: boolean): number[] {
  const kinds = some.flatMap(({ times }) => Object.entries(times))
  return kinds.flatMap(([kind, times]) => (publicKinds.includes(kind) === isPublic ? times : []))
}

/** The first minute, in which learners arrive, is in no third. */
function checkGoals(): void {
  const third = Math.max(1, Math.floor((minutes - 1) / 3))
  const [first, last] = [rows.slice(1, 1 + third), rows.slice(-third)]
  const compare = (what: string, before: number, after: number, most: number) => {
    console.log(
      `${what}: ${before.toFixed(0)} → ${after.toFixed(0)}, ${(after / before).toFixed(2)} times (at most ${most})`,
    )
    if (after > before * most) {
      problems.push(`${what} grew`)
    }
  }

  compare(
    'memory (MB)',
    first.at(-1)?.residentMb ?? 0,
    rows.at(-1)?.residentMb ?? 0,
    maxMemoryGrowth,
  )

  for (const isPublic of [true, false]) {
    const [before, after] = [first, last].map((some) => percentile(listTimes(some, isPublic), 0.99))
    compare(
      `p99 of ${isPublic ? 'public pages' : 'learners'} (ms)`,
      before ?? 0,
      after ?? 0,
      maxSlowdown,
    )
  }
}

async function readCatalog() {
  const courses = await database.query<{ id: string }>(
    'select id from courses where published and in_catalogue',
  )
  const lessons = await database.query<{ id: string; kind: string }>(
    `select id, kind from course_lessons where course_id = $1 and not retired and kind <> 'announced'`,
    [courseId],
  )
  const reviews = await database.query<{ id: string }>(
    'select id from course_reviews where course_id = $1',
    [courseId],
  )

  return {
    courses: courses.rows.map(({ id }) => id),
    lessons: lessons.rows,
    reviews: reviews.rows.map(({ id }) => id),
  }
}

type Change = {
  key: string
  value?: string | null
  address: string
  form: Record<string, string> | FormData
}

function listActivities(
  { courses, lessons, reviews }: Catalog,
  signVisit: SignVisit,
): LearnerActivity[] {
  const read = (kind: string, address: string, cookie?: string) =>
    workload.request(kind, address, { cookie })
  const visit = (weight: number, kind: string, addressOf: () => string): LearnerActivity => ({
    weight,
    run: ({ cookie }) => read(kind, addressOf(), cookie),
  })
  /** A form as the browser sends it; what it changes is acknowledged by a status below 300. */
  const change = (
    weight: number,
    kind: Kind,
    formOf: (uid: string) => Change | Promise<Change>,
  ): LearnerActivity => ({
    weight,
    async run({ uid, cookie }) {
      const { key, value = '', address, form } = await formOf(uid)
      const fact = ledger.recordSent(kind, `${uid}${key}`, value)
      const { status } = await workload.request(kind, `${address}.data`, { cookie, form })
      if (status > 0 && status < 300) {
        fact.acknowledge()
      }
    },
  })

  const publicPages = [
    '/',
    '/Instructor',
    `/OneCourse/${courseId}?tab=reviews`,
    ...courses.map((id) => `/OneCourse/${id}`),
  ]

  return [
    visit(20, 'page', () => pickOne(publicPages)),
    visit(10, 'page', () => `/AllCourses?q=${pickOne(words)}`),
    visit(10, 'suggestions', () => `/Suggestions?q=${pickOne(words).slice(0, randomInt(1, 6))}`),
    visit(8, 'signed-in page', () => pickOne(profilePages)),
    visit(10, 'lesson page', () => `/Learn/${courseId}/${pickOne(lessons).id}`),
    visit(8, 'viewer', () => `/viewer?course=${courseId}`),
    visit(1, 'archive', () => '/OwnData'),
    change(15, 'finished lesson', (uid) => {
      const { id } = pickOne(lessons)
      const form = { intent: 'mark', uid, mark: 'done', goOnTo: '' }
      return { key: ` ${id}`, address: `/Learn/${courseId}/${id}`, form }
    }),
    change(6, 'note', (uid) => {
      const [id, body] = [randomUUID(), `A name is a **label** (${randomInt(1e6)}).`]
      const form = { intent: 'note', uid, id, positionMs: '1000', body }
      return { key: ` ${id}`, value: body, address: `/Learn/${courseId}/${videoLessonId}`, form }
    }),
    change(3, 'enrollment', () => {
      const course = pickOne(courses)
      return { key: ` ${course}`, address: '/Enrollments', form: { courseIds: course } }
    }),
    change(4, 'wish', () => {
      const [course, wished] = [pickOne(courses), pickOne(['yes', 'yes', 'no'])]
      const value = wished === 'yes' ? '' : null
      return { key: ` ${course}`, value, address: '/Wishes', form: { courseId: course, wished } }
    }),
    change(3, 'review', () => {
      const [rating, comment] = [String(randomInt(1, 6)), `Clear and calm ${randomInt(1e6)}`]
      const form = { intent: 'save', course: courseId, rating, comment, showsName: 'on' }
      return { key: ` ${courseId}`, value: `${rating} ${comment}`, address: '/Reviews', form }
    }),
    change(3, 'vote', () => {
      const [review, intent] = [pickOne(reviews), pickOne(['vote', 'vote', 'unvote'])]
      const value = intent === 'vote' ? '' : null

      return {
        key: ` ${courseId} ${review}`,
        value,
        address: '/Reviews',
        form: { intent, course: courseId, review },
      }
    }),
    change(3, 'location', async () => {
      const [location, form] = [`Town ${randomInt(1e6)}`, new FormData()]
      const fields = { firstName: 'Bench', lastName: 'Learner', phone: '', location }
      for (const [field, value] of Object.entries(fields)) {
        form.set(field, value)
      }

      if (randomInt(3) === 0) {
        form.set('photo', await createPhoto())
      }

      return { key: '', value: location, address: '/Profile/settings', form }
    }),
    {
      weight: 8,
      run: (learner) =>
        answerQuiz(learner, pickOne(lessons.filter(({ kind }) => kind === 'quiz')).id, signVisit),
    },
    { weight: 3, run: shareCertificate },
    { weight: 2, run: signIn },
  ]
}

async function createPhoto(): Promise<File> {
  const picture = sharp({
    create: { width: 900, height: 1200, channels: 3, background: '#5140e0' },
  })
  return new File([new Uint8Array(await picture.png().toBuffer())], 'photo.png')
}

async function answerQuiz(
  { uid, cookie }: Learner,
  id: string,
  signVisit: SignVisit,
): Promise<void> {
  const { text } = await workload.request('lesson page', `/Learn/${courseId}/${id}`, { cookie })
  const openedAt = Date.now()
  for (const question of new Set(text.match(/\b[0-9a-f]{12}\b/g))) {
    await pause(1_000)
    const fact = ledger.recordSent('quiz answer', `${uid} ${id} ${question}`)
    const signature = signVisit(uid, id, openedAt)
    const json = { uid, openedAt, signature, answered: [question], missed: [question], studied: [] }
    const { status } = await workload.request('report', `/Learn/${courseId}/${id}/progress`, {
      json,
      cookie,
    })
    if (status === 200) {
      fact.acknowledge()
    }
  }
}

async function shareCertificate(): Promise<void> {
  const { rows: some } = await database.query(
    "select id from certificates where uid like 'bench-%' limit 20",
  )
  if (some.length === 0) {
    return
  }

  const page = `/Certificate/${pickOne(some).id}`
  for (const file of ['', '/certificate.pdf', '/picture.png', '/credential.json']) {
    await workload.request('certificate', page + file)
  }
}

/** As one of those who signed up meanwhile; the others have no password. */
async function signIn(): Promise<void> {
  const { rows: some } = await database.query(
    "select email from users where email like 'new-%' limit 20",
  )
  if (some.length > 0) {
    await workload.request('sign-in', '/account/login', {
      json: { email: pickOne(some).email, password: benchPassword },
    })
  }
}
