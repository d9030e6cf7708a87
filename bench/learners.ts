/** Adds the learners of a benchmark to the database, and answers exams in their name. */
import { createHmac, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Client } from 'pg'

export const courseId = 'python-from-zero'
/** A lesson with a video of more than two minutes. */
export const videoLessonId = 'names-and-values'
export const benchPassword = 'Correct-horse-7'

export type Learner = { uid: string; cookie: string }
/** Returns the signature with which the product knows that a learner has opened a lesson. */
export type SignVisit = (uid: string, lessonId: string, openedAt: number) => string

type LearnerOptions = {
  count: number
  /** The product's DATA_DIR. Its secret signs sessions and visits of lessons. */
  folder: string
  publicUrl: string
}

/** Adds learners with a confirmed email, an enrollment in the course `courseId` and a session. */
export async function addSignedInLearners(
  database: Client,
  { count, folder, publicUrl }: LearnerOptions,
): Promise<{ learners: Learner[]; signVisit: SignVisit }> {
  await liftRateLimits(database)

  const { authSecret } = JSON.parse(await readFile(path.join(folder, 'secrets.json'), 'utf8'))
  const hmac = (text: string) => createHmac('sha256', authSecret).update(text)
  const { protocol, port } = new URL(publicUrl)
  const cookieName = `${protocol === 'https:' ? '__Host-' : ''}learnify-${port}.session_token`

  const learners: Learner[] = []
  for (let number = 0; number < count; number++) {
    const uid = `bench-${number}`
    const token = randomBytes(16).toString('hex')

    await database.query(
      `insert into users (id, name, first_name, email, email_verified)
       values ($1, 'Bench', 'Bench', $2, true)`,
      [uid, `${uid}@bench.example`],
    )
    await database.query('insert into enrollments (uid, course_id) values ($1, $2)', [
      uid,
      courseId,
    ])
    await database.query(
      `insert into sessions (id, token, user_id, expires_at)
       values ($1, $1, $2, now() + interval '1 day')`,
      [token, uid],
    )

    const signedToken = encodeURIComponent(`${token}.${hmac(token).digest('base64')}`)
    learners.push({ uid, cookie: `${cookieName}=${signedToken}` })
  }

  const signVisit: SignVisit = (uid, lessonId, openedAt) =>
    hmac(JSON.stringify(['visit', uid, courseId, lessonId, openedAt])).digest('base64url')

  return { learners, signVisit }
}

/** Lets the learners take the exam again and again, and pass it with one right answer. */
export async function allowExam(database: Client, learners: Learner[]): Promise<void> {
  const uids = learners.map(({ uid }) => uid)
  await database.query('update enrollments set completed_at = now() where uid = any($1)', [uids])
  await database.query(
    `update exams
     set pass_percent = 1, max_attempts = 100000, minutes_between_attempts = 0
     where course_id = $1`,
    [courseId],
  )
}

/** A question as the page of an exam shows it. */
export type Question = {
  attemptId: string
  number: number
  type: string
  questionCount: number
  optionCount: number
}
export type Answer = number | number[] | string

/**
 * Reads the question on a page of an exam.
 *
 * @returns null if the page has no question
 * @throws if the page does not say how many questions the exam has
 */
export function parseQuestion(page: string, number: number): Question | null {
  const readHiddenField = (name: string) =>
    new RegExp(`name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? ''
  if (!readHiddenField('question')) {
    return null
  }

  // React separates text and values by empty comments.
  const text = page.replaceAll('<!-- -->', '')
  const questionCount = Number(/Question \d+ of (\d+)/.exec(text)?.[1])
  if (!questionCount) {
    throw new Error('An exam page does not say how many questions it has.')
  }

  return {
    attemptId: readHiddenField('attempt'),
    number,
    type: readHiddenField('type'),
    questionCount,
    optionCount: [...page.matchAll(/<input[^>]* name="answer"/g)].length,
  }
}

/** Returns a random answer of the form that the type of the question needs. */
export function createRandomAnswer({
  type,
  optionCount,
}: Pick<Question, 'type' | 'optionCount'>): Answer {
  const optionIndex = Math.floor(Math.random() * optionCount)
  if (type === 'single') {
    return optionIndex
  }

  if (type === 'multiple') {
    return [optionIndex]
  }

  if (type === 'ordering') {
    return [...Array(optionCount).keys()].map((index) => (index + optionIndex) % optionCount)
  }

  return String(Math.floor(Math.random() * 20))
}

/**
 * Keeps every counter of a rate limit at one attempt, because the learners of a benchmark all come
 * from this machine's one IP address.
 */
async function liftRateLimits(database: Client): Promise<void> {
  await database.query(`
    create or replace function keep_one_attempt() returns trigger language plpgsql as $$
    begin
      new.count := 1;
      return new;
    end
    $$`)
  await database.query(`
    create or replace trigger keep_one_attempt
    before insert or update on rate_limits
    for each row execute function keep_one_attempt()`)
}
