import { startSearch } from '~/features/catalog/search/search-index.server'
import { composeTestEmail } from '~/features/desk/announcements/announcement-mail.server'
import { startAnnouncements } from '~/features/desk/announcements/announcement-sender.server'
import { startFigures } from '~/features/desk/figures.server'
import { startImports } from '~/features/desk/import/import-work.server'
import { composeAnswerMail } from '~/features/desk/reviews/answer-mail.server'
import { openShop } from '~/features/orders/open-shop.server'
import { composeOrderEmail } from '~/features/orders/order-emails.server'
import {
  samplePagesPath,
  samplePayments,
} from '~/features/orders/payments/sample-payments/sample-provider.server'
import { startDemoHistory } from '~/features/profile/demo-history.server'
import { startScheduledJobs } from '~/features/profile/scheduled-jobs.server'
import { composeReminder } from '~/features/profile/study-plan/reminder-mail.server'
import { createFirstOwnerLink } from '~/features/staff/owner-link.server'
import { watchBackups } from '~/server/operations/backup/last-backup.server'
import { buildHeader } from '~/ui/connection'
import { contentFeatures } from './content-features.server'
import { handleAccountRequest } from './features/accounts/account-operations.server'
import { accountService } from './features/accounts/account-service.server'
import type { OtherMailKind } from './features/accounts/mail/account-mails.server'
import { openAccounts } from './features/accounts/open-accounts.server'
import { findSessionToken } from './features/accounts/session/require-learner.server'
import { openSampleIdentityProvider } from './features/accounts/social/sample-identity-provider.server'
import { runProduct } from './main.server'
import { publicPages } from './public-pages'
import { db } from './server/database/client.server'

/** Runs the product, which is the server with the parts that the features add to it. */
export function run(development?: Parameters<typeof runProduct>[1]): Promise<void> {
  const accounts = {
    open: () => openAccounts(composeMail),
    handle: (request: Request) => handleAccountRequest(accountService, request),
    findSessionToken,
  }
  const backgroundParts = [
    { name: 'search', start: startSearch },
    { name: 'demo history', start: startDemoHistory },
    { name: 'due work', start: startScheduledJobs },
    { name: 'orders', start: openShop },
    { name: 'backups', start: watchBackups },
    { name: 'figures of the desk', start: startFigures },
    { name: 'imports', start: startImports },
    { name: 'announcements', start: startAnnouncements },
  ]
  const samplePages = samplePayments && { path: samplePagesPath, app: samplePayments.pages() }

  return runProduct(
    {
      accounts,
      sampleSignInProvider: openSampleIdentityProvider(),
      samplePayments: samplePages,
      contentFeatures,
      publicPages,
      backgroundParts,
      createFirstOwnerLink: () => createFirstOwnerLink(db),
      buildHeader,
    },
    development,
  )
}

/** Composes the emails of features other than accounts. */
async function composeMail(
  kind: OtherMailKind,
  uid: string,
  orderId: string | null,
  about: string | null,
) {
  if (kind === 'study-reminder') {
    return composeReminder(db, uid)
  }

  if (kind === 'announcement-test') {
    return composeTestEmail(db, uid, about ?? '')
  }

  if (kind === 'review-answer') {
    return composeAnswerMail(db, uid, about ?? '')
  }

  return composeOrderEmail(db, kind, orderId, about)
}
