import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as tables from '~/server/database/schema'
import { type DeskServer, startDeskServer } from '../../../tests/support/desk-server'
import { waitUntilQueryIsBlocked } from '../../../tests/support/test-database'

const courseId = 'python-from-zero'
const now = new Date()
let server: DeskServer
let uid: string
let certificateId: string

beforeAll(async () => {
  server = await startDeskServer()
  await server.signUp('owner', 'owner')
  await server.signUp('eve')
  uid = await server.signUp('ada')
  certificateId = await issueCertificate()
})
afterAll(() => server.stop())

async function issueCertificate(): Promise<string> {
  const { issueCertificateIfDue } = await import(
    '~/features/certificates/certificate-issuing.server'
  )
  const attempt = { id: 'ada-1', title: 'Exam', maxScore: 8, score: 8, submittedAt: now }
  await server.db.insert(tables.enrollments).values({ uid, courseId, completedAt: now })
  await server.db.insert(tables.examAttempts).values({ ...attempt, uid, courseId })
  const id = await server.db.transaction((transaction) =>
    issueCertificateIfDue(transaction, uid, courseId, now),
  )
  if (!id) {
    throw new Error('The certificate was not issued.')
  }

  return id
}

async function correctName(name: string): Promise<void> {
  await server.db.update(tables.users).set({ name }).where(eq(tables.users.id, uid))
}

const reissue = (name: string, id = certificateId) =>
  server.post(name, `/Certificate/${id}`, { intent: 'reissue' })

async function findHolderView() {
  const { body } = await server.get('ada', `/viewer?certificate=${certificateId}`)
  return body
}

it('the settings say how a corrected name gets onto a certificate', async () => {
  const { body } = await server.get('ada', '/Profile/settings')
  expect(body).toContain('the page of each certificate you already have says how to get it')
})

it('a learner can’t reissue a certificate unless an owner allows it', async () => {
  await correctName('Ada King')
  expect(JSON.parse(await findHolderView())).toMatchObject({
    certificate: { name: 'ada Byron', currentName: 'Ada King', canReissue: false },
  })

  const { status, body } = await reissue('ada')

  expect(status).toBe(403)
  expect(body).toContain('Ask Learnify to reissue this certificate.')
})

it('a learner reissues their certificate in the corrected name once an owner allows it', async () => {
  const form = { intent: 'certificateNames', seen: '0', certificateNames: 'learners' }
  const { body } = await server.post('owner', '/Desk/Site', form)
  expect(body).toContain('Corrected names on certificates: saved.')
  expect((await reissue('eve')).status).toBe(403)
  expect((await reissue('visitor')).status).toBe(403)

  expect(JSON.parse(await findHolderView())).toMatchObject({ certificate: { canReissue: true } })

  const response = await reissue('ada')
  const newPath = response.headers.location ?? ''
  expect([response.status, newPath]).toEqual([
    303,
    expect.stringMatching(/^\/Certificate\/[\w-]{22}$/),
  ])
  expect((await server.get('visitor', newPath)).body).toContain('Ada King')
  expect((await server.get('visitor', `/Certificate/${certificateId}`)).body).toContain(newPath)

  const newId = newPath.split('/').at(-1) ?? ''
  expect((await reissue('ada', newId)).body).toContain('already in your current name')
})

it('a certificate that staff have revoked is not reissued, even if both happen at the same time', async () => {
  const { revokeCertificate } = await import('~/features/certificates/certificate-reissuing.server')
  const [certificate] = await server.db
    .select()
    .from(tables.certificates)
    .where(eq(tables.certificates.uid, uid))
  const id = certificate?.id ?? ''
  await correctName('Ada Byron')

  const { response } = await server.db.transaction(async (transaction) => {
    await revokeCertificate(transaction, id, 'A reason', now)
    const waitingResponse = reissue('ada', id)
    await waitUntilQueryIsBlocked(server.db)

    return { response: waitingResponse }
  })

  expect((await response).body).toContain('no longer valid')
  expect((await reissue('ada', id)).body).toContain('no longer valid')
})
