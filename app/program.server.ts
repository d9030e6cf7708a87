import { startSearch } from '~/features/catalog/search/search-index.server'
import { composeTestEmail } from '~/features/desk/announcements/announcement-mail.server'
import { startAnnouncements } from '~/features/desk/announcements/announcement-sender.server'
import { startFigures } from '~/features/desk/figures.server'
import { startImports } from '~/features/desk/import/import-job.server'
import { composeAnswerMail } from '~/features/desk/reviews/answer-mail.server'
import { openShop } from '~/features/orders/open-shop.server'
import { composeOrderEmail } from '~/features/orders/order-emails.server'
import {
  samplePagesPath,
  samplePayments,
} from '~/features/orders/payments/sample-payments/sample-provider.server'
import { startDemoHistory } from '~/features/profile/demo-history.server'
import { composeReminder } from '~/features/profile/study-plan/reminder-mail.server'
import { createFirstOwnerLink } from '~/features/staff/owner-link.server'
import { watchBackups } from '~/server/operations/backup/last-backup.server'
import { buildHeader } from '~/ui/connection'
import { contentHooks } from './content-hooks.server'
import { handleAccountRequest } from './features/accounts/account-operations.server'
import { accountService } from './features/accounts/account-service.server'
import type { FeatureMailKind } from './features/accounts/mail/account-mails.server'
import { openAccounts } from './features/accounts/open-accounts.server'
import { findSessionToken } from './features/accounts/session/require-learner.server'
import { openSampleIdentityProvider } from './features/accounts/social/sample-identity-provider.server'
import { runProduct, type StartedVite } from './main.server'
import { publicPages } from './public-pages'
import { startScheduledJobs } from './scheduled-jobs.server'
import { db } from './server/database/client.server'

/**
 * Runs the product: the server with everything that the features add to it. Only this file knows
 * both. Sample sign-in and sample payments exist only in a product that other machines can't reach.
 */
export function run(vite?: StartedVite): Promise<void> {
  const accounts = {
    open: () => openAccounts(composeMail),
    handle: (request: Request) => handleAccountRequest(accountService, request),
    findSessionToken,
  }
  const backgroundParts = [
    { name: 'search', start: startSearch },
    { name: 'demo history', start: startDemoHistory },
    { name: 'scheduled jobs', start: startScheduledJobs },
    { name: 'orders', start: openShop },
    { name: 'backups', start: watchBackups },
    { name: 'figures of the desk', start: startFigures },
    { name: 'imports', start: startImports },
    { name: 'announcements', start: startAnnouncements },
  ]
  const samplePaymentPages =
    samplePayments === null ? null : { path: samplePagesPath, app: samplePayments.createPages() }

  return runProduct(
    {
      accounts,
      sampleSignInProvider: openSampleIdentityProvider(),
      samplePayments: samplePaymentPages,
      contentHooks,
      publicPages,
      backgroundParts,
      createFirstOwnerLink: () => createFirstOwnerLink(db),
      buildHeader,
    },
    vite,
  )
}

/**
 * Composes an email of a feature other than accounts.
 *
 * @param uid the account that the email is for
 * @param topic what the email is about, such as the ID of an announcement or a review
 */
async function composeMail(
  kind: FeatureMailKind,
  uid: string,
  orderId: string | null,
  topic: string | null,
) {
  switch (kind) {
    case 'study-reminder':
      return composeReminder(db, uid)
    case 'announcement-test':
      return composeTestEmail(db, uid, requireTopic(topic))
    case 'review-answer':
      return composeAnswerMail(db, uid, requireTopic(topic))
    default:
      return composeOrderEmail(db, kind, orderId, topic)
  }
}

function requireTopic(topic: string | null): string {
  if (topic === null) {
    throw new Error('An email in the outbox does not say what it is about.')
  }

  return topic
}
