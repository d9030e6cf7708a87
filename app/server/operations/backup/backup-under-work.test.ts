import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { expect, it, vi } from 'vitest'
import { AttemptCounter } from '~/features/accounts/attempt-counter.server'
import { saveSettings } from '~/features/accounts/settings/settings-saving.server'
import { learningContext } from '~/features/certificates/rewards.server'
import { recordAnswer } from '~/features/exams/attempt/answer-queries.server'
import { startAttempt } from '~/features/exams/attempt/attempt-queries.server'
import { emptyProgress } from '~/features/learning/progress/lesson-progress'
import { recordLessonProgress } from '~/features/learning/progress/record-progress.server'
import {
  createTestDecrypter,
  createTestEncrypter,
  openLocalFileStore,
  RestoreTargets,
} from '../../../../tests/support/restore-targets'
import { TestAccounts } from '../../../../tests/support/test-accounts'
import { connect } from '../../database/client.server'
import * as tables from '../../database/schema'
import { parseFileUrl } from '../../files/files.server'
import { makeBackup } from './backup.server'
import { restoreArchive } from './restore.server'

const accounts = new TestAccounts()
const targets = new RestoreTargets()
const courseId = 'python-from-zero'
const lessonId = 'names-and-values'
const ada = { uid: 'ada', courseId }

/** Acknowledged changes with their times; `begun` is the last requested one. */
class Acknowledged<Value> {
  begun: Value[] = []
  #done: { value: Value; at: number }[] = []

  async take(value: Value, work: () => Promise<unknown>) {
    this.begun.push(value)
    await work()
    this.#done.push({ value, at: Date.now() })
  }

  before(moment: number): Value[] {
    return this.#done.filter(({ at }) => at < moment).map(({ value }) => value)
  }
}

vi.setConfig({ testTimeout: 120_000 })

it('a backup under load contains everything that was acknowledged before it, and nothing incomplete', async () => {
  const { db } = accounts
  const dataDir = path.join(await targets.folder(), 'data')
  const files = openLocalFileStore(dataDir)
  await mkdir(dataDir)
  await db.insert(tables.users).values({
    id: 'ada',
    email: 'ada@test.example',
    name: 'Ada',
    firstName: 'Ada',
    emailVerified: true,
  })

  await db.insert(tables.enrollments).values(ada)
  const started = await startAttempt(learningContext(db), ada, new Date(), () => 0)
  if (started.refusal) {
    throw new Error(started.refusal)
  }

  const [attempt] = await db.select().from(tables.examAttempts)
  const question = 1 + (attempt?.paper.findIndex((drawn) => drawn.question.type === 'single') ?? 0)
  const positions = new Acknowledged<number>()
  const revisions = new Acknowledged<number>()
  const people = new Acknowledged<string>()
  const photos = new Acknowledged<number>()
  const begin = Date.now()
  let hour = 0
  const attempts = new AttemptCounter(db, 'a secret of the test', () => begin + ++hour * 3_600_000)
  const activities: ((iteration: number) => Promise<void>)[] = [
    (iteration) =>
      positions.take(iteration, async () => {
        const progress = { ...emptyProgress, position: { ms: iteration, at: begin + iteration } }
        const result = await recordLessonProgress(learningContext(db), {
          learnerLesson: { ...ada, lessonId },
          report: { progress, studyIntervals: [], receivedAt: new Date() },
          sessionToken: null,
        })

        expect(result.refusal).toBeNull()
      }),
    (iteration) =>
      revisions.take(iteration, async () => {
        const answer = {
          uid: 'ada',
          attemptId: started.attemptId,
          question,
          value: iteration % 2,
          revision: iteration,
        }

        expect(await recordAnswer(db, answer, new Date())).toMatchObject({ outcome: 'saved' })
      }),
    async () => {
      const person = accounts.createPerson()
      await people.take(person.email, async () =>
        expect((await accounts.createClient().send('POST', '/register', person)).status).toBe(200),
      )
    },
    (iteration) =>
      photos.take(iteration, async () => {
        const background = { r: iteration % 256, g: 0, b: 0 }
        const photo = await sharp({ create: { width: 64, height: 64, channels: 3, background } })
          .png()
          .toBuffer()
        const body = new FormData()
        const fields = {
          firstName: `Ada ${iteration}`,
          lastName: 'L',
          phone: '',
          location: '',
          timezone: '',
        }

        for (const [name, value] of Object.entries(fields)) {
          body.set(name, value)
        }

        body.set('photo', new File([new Uint8Array(photo)], 'photo.png', { type: 'image/png' }))
        const request = new Request('http://localhost/Profile/settings', { method: 'POST', body })
        expect(await saveSettings({ db, files, attempts }, 'ada', request)).toMatchObject({
          data: { done: true },
        })
      }),
  ]
  // Every backup has something to contain, however slowly the activities begin.
  await Promise.all(activities.map((runIteration) => runIteration(1)))

  let isWorking = true
  const activity = Promise.all(
    activities.map(async (runIteration) => {
      for (let iteration = 2; isWorking; iteration++) {
        await runIteration(iteration)
      }
    }),
  )
  const source = { databaseUrl: accounts.databaseUrl, files, dataDir, version: '0.1.0' }
  const backups = []
  for (let count = 0; count < 2; count++) {
    backups.push(
      await makeBackup(
        source,
        path.join(await targets.folder(), `backups-${count}`),
        createTestEncrypter(),
      ),
    )
  }

  isWorking = false
  await activity

  for (const { file, manifest } of backups) {
    const target = await targets.create()
    await restoreArchive(file, createTestDecrypter(), target)
    const restored = connect(target.databaseUrl, { poolSize: 2 })
    const takenAt = Date.parse(manifest.takenAt)
    const [progress] = await restored.database.select().from(tables.lessonProgress)
    expectBetween(progress?.positionMs ?? 0, positions, takenAt)
    const [answer] = await restored.database.select().from(tables.examAnswers)
    expectBetween(answer?.revision ?? 0, revisions, takenAt)
    expect(answer?.answer).toBe((answer?.revision ?? 0) % 2)

    const users = await restored.database
      .select({ email: tables.users.email, identity: tables.identities.id })
      .from(tables.users)
      .leftJoin(tables.identities, eq(tables.identities.userId, tables.users.id))
    const signedUp = users.filter(({ email }) => email !== 'ada@test.example')
    expect(signedUp.map(({ email }) => email)).toEqual(
      expect.arrayContaining(people.before(takenAt)),
    )
    expect(people.begun).toEqual(expect.arrayContaining(signedUp.map(({ email }) => email)))
    expect(signedUp.every(({ identity }) => identity !== null)).toBe(true)

    const [learner] = await restored.database
      .select()
      .from(tables.users)
      .where(eq(tables.users.id, 'ada'))
    const iteration = Number(learner?.firstName.split(' ')[1] ?? 0)
    expectBetween(iteration, photos, takenAt)
    const photo = await target.files.read(parseFileUrl(learner?.image ?? null) ?? '')
    const { channels } = await sharp(photo ?? undefined).stats()
    expect(channels[0]?.mean).toBeCloseTo(iteration % 256, -1)

    await restored.pool.end()
  }
})

function expectBetween(restored: number, changes: Acknowledged<number>, takenAt: number): void {
  expect(restored).toBeGreaterThanOrEqual(Math.max(0, ...changes.before(takenAt)))
  expect(restored).toBeLessThanOrEqual(Math.max(0, ...changes.begun))
}
