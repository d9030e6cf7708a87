import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { and, eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import * as tables from '~/server/database/schema'
import { refusalsOf } from '../../../../tests/support/credential-verifier'
import { testDatabase } from '../../../../tests/support/test-database'
import { issueCertificateIfDue } from '../certificate-issuing.server'
import { reissueCertificate, revokeCertificate } from '../certificate-operations.server'
import { findCertificate, recordNameChoice } from '../certificate-queries.server'
import type { JsonObject } from './credential-document'
import { listPublicKeys, rotateSigningKey } from './credential-keys.server'
import { findCredential, findStatusList, getIssuerDocument } from './credential-queries.server'

const courseId = 'python-from-zero'
const now = new Date('2026-11-20T12:00:00Z')
const origin = 'https://learnify.example'
let db: Database
let dataDir: string

beforeAll(async () => {
  db = (await testDatabase()).db
  dataDir = await mkdtemp(path.join(tmpdir(), 'learnify-keys-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))
beforeEach(async () => {
  await db.delete(tables.users)
})

async function issued(uid = 'ada'): Promise<string> {
  const person = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    name: 'Ada Lovelace',
    email: `${uid}@learnify.example`,
  }

  await db.insert(tables.users).values({ id: uid, ...person, emailVerified: true })
  return issuedTo(uid)
}

async function issuedTo(uid: string): Promise<string> {
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
    throw new Error('No certificate.')
  }

  return id
}

const place = () => ({ origin, dataDir })
async function credentialOf(id: string): Promise<JsonObject> {
  const credential = await findCredential(db, id, place())
  if (!credential) {
    throw new Error('No credential.')
  }

  return JSON.parse(JSON.stringify(credential))
}

async function refusals(credential: unknown): Promise<string[]> {
  const load = async (url: string) => {
    const list = /^https:\/\/learnify\.example\/CertificateStatus\/(\d+)$/.exec(url)?.[1]
    const found = list && (await findStatusList(db, Number(list), new Date(), place()))
    if (!found) {
      throw new Error(`Nothing at ${url}`)
    }

    return JSON.parse(JSON.stringify(found))
  }

  return refusalsOf(credential, { load, issuer: await getIssuerDocument(place()) })
}

/** Every place in the credential's text where one character can be another one. */
function* alterations(credential: JsonObject): Generator<JsonObject> {
  const alter = (text: string) =>
    text.endsWith('a') ? `${text.slice(0, -1)}b` : `${text.slice(0, -1)}a`

  function* walk(value: unknown): Generator<unknown> {
    if (typeof value === 'string') {
      yield alter(value)
    } else if (typeof value === 'boolean') {
      yield !value
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        for (const other of walk(item)) {
          yield value.with(index, other)
        }
      }
    } else if (value && typeof value === 'object') {
      for (const [key, item] of Object.entries(value)) {
        for (const other of walk(item)) {
          yield { ...value, [key]: other }
        }
      }
    }
  }

  for (const other of walk(credential)) {
    yield other as JsonObject
  }
}

describe('an Open Badges 3.0 credential', () => {
  it('is accepted by an independent verifier', async () => {
    const credential = await credentialOf(await issued())
    expect(await refusals(credential)).toEqual([])
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

  it('is refused wherever one character of it is changed', async () => {
    const credential = await credentialOf(await issued())
    const accepted: JsonObject[] = []
    let tried = 0
    for (const altered of alterations(credential)) {
      tried += 1
      if ((await refusals(altered)).length === 0) {
        accepted.push(altered)
      }
    }

    expect(tried).toBeGreaterThan(30)
    expect(accepted).toEqual([])
  }, 60_000)

  it('is refused after it was revoked, and others are not', async () => {
    const [ada, eve] = [await issued('ada'), await issued('eve')]
    const [adas, eves] = [await credentialOf(ada), await credentialOf(eve)]
    expect(await revokeCertificate(db, ada, 'Issued by mistake', now)).toBe(true)
    expect(await refusals(adas)).toEqual(['revoked'])
    expect(await refusals(eves)).toEqual([])
    expect(await findCertificate(db, ada)).toMatchObject({
      state: 'revoked',
      revokedReason: 'Issued by mistake',
    })
  })

  it('is refused, and has no name any more, once its learner has left', async () => {
    const id = await issued()
    const credential = await credentialOf(id)
    await db.delete(tables.users)
    expect(await refusals(credential)).toEqual(['revoked'])
    expect(await findCredential(db, id, place())).toBeNull()
    expect(await findCertificate(db, id)).toMatchObject({ state: 'withdrawn', name: null })
  })

  it('is refused when its status list was forged', async () => {
    const id = await issued()
    const credential = await credentialOf(id)
    await revokeCertificate(db, id, 'x', now)
    const empty = { ...(await findStatusList(db, 1, now, place())) } as JsonObject
    const forged = {
      ...empty,
      credentialSubject: { ...(empty.credentialSubject as object), encodedList: 'uH4sIAAA' },
    }
    const issuer = await getIssuerDocument(place())
    expect(await refusalsOf(credential, { load: async () => forged, issuer })).not.toEqual([])
  })

  it('goes on verifying after the key was changed, and new ones carry the new key', async () => {
    const id = await issued()
    const old = await credentialOf(id)
    const newKey = await rotateSigningKey(dataDir)
    expect(await refusals(old)).toEqual([])
    const again = await credentialOf(id)
    expect(await refusals(again)).toEqual([])
    expect(JSON.stringify(again.proof)).toContain(newKey)
    expect(JSON.stringify(old.proof)).not.toContain(newKey)
  })

  it('is signed once, until something of it changes', async () => {
    const id = await issued()
    const first = await findCredential(db, id, place())
    expect(await findCredential(db, id, place())).toBe(first)
    await rotateSigningKey(dataDir)
    expect(await findCredential(db, id, place())).not.toBe(first)
  })

  it('is the same each time', async () => {
    const id = await issued()
    expect(await credentialOf(id)).toEqual(await credentialOf(id))
  })

  it('says what was done, whatever the course announces now or later', async () => {
    const lessonId = 'names-and-values'
    await db
      .insert(tables.users)
      .values({ id: 'ada', name: 'Ada', firstName: 'Ada', email: 'a@learnify.example' })
    const others = await db
      .select({ lessonId: tables.courseLessons.id })
      .from(tables.courseLessons)
      .where(
        and(
          eq(tables.courseLessons.courseId, courseId),
          inArray(tables.courseLessons.kind, ['video', 'quiz']),
        ),
      )
    // Every other one is only marked as done.
    const marks = others.map((other) => ({
      ...other,
      uid: 'ada',
      courseId,
      mark: 'done' as const,
      markedAt: now,
    }))

    await db.insert(tables.lessonProgress).values(marks)
    const seen = and(
      eq(tables.lessonProgress.uid, 'ada'),
      eq(tables.lessonProgress.lessonId, lessonId),
    )
    await db.update(tables.lessonProgress).set({ earnedAt: now }).where(seen)
    expect(marks.length).toBeGreaterThan(1)
    await db.update(tables.users).set({ emailVerified: true })
    const [lesson] = await db
      .select()
      .from(tables.courseLessons)
      .where(
        and(eq(tables.courseLessons.courseId, courseId), eq(tables.courseLessons.id, lessonId)),
      )
    const id = await issuedTo('ada')
    const before = await credentialOf(id)
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
    expect(await credentialOf(id)).toEqual(before)
  })

  it('keeps the sentences that it was signed with', async () => {
    const id = await issued()
    await db
      .update(tables.certificateRegister)
      .set({ wording: 1 })
      .where(eq(tables.certificateRegister.id, id))
    const credential = await credentialOf(id)
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

    expect(await refusals(credential)).toEqual([])
  })

  it('names the learner only if the learner wants that', async () => {
    const id = await issued()
    expect(JSON.stringify(await credentialOf(id))).toContain('Ada Lovelace')
    expect(await recordNameChoice(db, 'eve', id, false)).toBe(false)
    expect(await recordNameChoice(db, 'ada', id, false)).toBe(true)
    const hidden = await credentialOf(id)
    expect(JSON.stringify(hidden)).not.toMatch(/Lovelace|ada@/)
    expect(await refusals(hidden)).toEqual([])
    expect(await findCertificate(db, id)).toMatchObject({ name: 'A. L.', state: 'valid' })
  })
})

describe('issuing again', () => {
  it('gives a new certificate with the name of today and revokes the old one', async () => {
    const id = await issued()
    const old = await credentialOf(id)
    await db.update(tables.users).set({ name: 'Ada King' })
    const newId = await reissueCertificate(db, id, now)
    expect(newId).toMatch(/^[\w-]{22}$/)
    expect(await findCertificate(db, id)).toMatchObject({
      state: 'revoked',
      replacedBy: newId,
      name: null,
    })

    expect(await findCertificate(db, newId ?? '')).toMatchObject({
      state: 'valid',
      name: 'Ada King',
    })
    expect(await refusals(old)).toEqual(['revoked'])
    expect(await refusals(await credentialOf(newId ?? ''))).toEqual([])
    expect(await reissueCertificate(db, id, now)).toBeNull()
    expect(await reissueCertificate(db, 'no-such-id', now)).toBeNull()
  })

  it('happens once when two operators do it at the same time', async () => {
    const id = await issued()
    const results = await Promise.all([1, 2, 3, 4].map(() => reissueCertificate(db, id, now)))
    expect(results.filter(Boolean)).toHaveLength(1)
  })
})

describe('the signing key', () => {
  it('is made once, also when several processes start at the same time, and only its owner may read it', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'learnify-keys-'))
    const keys = await Promise.all(Array.from({ length: 10 }, () => listPublicKeys(folder)))
    expect(new Set(keys.flat()).size).toBe(1)
    const file = path.join(folder, 'secrets', 'certificate-keys.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await writeFile(file, '{}')
    await expect(listPublicKeys(folder)).rejects.toThrow("Can't read")
    await rm(folder, { recursive: true })
  })

  it('is forgotten once another one signs; its public part stays', async () => {
    const before = await listPublicKeys(dataDir)
    await rotateSigningKey(dataDir)
    const after = await listPublicKeys(dataDir)
    expect(after.slice(1)).toEqual(before)
    const text = await readFile(path.join(dataDir, 'secrets', 'certificate-keys.json'), 'utf8')
    expect(text.match(/privateKey/g)).toHaveLength(1)
  })
})

it('a status list that was never used does not exist', async () => {
  await issued()
  expect(await findStatusList(db, 2, now, place())).toBeNull()
  expect(await findStatusList(db, 0, now, place())).toBeNull()
})
