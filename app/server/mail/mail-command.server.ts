/**
 * `npm run mail`: shows the operator which emails wait in the outbox, and why, and tries them
 * again.
 */
import { asc, eq, sql } from 'drizzle-orm'
import { db } from '../database/client.server'
import { withDatabase } from '../database/open-database.server'
import { outbox, users } from '../database/schema'
import { env, StartError } from '../env.server'
import { formatCommand, runCommand } from '../operations/operator-command.server'
import { lacksMailServer, mailFolder } from './mail.server'
import { isUnsent, retryMail } from './outbox.server'

await runCommand({
  name: 'mail',
  forms: [
    {
      name: 'list',
      argumentNames: [],
      description: 'list the emails that haven’t been sent, and why',
      run: () => withDatabase(printUnsentEmails),
    },
    {
      name: 'retry',
      argumentNames: ['[ID]'],
      description: 'try all of them again now, or the one with this ID',
      run: ([id]) => withDatabase(() => retryEmails(id || null)),
    },
  ],
})

async function retryEmails(id: string | null): Promise<void> {
  if (lacksMailServer) {
    throw new StartError('Set SMTP_URL first: without it, email is kept in a folder, not sent.')
  }

  const retriedCount = await retryMail(db, id)
  if (id && retriedCount === 0) {
    throw new StartError(`There’s no email '${id}' to retry. See: ${formatCommand('mail', 'list')}`)
  }

  process.stdout.write(`Emails that will be retried within ten seconds: ${retriedCount}\n`)
}

async function printUnsentEmails(): Promise<void> {
  // An email leaves the outbox when it is sent.
  const unsentEmails = await db
    .select({ outboxEntry: outbox, currentEmail: users.email })
    .from(outbox)
    .leftJoin(users, eq(users.id, outbox.uid))
    .where(isUnsent())
    // Emails with a failed attempt come first, and then those that were never tried.
    .orderBy(asc(sql`${outbox.reason} is null`), asc(outbox.dueAt))

  if (!env.SMTP_URL) {
    // With a local URL, Learnify needs no mail server: it shows its emails at /mail.
    const howToSend = lacksMailServer
      ? `. Once it’s set, '${formatCommand('mail', 'retry')}' sends them`
      : ''
    process.stdout.write(
      `Without SMTP_URL, email is kept in a folder, not sent: ${mailFolder}${howToSend}.\n`,
    )
  } else if (unsentEmails.length === 0) {
    process.stdout.write('All emails have been sent.\n')
  }

  for (const { outboxEntry, currentEmail } of unsentEmails) {
    const { id, kind, formerAddress, reason } = outboxEntry
    const columns = [
      id,
      kind,
      formerAddress ?? currentEmail,
      formatStatus(outboxEntry),
      reason ?? '',
    ]
    process.stdout.write(`${columns.join('  ')}\n`)
  }
}

function formatStatus({ failedAt, dueAt, attempts }: typeof outbox.$inferSelect): string {
  if (failedAt) {
    return `failed ${failedAt.toISOString()}`
  }

  const attemptCount = attempts === 1 ? '1 attempt' : `${attempts} attempts`

  return `next attempt ${dueAt.toISOString()}, ${attemptCount} so far`
}
