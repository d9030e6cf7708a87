import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { audited } from '~/features/staff/audit.server'
import type { Database } from '~/server/database/client.server'
import { operatorActs, users } from '~/server/database/schema'
import { StartError } from '~/server/env.server'
import { adminOf, auditOf } from '../../tests/support/admin'
import { testDatabase } from '../../tests/support/test-database'

let db: Database
let admin: ReturnType<typeof adminOf>
const actor = { by: 'grace', act: 'learner fly' }

beforeAll(async () => {
  ;({ db } = await testDatabase())
  admin = adminOf(db)
  await db
    .insert(users)
    .values({ id: 'ada', email: 'ada@test.example', name: 'Ada', firstName: 'Ada' })
})

describe('the audit', () => {
  it('has an act together with what it changed, or neither', async () => {
    const fails = audited(db, actor, async (transaction) => {
      await transaction.update(users).set({ phone: '12345' })
      throw new StartError('No.')
    })
    await expect(fails).rejects.toThrow('No.')
    // A change that can't be audited is not made.
    const unrecordable = audited(db, actor, async (transaction) => {
      await transaction.update(users).set({ phone: '12345' })
      return { subject: 'ada', outcome: null as unknown as string }
    })
    await expect(unrecordable).rejects.toThrow()
    expect(await db.select({ phone: users.phone }).from(users)).toEqual([{ phone: null }])
    expect(await auditOf(db, actor.act)).toEqual([])
  })

  it('can’t be changed afterward', async () => {
    await admin('learner', 'disable', 'ada')
    await expect(db.delete(operatorActs)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('append-only') },
    })
    await expect(db.execute(sql`update operator_acts set by = 'nobody'`)).rejects.toThrow()
    expect(await auditOf(db, 'learner disable')).toMatchObject([
      {
        by: 'grace',
        subject: 'ada',
        arguments: {},
        outcome: 'The account is disabled and signed out everywhere.',
      },
    ])
  })

  it('is listed newest first, by learner and by time', async () => {
    await admin('learner', 'enable', 'ADA@test.example')
    const listed = await admin('audit', 'list', '--learner', 'ada@test.example')
    expect(listed.split('\n')).toEqual([
      expect.stringMatching(/^AT +BY +ACT +ABOUT +WITH +CHANGED +OUTCOME$/),
      expect.stringMatching(
        /UTC +grace +learner enable +ada +disabled: true → false +The account is enabled\.$/,
      ),
      expect.stringMatching(/grace +learner disable/),
    ])

    expect(JSON.parse(await admin('audit', 'list', '--json', '--limit', '1'))).toMatchObject([
      { act: 'learner enable' },
    ])
    expect(await admin('audit', 'list', '--limit', '1')).toMatch(
      /\n\nThese are the first 1\. Give the learner with --learner, or/,
    )
    expect(await admin('audit', 'list', '--since', '2999-01-01')).toMatch(/^No operator/)
    expect(await admin('audit', 'list', '--learner', 'nobody')).toMatch(/^No operator/)
  })

  it.each([
    [['--since', 'yesterday'], /^--since takes a day/],
    [['--since', '2026-13-45'], /^--since takes a day/],
    [['--limit', '0'], /^--limit takes a number/],
    [['--learner', 'eve@test.example'], /^No account has the email address/],
  ])('refuses %j with a sentence', async (options, sentence) => {
    await expect(admin('audit', 'list', ...options)).rejects.toThrow(sentence)
  })
})
