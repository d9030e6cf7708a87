import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { and, eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { listVerificationErrors } from '../../../../tests/support/credential-verifier'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { issueCertificateIfDue } from '../certificate-issuing.server'
import { findCertificate, recordNameChoice } from '../certificate-queries.server'
import { reissueCertificate, revokeCertificate } from '../certificate-reissuing.server'
import type { JsonObject } from './credential-document'
import { listPublicKeys, rotateSigningKey } from './credential-keys.server'
import {
  getIssuerDocument,
  getSignedCredential,
  getSignedStatusList,
} from './credential-queries.server'

const courseId = 'python-from-zero'
const now = new Date('2026-11-20T12:00:00Z')
const origin = 'https://learnify.example'
let db: Database
let dataDir: string

beforeAll(async () => {
  db = (await createTestDatabase()).db
  dataDir = await mkdtemp(path.join(tmpdir(), 'learnify-keys-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))
beforeEach(async () => {
  await db.delete(tables.users)
})

async function issueCertificateTo(uid = 'ada'): Promise<string> {
  const learner = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    name: 'Ada Lovelace',
    email: `${uid}@learnify.example`,
  }

  await db.insert(tables.users).values({ id: uid, ...learner, emailVerified: true })
  return completeCourse(uid)
}

async function completeCourse(uid: string): Promise<string> {
  await db.insert(tables.enrollments).values({ uid, courseId, completedAt: now })
  const attempt = {
    uid,
    id: `${uid}-1`,
    courseId,
    title: 'Exam',
    maxScore: 8,
    score: 8,
    submittedAt: now,
  }

  await db.insert(tables.examAttempts).values(attempt)
  const id = await db.transaction((transaction) =>
    issueCertificateIfDue(transaction, uid, courseId, now),
  )
  if (!id) {
    throw new Error('The certificate was not issued.')
  }

  return id
}

const issuer = () => ({ origin, dataDir })

async function getCredential(id: string): Promise<JsonObject> {
  const credential = await getSignedCredential(db, id, issuer())
  if (!credential) {
    throw new Error('The certificate has no credential.')
  }

  return JSON.parse(JSON.stringify(credential))
}

/** Verifies a credential as an employer would, and returns the reasons for which it is invalid. */
async function verify(credential: unknown): Promise<string[]> {
  const load = async (url: string) => {
    const listNumber = /^https:\/\/learnify\.example\/CertificateStatus\/(\d+)$/.exec(url)?.[1]
    const statusList =
      listNumber && (await getSignedStatusList(db, Number(listNumber), new Date(), issuer()))
    if (!statusList) {
      throw new Error(`There is no document at ${url}.`)
    }

    return JSON.parse(JSON.stringify(statusList))
  }

  return listVerificationErrors(credential, { load, issuer: await getIssuerDocument(issuer()) })
}

/** Yields copies of a value, each with one text or boolean in it changed. */
function* alterations(value: unknown): Generator<unknown> {
  if (typeof value === 'string') {
    yield alterLastCharacter(value)
  }

  if (typeof value === 'boolean') {
    yield !value
  }

  if (value instanceof Object) {
    for (const [key, entry] of Object.entries(value)) {
      for (const alteredEntry of alterations(entry)) {
        yield withEntry(value, key, alteredEntry)
      }
    }
  }
}

function alterLastCharacter(text: string): string {
  return `${text.slice(0, -1)}${text.endsWith('a') ? 'b' : 'a'}`
}

function withEntry(value: object, key: string, entry: unknown): unknown {
  return Array.isArray(value) ? value.with(Number(key), entry) : { ...value, [key]: entry }
}

describe('an Open Badges 3.0 credential', () => {
  it('is accepted by an independent verifier', async () => {
    const credential = await getCredential(await issueCertificateTo())

    expect(await verify(credential)).toEqual([])
    expect(credential).toMatchObject({
      type: ['VerifiableCredential', 'OpenBadgeCredential'],
      issuer: { id: 'did:web:learnify.example' },
      validFrom: now.toISOString(),
      credentialSubject: { achievement: { name: 'Python from Zero' }, result: [{ value: '100' }] },
      evidence: [
        { narrative: expect.stringContaining('8 of 8') },
        { name: 'Confirmed email address' },
      ],
      proof: { cryptosuite: 'eddsa-rdfc-2022', proofPurpose: 'assertionMethod' },
    })
  })

  it('is invalid if any one of its values is changed by one character', async () => {
    const credential = await getCredential(await issueCertificateTo())
    const validAlterations: unknown[] = []
    let alterationCount = 0

    for (const alteredCredential of alterations(credential)) {
      alterationCount += 1
      if ((await verify(alteredCredential)).length === 0) {
        validAlterations.push(alteredCredential)
      }
    }

    expect(alterationCount).toBeGreaterThan(30)
    expect(validAlterations).toEqual([])
  }, 60_000)

  it('is invalid once it is revoked, while other credentials stay valid', async () => {
    const adaId = await issueCertificateTo('ada')
    const eveId = await issueCertificateTo('eve')
    const adaCredential = await getCredential(adaId)
    const eveCredential = await getCredential(eveId)

    expect(await revokeCertificate(db, adaId, 'Issued by mistake', now)).toBe(true)
    expect(await verify(adaCredential)).toEqual(['revoked'])
    expect(await verify(eveCredential)).toEqual([])
    expect(await findCertificate(db, adaId)).toMatchObject({
      status: 'revoked',
      revokedReason: 'Issued by mistake',
    })
  })

  it('is invalid and loses the learner’s name once the learner deletes the account', async () => {
    const id = await issueCertificateTo()
    const credential = await getCredential(id)
    await db.delete(tables.users)

    expect(await verify(credential)).toEqual(['revoked'])
    expect(await getSignedCredential(db, id, issuer())).toBeNull()
    expect(await findCertificate(db, id)).toMatchObject({ status: 'withdrawn', name: null })
  })

  it('is invalid if its status list is forged', async () => {
    const id = await issueCertificateTo()
    const credential = await getCredential(id)
    await revokeCertificate(db, id, 'x', now)
    const empty = { ...(await getSignedStatusList(db, 1, now, issuer())) } as JsonObject
    const forged = {
      ...empty,
      credentialSubject: { ...(empty.credentialSubject as object), encodedList: 'uH4sIAAA' },
    }
    const issuerDocument = await getIssuerDocument(issuer())

    expect(
      await listVerificationErrors(credential, {
        load: async () => forged,
        issuer: issuerDocument,
      }),
    ).not.toEqual([])
  })

  it('stays valid after the key is rotated, while newly signed ones use the new key', async () => {
    const id = await issueCertificateTo()
    const old = await getCredential(id)
    const newKey = await rotateSigningKey(dataDir)
    expect(await verify(old)).toEqual([])

    const again = await getCredential(id)
    expect(await verify(again)).toEqual([])
    expect(JSON.stringify(again.proof)).toContain(newKey)
    expect(JSON.stringify(old.proof)).not.toContain(newKey)
  })

  it('is signed only once while nothing about it changes', async () => {
    const id = await issueCertificateTo()
    const first = await getSignedCredential(db, id, issuer())
    expect(await getSignedCredential(db, id, issuer())).toBe(first)

    await rotateSigningKey(dataDir)
    expect(await getSignedCredential(db, id, issuer())).not.toBe(first)
  })

  it('has the same content each time', async () => {
    const id = await issueCertificateTo()
    expect(await getCredential(id)).toEqual(await getCredential(id))
  })

  it('describes the completed work, whatever happens to the course later', async () => {
    const lessonId = 'names-and-values'
    await db
      .insert(tables.users)
      .values({ id: 'ada', name: 'Ada', firstName: 'Ada', email: 'a@learnify.example' })
    const countableLessons = await db
      .select({ lessonId: tables.courseLessons.id })
      .from(tables.courseLessons)
      .where(
        and(
          eq(tables.courseLessons.courseId, courseId),
          inArray(tables.courseLessons.kind, ['video', 'quiz']),
        ),
      )
    // Lessons that are only marked as done do not count.
    const marks = countableLessons.map((lesson) => ({
      ...lesson,
      uid: 'ada',
      courseId,
      mark: 'done' as const,
      markedAt: now,
    }))

    await db.insert(tables.lessonProgress).values(marks)
    const isFinishedLesson = and(
      eq(tables.lessonProgress.uid, 'ada'),
      eq(tables.lessonProgress.lessonId, lessonId),
    )
    await db.update(tables.lessonProgress).set({ earnedAt: now }).where(isFinishedLesson)
    expect(marks.length).toBeGreaterThan(1)

    await db.update(tables.users).set({ emailVerified: true })
    const [lesson] = await db
      .select()
      .from(tables.courseLessons)
      .where(
        and(eq(tables.courseLessons.courseId, courseId), eq(tables.courseLessons.id, lessonId)),
      )
    const id = await completeCourse('ada')
    const before = await getCredential(id)
    const minutes = Math.max(1, Math.floor((lesson?.durationSeconds ?? 0) / 60))
    expect(before).toMatchObject({
      evidence: [
        {
          narrative: `1 lesson completed, with ${minutes} min of material. Final exam passed with 8 of 8 correct answers.`,
        },
        {},
      ],
      credentialSubject: {
        achievement: {
          criteria: {
            narrative:
              'Complete every lesson available at the time or mark it as done, and pass the final exam.',
          },
        },
      },
    })

    const [course] = await db.select().from(tables.courses).where(eq(tables.courses.id, courseId))
    expect(JSON.stringify(before)).not.toContain(course?.summary)

    await db
      .update(tables.courses)
      .set({ summary: 'Another one', durationHours: 999, lectures: 999 })
    await db.update(tables.courseLessons).set({ durationSeconds: 86_400 })
    expect(await getCredential(id)).toEqual(before)
  })

  it('keeps the wording with which it was first signed', async () => {
    const id = await issueCertificateTo()
    await db
      .update(tables.certificateRegister)
      .set({ wordingVersion: 1 })
      .where(eq(tables.certificateRegister.id, id))
    const credential = await getCredential(id)

    expect(credential).toMatchObject({
      evidence: [
        {
          narrative:
            '0 lessons completed (1 minutes of material). Final exam passed with 8 of 8 correct answers.',
        },
        {},
      ],
      credentialSubject: {
        achievement: {
          criteria: { narrative: 'Complete every lesson of the course and pass the final exam.' },
        },
      },
    })

    expect(await verify(credential)).toEqual([])
  })

  it('contains the learner’s name only if the learner agrees', async () => {
    const id = await issueCertificateTo()
    expect(JSON.stringify(await getCredential(id))).toContain('Ada Lovelace')
    expect(await recordNameChoice(db, 'eve', id, false)).toBe(false)
    expect(await recordNameChoice(db, 'ada', id, false)).toBe(true)

    const hidden = await getCredential(id)
    expect(JSON.stringify(hidden)).not.toMatch(/Lovelace|ada@/)
    expect(await verify(hidden)).toEqual([])
    expect(await findCertificate(db, id)).toMatchObject({ name: 'A. L.', status: 'valid' })
  })
})

describe('reissuing a certificate', () => {
  it('issues a certificate with the present name and revokes the old one', async () => {
    const id = await issueCertificateTo()
    const old = await getCredential(id)
    await db.update(tables.users).set({ name: 'Ada King' })
    const newId = await reissueCertificate(db, id, now)

    expect(newId).toMatch(/^[\w-]{22}$/)
    expect(await findCertificate(db, id)).toMatchObject({
      status: 'revoked',
      replacedBy: newId,
      name: null,
    })

    expect(await findCertificate(db, newId ?? '')).toMatchObject({
      status: 'valid',
      name: 'Ada King',
    })
    expect(await verify(old)).toEqual(['revoked'])
    expect(await verify(await getCredential(newId ?? ''))).toEqual([])
    expect(await reissueCertificate(db, id, now)).toBeNull()
    expect(await reissueCertificate(db, 'no-such-id', now)).toBeNull()
  })

  it('leaves nothing to revoke of the old certificate, so that nobody believes the new one revoked', async () => {
    const id = await issueCertificateTo()
    const newId = await reissueCertificate(db, id, now)

    expect(await revokeCertificate(db, id, 'Issued by mistake', now)).toBe(false)
    expect(await findCertificate(db, id)).toMatchObject({ revokedReason: null, replacedBy: newId })
    expect(await findCertificate(db, newId ?? '')).toMatchObject({ status: 'valid' })
  })

  it('happens only once when several people do it at the same time', async () => {
    const id = await issueCertificateTo()
    const results = await Promise.all([1, 2, 3, 4].map(() => reissueCertificate(db, id, now)))

    expect(results.filter(Boolean)).toHaveLength(1)
  })
})

describe('the signing key', () => {
  it('is created once even if several processes start together, and only its owner may read it', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'learnify-keys-'))
    const keys = await Promise.all(Array.from({ length: 10 }, () => listPublicKeys(folder)))
    expect(new Set(keys.flat()).size).toBe(1)

    const file = path.join(folder, 'secrets', 'certificate-keys.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)

    await writeFile(file, '{}')
    await expect(listPublicKeys(folder)).rejects.toThrow("Can't read")

    await rm(folder, { recursive: true })
  })

  it('loses its private part after a rotation, but keeps its public part', async () => {
    const before = await listPublicKeys(dataDir)
    await rotateSigningKey(dataDir)
    const after = await listPublicKeys(dataDir)
    expect(after.slice(1)).toEqual(before)

    const text = await readFile(path.join(dataDir, 'secrets', 'certificate-keys.json'), 'utf8')
    expect(text.match(/privateKey/g)).toHaveLength(1)
  })
})

it('a status list is signed only once until a certificate is revoked or the key is rotated', async () => {
  const id = await issueCertificateTo()
  const first = await getSignedStatusList(db, 1, now, issuer())
  expect(await getSignedStatusList(db, 1, new Date(), issuer())).toBe(first)

  await revokeCertificate(db, id, 'x', now)
  const afterRevocation = await getSignedStatusList(db, 1, now, issuer())
  expect(afterRevocation?.credentialSubject).not.toEqual(first?.credentialSubject)

  await rotateSigningKey(dataDir)
  const afterRotation = await getSignedStatusList(db, 1, now, issuer())
  expect(afterRotation?.credentialSubject).toEqual(afterRevocation?.credentialSubject)
  expect(afterRotation?.proof).not.toEqual(afterRevocation?.proof)
})

it('there is no status list with an unused number', async () => {
  await issueCertificateTo()

  expect(await getSignedStatusList(db, 2, now, issuer())).toBeNull()
  expect(await getSignedStatusList(db, 0, now, issuer())).toBeNull()
})
