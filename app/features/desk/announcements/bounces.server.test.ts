import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { bounceCondition } from './bounces.server'

const { db } = await createTestDatabase()

async function isReasonBounce(reply: string) {
  const reason = `Can't send mail - all recipients were rejected: ${reply}`
  const { rows } = await db.execute<{ bounced: boolean }>(
    sql`select ${bounceCondition} as bounced from (select ${reason}::text as reason) r`,
  )
  return rows[0]?.bounced
}

it.each([
  '550 5.1.1 <ada@learn.example>: user unknown',
  '550-5.1.1 The email account that you tried to reach does not exist.',
  '550 5.1.10 RESOLVER.ADR.RecipientNotFound',
  '550 5.1.1 <antispam@learn.example> unknown',
  '550 5.4.1 Recipient address rejected: Access denied.',
  '550 5.2.1 The email account that you tried to reach is disabled.',
  '550 no such mailbox',
  '553 sorry, that domain isn’t in my list of allowed rcpthosts',
  "554 delivery error: dd This user doesn't have a yahoo.com account (ada@yahoo.com) [0]",
  '554 30 Sorry, your message to ada@yahoo.com cannot be delivered. This mailbox is disabled (554.30).',
])('stops announcements after %j', async (reply) => {
  expect(await isReasonBounce(reply)).toBe(true)
})

it.each([
  '554 5.7.1 Message rejected as spam',
  '554 Message rejected as spam',
  '550 This message was classified as SPAM',
  '550 5.7.1 Our system has detected that this message is likely unsolicited mail.',
  '552 5.2.2 mailbox full',
  '550 5.2.1 The mailbox is full',
  '550 Mailbox full',
  '550 5.2.2 over quota',
  '450 4.2.0 Greylisted, try again later',
  '451 4.7.1 Greylisting in action',
  '550 Greylisted',
  '550 5.1.8 Access denied, bad outbound sender',
  '554 5.4.14 Hop count exceeded - possible mail loop',
  '554 Transaction failed',
])('goes on with announcements after %j', async (reply) => {
  expect(await isReasonBounce(reply)).toBe(false)
})
