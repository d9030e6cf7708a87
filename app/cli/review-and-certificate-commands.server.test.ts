import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { issueCertificateIfDue } from '~/features/certificates/certificate-issuing.server'
import { findCertificate } from '~/features/certificates/certificate-queries.server'
import * as tables from '~/server/database/schema'
import { adminOf, auditOf } from '../../tests/support/admin'
import { testDatabase } from '../../tests/support/test-database'

const courseId = 'python-from-zero'
const now = new Date('2026-11-20T12:00:00Z')
const { db } = await testDatabase()
const admin = adminOf(db)

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

describe('a review', () => {
  beforeEach(async () => {
    const comment = 'Clear.\u001b[2J\nReally.'
    await db.insert(tables.reviews).values({ uid: 'ada', courseId, id: 'r1', rating: 4, comment })
  })

  it('is listed on one line, whatever it says', async () => {
    const [, line, ...more] = (await admin('review', 'list', courseId)).split('\n')
    expect(line).toMatch(/^r1 +4 of 5 +shown +Clear\. \[2J Really\.$/)
    expect(more).toEqual([])
  })

  const version = async () =>
    (await db.execute(sql`select version from product_state`)).rows[0]?.version ?? 0

  it('is hidden and shown again, each in the audit, and searches and every process hear of it', async () => {
    const before = Number(await version())
    await db.execute(sql`update course_search set rating = 1 where course_id = ${courseId}`)
    expect(await admin('review', 'hide', courseId, 'r1')).toMatch(/^The review is now hidden\. /)
    expect(await db.select().from(tables.reviews)).toMatchObject([{ hiddenAt: expect.any(Date) }])
    const [found] = await db
      .select()
      .from(tables.courseSearch)
      .where(eq(tables.courseSearch.courseId, courseId))
    expect(found?.rating).toBe(4.7)
    expect(Number(await version())).toBeGreaterThan(before)
    expect(await admin('review', 'show', courseId, 'ada')).toMatch(/^The review is now visible\. /)
    expect(await db.select().from(tables.reviews)).toMatchObject([{ hiddenAt: null }])
    const about = { subject: 'ada', arguments: { course: courseId, review: 'r1' } }
    expect(await auditOf(db, 'review hide')).toMatchObject([about])
    expect(await auditOf(db, 'review show')).toMatchObject([about])
  })

  it('that isn’t there is refused, and nothing is recorded', async () => {
    await expect(admin('review', 'hide', courseId, 'r2')).rejects.toThrow(
      /has no review with the ID 'r2'/,
    )
    await expect(admin('review', 'list', 'nothing')).rejects.toThrow(
      "No course has the ID 'nothing'.",
    )
    expect(
      (await auditOf(db, 'review hide')).filter(({ arguments: given }) => given.review === 'r2'),
    ).toEqual([])
  })
})

describe('a certificate', () => {
  async function issued(): Promise<string> {
    await db.insert(tables.enrollments).values({ uid: 'ada', courseId, completedAt: now })
    const attempt = {
      uid: 'ada',
      id: 'a1',
      courseId,
      title: 'Exam',
      maxScore: 8,
      score: 8,
      submittedAt: now,
    }

    await db.insert(tables.examAttempts).values(attempt)
    const id = await db.transaction((transaction) =>
      issueCertificateIfDue(transaction, 'ada', courseId, now),
    )

    return id ?? ''
  }

  it('is revoked by its address with a reason, which its page and the audit have', async () => {
    const id = await issued()
    const address = `https://school.example/Certificate/${id}/`
    await expect(admin('certificate', 'revoke', address)).rejects.toThrow(/^Give a reason/)
    expect(await admin('certificate', 'revoke', address, '--reason', 'Wrong name')).toBe(
      'The certificate has been revoked.',
    )
    expect(await findCertificate(db, id)).toMatchObject({
      state: 'revoked',
      revokedReason: 'Wrong name',
    })
    const audit = await auditOf(db, 'certificate revoke')
    expect(audit).toMatchObject([
      { subject: 'ada', arguments: { certificate: id, reason: 'Wrong name' } },
    ])
    await expect(admin('certificate', 'revoke', 'x', '--reason', 'y')).rejects.toThrow(
      /No certificate has the number 'x'/,
    )
  })

  it('is reissued with today’s name', async () => {
    const id = await issued()
    await db.update(tables.users).set({ name: 'Ada King' }).where(eq(tables.users.id, 'ada'))
    const newId = (await admin('certificate', 'reissue', id)).split('/').at(-1) ?? ''
    expect(await findCertificate(db, newId)).toMatchObject({ state: 'valid', name: 'Ada King' })
    expect(await findCertificate(db, id)).toMatchObject({ replacedBy: newId })
    expect(await auditOf(db, 'certificate reissue')).toMatchObject([
      { subject: 'ada', arguments: { certificate: id } },
    ])
    await expect(admin('certificate', 'reissue', id)).rejects.toThrow(/^No learner holds/)
  })

  it('is signed with a new key once it is rotated', async () => {
    expect(await admin('certificate', 'rotate-key')).toMatch(
      /^New credentials are now signed with z6Mk/,
    )
    expect(await auditOf(db, 'certificate rotate-key')).toMatchObject([
      { subject: null, outcome: 'Makes a new key.' },
      {
        subject: null,
        outcome: expect.stringMatching(/^New credentials are now signed with z6Mk/),
      },
    ])
  })
})
