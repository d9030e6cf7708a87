import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../../tests/support/test-database'
import { bounceCondition } from './bounce-replies.server'

const { db } = await createTestDatabase()

async function isBounce(reply: string) {
  const reason = `Can't send mail - all recipients were rejected: ${reply}`
  const { rows } = await db.execute<{ isBounce: boolean }>(
    sql`select ${bounceCondition} as "isBounce" from (select ${reason}::text as reason) r`,
  )
  return rows[0]?.isBounce
}

it.each([
  [
    'Postfix',
    '550 5.1.1 <ada@test.example>: Recipient address rejected: User unknown in local recipient table',
  ],
  ['Postfix', '550 5.1.1 <antispam@test.example>: Recipient address rejected: User unknown'],
  ['Postfix', '550 5.1.2 <ada@test.example>: Recipient address rejected: Domain not found'],
  ['Postfix', '550 5.1.1 <552@test.example>: Recipient address rejected: User unknown'],
  [
    'Gmail',
    '550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the recipient’s email address for typos',
  ],
  [
    'Gmail',
    '550-5.2.1 The email account that you tried to reach is disabled. For more\n550 5.2.1 information, go to https://support.google.com/mail/?p=DisabledUser',
  ],
  [
    'Exchange',
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@test.example not found by SMTP address lookup',
  ],
  ['Exchange', '550 5.4.1 Recipient address rejected: Access denied. AS(201806281)'],
  ['Outlook.com', '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).'],
  [
    'Yahoo',
    "554 delivery error: dd This user doesn't have a yahoo.com account (ada@yahoo.com) [0]",
  ],
  [
    'Yahoo',
    "554 delivery error: dd Sorry, your message to ada@yahoo.com cannot be delivered. This user's account has been disabled or discontinued [#102].",
  ],
  [
    'Yahoo',
    '554 30 Sorry, your message to ada@yahoo.com cannot be delivered. This mailbox is disabled (554.30).',
  ],
  ['Yahoo', '552 1 Requested mail action aborted, mailbox not found'],
  [
    'AOL',
    '554 5.7.1 <ada@aol.com>: Recipient address rejected: This account has been disabled or discontinued',
  ],
  ['Mimecast', '550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 [abc]'],
  ['Barracuda', '550 No such user (ada@test.example)'],
  ['Cisco', '550 #5.1.0 Address rejected.'],
  ['QQ', '550 The recipient may contain a non-existent account, please check the address.'],
  ['a server without enhanced codes', '550 No such local user'],
  [
    'GMX',
    '550 Requested action not taken: mailbox unavailable. See https://postmaster.gmx.net/error?ip=192.0.2.7&c=nu',
  ],
  ['Barracuda', '550 cuda_nsu 5.1.1 <ada@test.example> Recipient address rejected: User unknown'],
  ['Yandex', '550 5.7.1 No such user!'],
  [
    'GMX',
    '550-Requested action not taken: mailbox unavailable\n550 For explanation visit https://postmaster.gmx.net',
  ],
  ['qmail', '550 sorry, no mailbox here by that name (#5.1.1)'],
  ['Exim', '550 Unrouteable address'],
  [
    'Mail.ru',
    '550 Message was not accepted -- Local mailbox ada@mail.ru is unavailable: user is terminated',
  ],
  ['a server without enhanced codes', '550 Mailbox not available'],
  ['a server without enhanced codes', '550 Recipient ada.lovelace is unknown'],
  ['a server without enhanced codes', '550 antispam@school.example: user unknown'],
  ['a server without enhanced codes', '550 User <ada@test.example> does not exist'],
])('the address accepts no email if %s replies %j', async (_server, reply) => {
  expect(await isBounce(reply)).toBe(true)
})

it.each([
  // The reply is about the content of this email.
  ['any server', '550 content filter'],
  ['any server', '550 junk'],
  ['any server', '550 This message was classified as SPAM'],
  ['any server', '554 5.7.1 Message rejected as spam'],
  ['Gmail', '550-5.7.1 Our system has detected that this message is likely unsolicited mail.'],
  ['Yahoo', '554 Message not allowed - [PH01] Email not accepted for policy reasons.'],
  ['Mimecast', '554 Email rejected due to security policies'],
  ['Barracuda', '550 permanent failure for one or more recipients (ada@test.example:blocked)'],
  // The reply is about the sender or the school's mail server.
  ['any server', '550 SPF check failed'],
  ['any server', '550 blocked using spamhaus'],
  ['Gmail', '550-5.7.26 Your email has been blocked because the sender is unauthenticated.'],
  ['Exchange', '550 5.1.8 Access denied, bad outbound sender'],
  [
    'Exchange',
    '550 5.1.90 Your message can’t be sent because you’ve reached your daily limit for message recipients',
  ],
  [
    'Outlook.com',
    "550 5.7.1 Unfortunately, messages from [192.5.1.1] weren't sent. Part of their network is on our block list (S3140).",
  ],
  ['Mimecast', '550 Administrative prohibition - envelope blocked'],
  ['Barracuda', '550 Blocked'],
  [
    'Postfix',
    '554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen.spamhaus.org',
  ],
  ['Postfix', '554 5.7.1 <ada@test.example>: Relay access denied'],
  ['Postfix', '550 5.7.1 <ada@test.example>: Recipient address rejected: Access denied'],
  [
    'Postfix',
    '550 5.7.1 <school@test.example>: Sender address rejected: This account has been disabled',
  ],
  ['qmail', '553 sorry, that domain isn’t in my list of allowed rcpthosts (#5.7.1)'],
  ['a mail provider of the school', '550 Your account has been suspended'],
  ['any server', '550 5.2.1 Mailbox unavailable. Your IP address is blacklisted.'],
  // The reply is temporary, although its code may be permanent.
  ['Gmail', '552-5.2.2 The email account that you tried to reach is over quota and inactive.'],
  [
    'Gmail',
    '550-5.2.1 The user you are trying to contact is receiving mail at a rate that\n550-5.2.1 prevents additional messages from being delivered.',
  ],
  ['any server', '550 5.2.1 Mailbox size limit exceeded'],
  ['Postfix', '552 5.2.2 <ada@test.example>: Recipient address rejected: Mailbox full'],
  ['any server', '550 5.2.1 The mailbox is full'],
  ['any server', '550 Mailbox unavailable: not enough storage'],
  ['any server', '550 Greylisted'],
  ['any server', '550 The user’s account has been temporarily suspended'],
  ['any server', '550 Mailbox unavailable: user is overquota'],
  [
    'Postfix',
    '450 4.1.1 <ada@test.example>: Recipient address rejected: User unknown in local recipient table',
  ],
  [
    'Postfix',
    '450 4.7.1 <550@test.example>: Recipient address rejected: Greylisted, try again in 550 seconds',
  ],
  ['Exchange', '554 5.4.14 Hop count exceeded - possible mail loop'],
  ['any server', '554 Transaction failed'],
])('the address may be fine if %s replies %j', async (_server, reply) => {
  expect(await isBounce(reply)).toBe(false)
})
