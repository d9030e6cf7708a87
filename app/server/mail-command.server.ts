import { asc, eq } from 'drizzle-orm'
import { db, openDatabaseForCommand } from './database/client.server'
import { outbox, users } from './database/schema'
import { retryMail } from './outbox.server'

/** `npm run mail -- list` and `retry [ID]`; works beside a running product and without one. */
const usage = `Usage: npm run mail -- list        list the emails that haven’t been sent, and why
       npm run mail -- retry [ID]  try all of them again now, or the one with this ID
`
const [action, id = null] = process.argv.slice(2)
if (action === 'list' || action === 'retry') await run(action)
else if (action === '--help' || action === 'help') process.stdout.write(usage)
else {
  process.stderr.write(usage)
  process.exitCode = 1
}

async function run(action: 'list' | 'retry'): Promise<void> {
  const close = await openDatabaseForCommand()
  await (action === 'list' ? list() : retry()).finally(close)
}

async function retry(): Promise<void> {
  process.stdout.write(`Emails that will be retried within ten seconds: ${await retryMail(db, id)}\n`)
}

async function list(): Promise<void> {
  const rows = await db
    .select({ mail: outbox, email: users.email })
    .from(outbox)
    .innerJoin(users, eq(users.id, outbox.uid))
    .orderBy(asc(outbox.createdAt))
  if (rows.length === 0) process.stdout.write('All emails have been sent.\n')
  for (const { mail, email } of rows) {
    const state = mail.failedAt
      ? `failed ${mail.failedAt.toISOString()}`
      : `next attempt ${mail.dueAt.toISOString()}, ${mail.attempts} ${mail.attempts === 1 ? 'attempt' : 'attempts'} so far`
    process.stdout.write(`${mail.id}  ${mail.kind}  ${mail.formerAddress ?? email}  ${state}  ${mail.reason ?? ''}\n`)
  }
}
