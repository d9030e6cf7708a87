import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { learningContext } from '~/features/certificates/rewards.server'
import type { Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { submitLessonForm } from './submit-lesson-form.server'

const courseId = 'python-from-zero'
const article = { courseId, lessonId: 'text-numbers-and-conversion' }
const now = new Date(Date.UTC(2026, 10, 20, 12))
let db: Database

beforeAll(async () => {
  db = (await createTestDatabase()).db
  await db.insert(tables.users).values(
    ['ada', 'eve'].map((id) => ({
      id,
      name: 'Ada',
      firstName: 'Ada',
      email: `${id}@learnify.example`,
    })),
  )

  await db.insert(tables.enrollments).values({ uid: 'ada', courseId })
})

function mark(uid: string, fields: Record<string, string>) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ intent: 'mark', uid, goOnTo: '', ...fields })) {
    form.set(name, value)
  }

  return submitLessonForm(learningContext(db), { uid, ...article }, form, now)
}

const isDone = async () =>
  (await db.select().from(tables.lessonProgress).where(eq(tables.lessonProgress.uid, 'ada')))[0]
    ?.done

describe('a lesson that is marked without a script', () => {
  it('counts as done, leads to the next one, and can be taken back', async () => {
    const redirect = await mark('ada', { mark: 'done', goOnTo: 'check-values-and-names' }).catch(
      (thrown) => thrown,
    )

    expect(redirect.headers.get('Location')).toBe(`/Learn/${courseId}/check-values-and-names`)
    expect(await isDone()).toBe(true)
    expect(await mark('ada', { mark: 'done' })).toMatchObject({ data: { done: true } })
    expect((await db.select().from(tables.activities)).map(({ id }) => id)).toContain(
      `lesson:${courseId}:${article.lessonId}`,
    )
  })

  it('is refused for those who are not enrolled, for another learner’s page, and for any other address', async () => {
    expect(await mark('eve', { mark: 'done' })).toMatchObject({ init: { status: 403 } })
    expect(await mark('ada', { mark: 'done', uid: 'eve' })).toMatchObject({ init: { status: 403 } })
    expect(await mark('ada', { mark: 'done', goOnTo: '//evil.example' })).toMatchObject({
      init: { status: 422 },
    })
  })
})
