/**
 * The activities of a learner: to read pages, to change something, to answer a quiz, to sign in.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import sharp from 'sharp'
import { benchPassword, courseId, type Learner, type SignVisit, videoLessonId } from './learners.ts'
import type { FactKind } from './ledger-queries.ts'
import type { Workload } from './workload.ts'

type ActivityContext = { workload: Workload; database: Client; signVisit: SignVisit }

type LearnerActivity = {
  /** How often learners do this, relative to the other activities. */
  weight: number
  run: (learner: Learner) => Promise<unknown>
}

/** Returns everything that a learner does. */
export async function createActivities(context: ActivityContext): Promise<LearnerActivity[]> {
  const catalog = await readCatalog(context.database)
  const quizIds = catalog.lessons.filter(({ kind }) => kind === 'quiz').map(({ id }) => id)

  return [
    ...createVisits(context, catalog),
    ...createChanges(context, catalog),
    { weight: 8, run: (learner) => answerQuiz(context, learner, pickOne(quizIds)) },
    { weight: 3, run: () => openCertificate(context) },
    { weight: 2, run: () => signIn(context) },
  ]
}

type Catalog = Awaited<ReturnType<typeof readCatalog>>

async function readCatalog(database: Client) {
  const courses = await database.query<{ id: string }>(
    'select id from courses where published and in_catalogue',
  )
  const lessons = await database.query<{ id: string; kind: string }>(
    `select id, kind
     from course_lessons
     where course_id = $1 and not retired and kind <> 'announced'`,
    [courseId],
  )
  const reviews = await database.query<{ id: string }>(
    'select id from course_reviews where course_id = $1',
    [courseId],
  )

  return {
    courseIds: courses.rows.map(({ id }) => id),
    lessons: lessons.rows,
    reviewIds: reviews.rows.map(({ id }) => id),
  }
}

const searchTexts = [
  ...['python', 'design', 'loops', 'layout', 'light', 'budget'],
  ...['search', 'type', 'algoritms', 'camera', 'team'],
]

const profilePaths = [
  '/Profile',
  '/Profile/current-courses',
  '/Profile/exam-scores',
  '/Profile/achievements',
]

/** Returns the activities that only read pages. */
function createVisits(
  { workload }: ActivityContext,
  { courseIds, lessons }: Catalog,
): LearnerActivity[] {
  const visit = (weight: number, kind: string, createPath: () => string): LearnerActivity => ({
    weight,
    run: ({ cookie }) => workload.request(kind, createPath(), { cookie }),
  })

  const publicPaths = [
    '/',
    '/Instructor',
    `/OneCourse/${courseId}?tab=reviews`,
    ...courseIds.map((id) => `/OneCourse/${id}`),
  ]

  return [
    visit(20, 'page', () => pickOne(publicPaths)),
    visit(10, 'page', () => `/AllCourses?q=${pickOne(searchTexts)}`),
    visit(10, 'suggestions', () => {
      const typedText = pickOne(searchTexts).slice(0, randomInt(1, 6))
      return `/Suggestions?q=${typedText}`
    }),
    visit(8, 'signed-in page', () => pickOne(profilePaths)),
    visit(10, 'lesson page', () => `/Learn/${courseId}/${pickOne(lessons).id}`),
    visit(8, 'viewer', () => `/viewer?course=${courseId}`),
    visit(1, 'archive', () => '/OwnData'),
  ]
}

/** A form that changes one fact of the learner. */
type Change = {
  /** The key of the fact in the ledger, without the learner. */
  key: string
  /** The new value of the fact, or null if the fact is removed. */
  value?: string | null
  path: string
  form: Record<string, string> | FormData
}

