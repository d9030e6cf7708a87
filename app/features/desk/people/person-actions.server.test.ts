import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  reissueLearnerCertificate,
  revokeLearnerCertificate,
} from '~/features/certificates/certificate-actions.server'
import { issueCertificateIfDue } from '~/features/certificates/certificate-issuing.server'
import { findCertificate } from '~/features/certificates/certificate-queries.server'
import { enrollAndReward, learningContext } from '~/features/certificates/rewards.server'
import {
  enrollLearnerAsStaff,
  removeLearnerFromCourse,
} from '~/features/enrollment/enrollment-actions.server'
import { giveAttemptsBack } from '~/features/exams/attempt/attempt-actions.server'
import { startAttempt, submitAttempt } from '~/features/exams/attempt/attempt-queries.server'
import { listCoursesWithVisibleAnswers } from '~/features/exams/exam-page-queries.server'
import { findProgressReport } from '~/features/profile/progress-report.server'
import { databaseTime } from '~/server/database/database-time.server'
import * as tables from '~/server/database/schema'
import { failure } from '~/server/result'
import { listAuditEntries, operatorContext } from '../../../../tests/support/operator'
import { createTestDatabase } from '../../../../tests/support/test-database'

const courseId = 'python-from-zero'
const { db } = await createTestDatabase()
const context = operatorContext(db)

beforeEach(async () => {
  await db.delete(tables.users)
  await db.insert(tables.users).values({
    id: 'ada',
    email: 'ada@test.example',
    name: 'Ada Lovelace',
    firstName: 'Ada',
    lastName: 'Lovelace',
    emailVerified: true,
  })
})

function enroll(courseId: string) {
  return enrollLearnerAsStaff(context, { account: 'ada', courseId }, enrollAndReward)
}

async function listEnrolledCourses() {
  const rows = await db.select().from(tables.enrollments)
  return rows.map((row) => row.courseId).toSorted()
}

describe('enrolling', () => {
  it('gives a learner a course, and changes nothing the second time', async () => {
    expect(await enroll(courseId)).toMatchObject({
      ok: true,
      value: { outcome: 'Enrolled in Python from Zero.' },
    })

    await enroll(courseId)
    expect(await listEnrolledCourses()).toEqual([courseId])
    expect(await listAuditEntries(db, 'learner enroll')).toMatchObject([
      { subject: 'ada', arguments: { course: courseId } },
      { arguments: { course: courseId } },
    ])
  })

  it('is refused for a course that does not exist', async () => {
    expect(await enroll('flying')).toEqual(
      failure("Nothing was changed: no published course has the ID 'flying'."),
    )
  })

  it('ends when staff remove the learner, except from a completed course', async () => {
    await enroll(courseId)
    await removeLearnerFromCourse(context, { account: 'ada', courseId })
    expect(await listEnrolledCourses()).toEqual([])
    expect(await removeLearnerFromCourse(context, { account: 'ada', courseId })).toEqual(
      failure('The learner isn’t enrolled in Python from Zero.'),
    )

    await db.insert(tables.enrollments).values({ uid: 'ada', courseId, completedAt: new Date() })
    expect(await removeLearnerFromCourse(context, { account: 'ada', courseId })).toMatchObject({
      problem: expect.stringContaining('can’t be removed from a course'),
    })
    expect(await listEnrolledCourses()).toEqual([courseId])
  })
})

