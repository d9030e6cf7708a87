import { asc, eq, sql } from 'drizzle-orm'
import { db, withDatabase } from '../database/client.server'
import { outbox, users } from '../database/schema'
import { env, StartError } from '../env.server'
import { commandText, runCommand } from '../operations/operator-command.server'
import { lacksMailServer, mailFolder } from './mail.server'
import { retryMail } from './outbox.server'

await runCommand({
  name: 'mail',
  forms: [
    {
      name: 'list',
      takes: [],
      says: 'list the emails that haven’t been sent, and why',
      run: () => withDatabase(list),
    },
    {
      name: 'retry',
      takes: ['[ID]'],
      says: 'try all of them again now, or the one with this ID',
      run: ([id]) => withDatabase(() => retry(id || null)),
    },
  ],
})

async function retry(id: string | null): Promise<void> {
  if (lacksMailServer) {
    throw new StartError('Set SMTP_URL first: without it, email is kept in a folder, not sent.')
  }

  const retried = await retryMail(db, id)
  if (id && retried === 0) {
    throw new StartError(`There’s no email '${id}' to retry. See: ${commandText('mail', 'list')}`)
  }

  process.stdout.write(`Emails that will be retried within ten seconds: ${retried}\n`)
}

async function list(): Promise<void> {
  const rows = await db
    .select({ mail: outbox, email: users.email })
    .from(outbox)
    .leftJoin(users, eq(users.id, outbox.uid))
    // Emails with a failed attempt first, then those that were never tried.
    .orderBy(asc(sql`${outbox.reason} is null`), asc(outbox.dueAt))

  if (!env.SMTP_URL) {
    const later = lacksMailServer
      ? `. Once it’s set, '${commandText('mail', 'retry')}' sends them`
      : ''
    process.stdout.write(
      `Without SMTP_URL, email is kept in a folder, not sent: ${mailFolder}${later}.\n`,
    )
  } else if (rows.length === 0) {
    process.stdout.write('All emails have been sent.\n')
  }

  for (const { mail, email } of rows) {
    const words = [
      mail.id,
      mail.kind,
      mail.formerAddress ?? email,
      stateOf(mail),
      mail.reason ?? '',
    ]

    process.stdout.write(`${words.join('  ')}\n`)
  }
}

function stateOf({ failedAt, dueAt, attempts }: typeof outbox.$inferSelect): string {
  if (failedAt) {
    return `failed ${failedAt.toISOString()}`
  }

  const due = dueAt.toISOString()

  return attempts === 1
    ? `next attempt ${due}, 1 attempt so far`
    : `next attempt ${due}, ${attempts} attempts so far`
}