/** Returns the activities that submit a form. */
function createChanges(
  { workload }: ActivityContext,
  { courseIds, lessons, reviewIds }: Catalog,
): LearnerActivity[] {
  const change = (
    weight: number,
    kind: FactKind,
    createChange: (uid: string) => Change | Promise<Change>,
  ): LearnerActivity => ({
    weight,
    async run({ uid, cookie }) {
      const { key, value = '', path, form } = await createChange(uid)
      const fact = workload.ledger.recordSent(kind, `${uid}${key}`, value)
      // Browsers submit forms to this path. A status below 300 says that the change is stored.
      const { status } = await workload.request(kind, `${path}.data`, { cookie, form })
      if (status > 0 && status < 300) {
        fact.acknowledge()
      }
    },
  })

  return [
    change(15, 'finished lesson', (uid) => {
      const { id } = pickOne(lessons)
      return {
        key: ` ${id}`,
        path: `/Learn/${courseId}/${id}`,
        form: { intent: 'mark', uid, mark: 'done', goOnTo: '' },
      }
    }),
    change(6, 'note', (uid) => {
      const id = randomUUID()
      const body = `A name is a **label** (${randomInt(1e6)}).`
      return {
        key: ` ${id}`,
        value: body,
        path: `/Learn/${courseId}/${videoLessonId}`,
        form: { intent: 'note', uid, id, positionMs: '1000', body },
      }
    }),
    change(3, 'enrollment', () => {
      const newCourseId = pickOne(courseIds)
      return { key: ` ${newCourseId}`, path: '/Enrollments', form: { courseIds: newCourseId } }
    }),
    change(4, 'wish', () => {
      const wishedCourseId = pickOne(courseIds)
      const wished = pickOne(['yes', 'yes', 'no'])
      return {
        key: ` ${wishedCourseId}`,
        value: wished === 'yes' ? '' : null,
        path: '/Wishes',
        form: { courseId: wishedCourseId, wished },
      }
    }),
    change(3, 'review', () => {
      const rating = String(randomInt(1, 6))
      const comment = `Clear and calm ${randomInt(1e6)}`
      return {
        key: ` ${courseId}`,
        value: `${rating} ${comment}`,
        path: '/Reviews',
        form: { intent: 'save', course: courseId, rating, comment, showsName: 'on' },
      }
    }),
    change(3, 'vote', () => {
      const review = pickOne(reviewIds)
      const intent = pickOne(['vote', 'vote', 'unvote'])
      return {
        key: ` ${courseId} ${review}`,
        value: intent === 'vote' ? '' : null,
        path: '/Reviews',
        form: { intent, course: courseId, review },
      }
    }),
    change(3, 'location', async () => {
      const location = `Town ${randomInt(1e6)}`
      return {
        key: '',
        value: location,
        path: '/Profile/settings',
        form: await createProfileForm(location),
      }
    }),
  ]
}

/** Every third form also has a new photo. */
async function createProfileForm(location: string): Promise<FormData> {
  const form = new FormData()
  form.set('firstName', 'Bench')
  form.set('lastName', 'Learner')
  form.set('phone', '')
  form.set('location', location)
  if (randomInt(3) === 0) {
    form.set('photo', await createPhoto())
  }

  return form
}

async function createPhoto(): Promise<File> {
  const picture = sharp({
    create: { width: 900, height: 1200, channels: 3, background: '#5140e0' },
  })
  return new File([new Uint8Array(await picture.png().toBuffer())], 'photo.png')
}

/** Opens a quiz, and reports that each of its questions was answered. */
async function answerQuiz(
  { workload, signVisit }: ActivityContext,
  { uid, cookie }: Learner,
  quizId: string,
): Promise<void> {
  const quizPath = `/Learn/${courseId}/${quizId}`
  const { text } = await workload.request('lesson page', quizPath, { cookie })
  const openedAt = Date.now()
  const signature = signVisit(uid, quizId, openedAt)
  // The id of a question has twelve hexadecimal digits.
  const questionIds = new Set(text.match(/\b[0-9a-f]{12}\b/g))

  for (const questionId of questionIds) {
    await pause(1_000)
    const fact = workload.ledger.recordSent('quiz answer', `${uid} ${quizId} ${questionId}`)
    const { status } = await workload.request('report', `${quizPath}/progress`, {
      json: {
        uid,
        openedAt,
        signature,
        answered: [questionId],
        missed: [questionId],
        studied: [],
      },
      cookie,
    })
    if (status === 200) {
      fact.acknowledge()
    }
  }
}

/** Opens a certificate and its files as a visitor. */
async function openCertificate({ workload, database }: ActivityContext): Promise<void> {
  const { rows: certificates } = await database.query<{ id: string }>(
    "select id from certificates where uid like 'bench-%' limit 20",
  )
  if (certificates.length === 0) {
    return
  }

  const certificatePath = `/Certificate/${pickOne(certificates).id}`
  for (const file of ['', '/certificate.pdf', '/picture.png', '/credential.json']) {
    await workload.request('certificate', certificatePath + file)
  }
}

/** Signs in as one of the newcomers, because the other learners have no password. */
async function signIn({ workload, database }: ActivityContext): Promise<void> {
  const { rows: newcomers } = await database.query<{ email: string }>(
    "select email from users where email like 'new-%' limit 20",
  )
  if (newcomers.length === 0) {
    return
  }

  await workload.request('sign-in', '/account/login', {
    json: { email: pickOne(newcomers).email, password: benchPassword },
  })
}

export function pickOne<Item>(items: readonly Item[]): Item {
  return items[randomInt(items.length)] as Item
}