describe('exam attempts', () => {
  async function takeAndFailExam(): Promise<string | null> {
    const now = await databaseTime(db)
    const work = learningContext(db)
    const started = await startAttempt(work, { uid: 'ada', courseId }, now)
    if (started.refusal) {
      return started.refusal
    }

    await submitAttempt(work, { uid: 'ada', attemptId: started.attemptId }, now)
    return null
  }

  it('are given back, so that the learner can take the exam at once, and results stay', async () => {
    await enroll(courseId)

    expect(await takeAndFailExam()).toBeNull()
    expect(await takeAndFailExam()).toBe('pause')

    expect(await giveAttemptsBack(context, { account: 'ada', courseId })).toMatchObject({
      value: { outcome: '1 attempt no longer counts toward the limit.' },
    })
    expect(await takeAndFailExam()).toBeNull()
    expect(await db.$count(tables.examAttempts)).toBe(2)
    expect(await listAuditEntries(db, 'learner reset-attempts')).toMatchObject([
      { subject: 'ada', arguments: { course: courseId } },
    ])
  })

  it('hide the right answers again once they are given back', async () => {
    const attempt = {
      uid: 'ada',
      courseId,
      title: 'Exam',
      maxScore: 8,
      score: 0,
      submittedAt: new Date(),
    }

    await db.update(tables.exams).set({ maxAttempts: 2, attemptsWithinDays: null })
    await db.insert(tables.examAttempts).values([
      { ...attempt, id: 'a1' },
      { ...attempt, id: 'a2' },
    ])
    expect(await listCoursesWithVisibleAnswers(db, 'ada')).toEqual(new Set([courseId]))

    await giveAttemptsBack(context, { account: 'ada', courseId })
    expect(await listCoursesWithVisibleAnswers(db, 'ada')).toEqual(new Set())
  })

  it('can’t be given back if there are none', async () => {
    expect(await giveAttemptsBack(context, { account: 'ada', courseId })).toEqual(
      failure(`The learner has no attempt to give back in '${courseId}'.`),
    )
    expect(await giveAttemptsBack(context, { account: 'ada', courseId: 'flying' })).toEqual(
      failure("No course has the ID 'flying'."),
    )
  })

  it('are reported as missing for a certificate, like an unconfirmed email address', async () => {
    await db.update(tables.users).set({ emailVerified: false })
    await enroll(courseId)
    const report = await findProgressReport(db, 'ada', courseId, await databaseTime(db))

    expect(report?.missing.join(' ')).toMatch(/The exam isn’t passed.*isn’t confirmed\./)
    expect(await findProgressReport(db, 'ada', 'three-knots', new Date())).toBeNull()
  })

  it('are reported as missing for a certificate, like the learner’s name', async () => {
    await db.update(tables.users).set({ name: 'User' }).where(eq(tables.users.id, 'ada'))
    await enroll(courseId)
    const report = await findProgressReport(db, 'ada', courseId, await databaseTime(db))

    expect(report?.missing).toContain('The learner hasn’t given their name.')
  })
})

describe('a certificate', () => {
  async function issueCertificate(): Promise<string> {
    const now = new Date('2026-11-20T12:00:00Z')
    await db.insert(tables.enrollments).values({ uid: 'ada', courseId, completedAt: now })
    await db.insert(tables.examAttempts).values({
      uid: 'ada',
      id: 'a1',
      courseId,
      title: 'Exam',
      maxScore: 8,
      score: 8,
      submittedAt: now,
    })
    const id = await db.transaction((tx) => issueCertificateIfDue(tx, 'ada', courseId, now))
    if (id === null) {
      throw new Error('The certificate was not issued.')
    }

    return id
  }

  it('is revoked with a reason, which its page and the audit log show', async () => {
    const certificateId = await issueCertificate()
    const revoke = (id: string, reason: string) =>
      revokeLearnerCertificate(context, { account: 'ada', certificateId: id, reason })

    expect(await revoke(certificateId, ' ')).toMatchObject({
      problem: expect.stringContaining('Give a reason'),
    })
    expect(await revoke('another', 'Wrong name')).toEqual(
      failure('The learner doesn’t hold this certificate.'),
    )

    expect(await revoke(certificateId, 'Wrong name')).toMatchObject({ ok: true })
    expect(await findCertificate(db, certificateId)).toMatchObject({
      status: 'revoked',
      revokedReason: 'Wrong name',
    })
    expect(await listAuditEntries(db, 'certificate revoke')).toMatchObject([
      { subject: 'ada', arguments: { certificate: certificateId, reason: 'Wrong name' } },
    ])
  })

  it('is issued again in the learner’s current name', async () => {
    const certificateId = await issueCertificate()
    await db.update(tables.users).set({ name: 'Ada King' }).where(eq(tables.users.id, 'ada'))

    const result = await reissueLearnerCertificate(context, { account: 'ada', certificateId })
    if (!result.ok) {
      throw new Error(result.problem)
    }

    const newId = result.value.outcome.split('/').at(-1) ?? ''

    expect(await findCertificate(db, newId)).toMatchObject({ status: 'valid', name: 'Ada King' })
    expect(await findCertificate(db, certificateId)).toMatchObject({ replacedBy: newId })
  })

  it('is not issued again while the learner has not given a name', async () => {
    const certificateId = await issueCertificate()
    await db.update(tables.users).set({ name: 'User' }).where(eq(tables.users.id, 'ada'))

    expect(await reissueLearnerCertificate(context, { account: 'ada', certificateId })).toEqual(
      failure(expect.stringContaining('hasn’t given their name yet')),
    )
    expect(await findCertificate(db, certificateId)).toMatchObject({ replacedBy: null })
  })
})
