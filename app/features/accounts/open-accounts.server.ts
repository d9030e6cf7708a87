import { db } from '~/server/database/client.server'
import { env, isLoopback } from '~/server/env.server'
import { lacksMailServer, type Mail, sendMail } from '~/server/mail/mail.server'
import { MailSender, type OutboxRow } from '~/server/mail/mail-sender.server'
import { backgroundWork } from '~/server/operations/background-work.server'
import { loadSecret } from '~/server/operations/secrets.server'
import { deleteExpiredRows } from './account-queries.server'
import { accountService, createAccountService, setAccountService } from './account-service.server'
import { syncDemoAccount } from './demo-account.server'
import {
  createAccountMailComposer,
  type FeatureMailKind,
  isAccountMail,
} from './mail/account-mails.server'
import { reencryptAppSecrets } from './secret-rotation.server'
import { purgeSecurityEvents } from './security/security-log.server'
import { sessionRules, shortenSessions } from './session/session-rules.server'
import { listProviderConfigurations } from './social/social-providers.server'

const purgeIntervalMs = 60 * 60_000

/** Composes the emails of other features. Returns null if the email is no longer needed. */
type ComposeFeatureMail = (
  kind: FeatureMailKind,
  uid: string,
  orderId: string | null,
  topic: string | null,
) => Promise<Omit<Mail, 'id'> | null>

/**
 * Opens the accounts on the product's database and starts to send emails.
 *
 * @returns a function that stops sending emails and deleting expired data
 */
export async function openAccounts(
  composeFeatureMail: ComposeFeatureMail,
): Promise<() => Promise<void>> {
  const composeAccountMail = createAccountMailComposer(db, env.PUBLIC_URL)
  const compose = (row: OutboxRow) =>
    isAccountMail(row)
      ? composeAccountMail(row)
      : composeFeatureMail(row.kind as FeatureMailKind, row.uid ?? '', row.orderId, row.topic)
  const sender = new MailSender({ db, compose, send: sendMail, lacksServer: lacksMailServer })
  const service = createAccountService({
    db,
    publicUrl: env.PUBLIC_URL,
    isLoopback,
    secret: await loadSecret(env.DATA_DIR, env.AUTH_SECRET),
    previousSecrets: env.AUTH_SECRET_FORMER,
    providers: listProviderConfigurations(env, isLoopback),
    sessionRules,
    wakeEmailSender: () => sender.wake(),
  })

  setAccountService(service)

  await syncDemoAccount(db, env.DEMO_ACCOUNT)
  await shortenSessions(db, sessionRules)
  if (env.AUTH_SECRET_FORMER.length > 0) {
    await reencryptAppSecrets(service)
  }

  const stopPurging = backgroundWork.schedule({
    name: 'expired rows',
    intervalMs: purgeIntervalMs,
    run: deleteExpiredData,
  })
  const stopSender = sender.start()

  return async () => {
    await stopPurging()
    await stopSender()
  }
}

/** Deletes expired sessions, links and counts of attempts, and security events that are too old. */
async function deleteExpiredData(): Promise<void> {
  await deleteExpiredRows(db)
  await purgeSecurityEvents(db)
  await accountService.attempts.deleteExpired()
}
