import { beforeAll, expect, it } from 'vitest'
import { listStaff } from '~/features/staff/staff-queries.server'
import type { Database } from '~/server/database/client.server'
import { users } from '~/server/database/schema'
import { createAdminCommandRunner } from '../../tests/support/admin-commands'
import { listAuditEntries } from '../../tests/support/operator'
import { createTestDatabase } from '../../tests/support/test-database'

let db: Database
let admin: ReturnType<typeof createAdminCommandRunner>

beforeAll(async () => {
  ;({ db } = await createTestDatabase())
  admin = createAdminCommandRunner(db)
  const person = (id: string) => ({
    id,
    email: `${id}@test.example`,
    name: id,
    firstName: id,
    emailVerified: true,
  })

  await db
    .insert(users)
    .values([person('ada'), person('ben'), { ...person('eve'), emailVerified: false }])
})

it('giving and taking a role is audited', async () => {
  await admin('staff', 'give', 'ada@test.example', 'owner')
  await admin(
    'staff',
    'give',
    'ben',
    'teacher',
    '--courses',
    'python-from-zero typography-for-screens',
  )

  expect(await listStaff(db)).toMatchObject([
    { uid: 'ada', role: 'owner', courses: [] },
    {
      uid: 'ben',
      role: 'teacher',
      courses: [{ id: 'python-from-zero' }, { id: 'typography-for-screens' }],
    },
  ])

  await admin('staff', 'take', 'ben')
  expect((await listStaff(db)).map(({ uid }) => uid)).toEqual(['ada'])
  expect(
    (await listAuditEntries(db, 'staff give')).map(({ by, subject }) => [by, subject]),
  ).toEqual([
    ['grace', 'ada'],
    ['grace', 'ben'],
  ])
  expect(await listAuditEntries(db, 'staff take')).toMatchObject([
    { subject: 'ben', arguments: { before: 'teacher' } },
  ])
})

it('a link for a new owner is printed, and the audit log contains no part of it', async () => {
  const link = await admin('staff', 'link')

  expect(link).toMatch(/^http\S+\/Desk\/Join\?token=[\w-]{43}$/)
  expect(JSON.stringify(await listAuditEntries(db, 'staff link'))).not.toContain(link.split('=')[1])
})

it.each([
  [['give', 'ben', 'king'], /^There’s no role 'king'\. Choose one of: owner, manager, teacher\.$/],
  [['give', 'ben', 'teacher'], /^A teacher needs at least one course\.$/],
  [['give', 'ben', 'teacher', '--courses', 'flying'], /^No course has the ID 'flying'/],
  [['give', 'eve', 'manager'], /^The email address of this account is not confirmed yet\.$/],
  [['give', 'eve', 'owner'], /^The email address of this account is not confirmed yet\.$/],
  [['give', 'ada', 'manager'], /^This is the only owner\./],
  [['take', 'ada'], /^This is the only owner\./],
  [['take', 'ben'], /^The account has no role at the desk\.$/],
])('refuses %j with a sentence', async (args, sentence) => {
  await expect(admin('staff', ...args)).rejects.toThrow(sentence)
})
