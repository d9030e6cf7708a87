import { asc, eq } from 'drizzle-orm'
import { db, withDatabase } from './database/client.server'
import { outbox, users } from './database/schema'
import { runCommand } from './operator-command.server'
import { retryMail } from './outbox.server'

await runCommand({
  name: 'mail',
  forms: [
    { name: 'list', takes: [], says: 'list the emails that haven’t been sent, and why', run: () => withDatabase(list) },
    {
      name: 'retry',
      takes: ['[ID]'],
      says: 'try all of them again now, or the one with this ID',
      run: ([id]) => withDatabase(() => retry(id || null)),
    },
  ],
})

async function retry(id: string | null): Promise<void> {
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
