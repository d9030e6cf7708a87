import { lacksMailServer } from '~/server/mail/mail.server'
import type { OutboxFigures } from '~/server/mail/outbox.server'
import { commandText } from '~/server/operations/operator-command.server'
import { byCount, formatNumber } from '~/ui/format-count'
import type { Check } from '../check'

/**
 * Without mail, learners can’t confirm an address or set a new password.
 *
 * @param options.runsSite whether the member of staff may open the page with the mail settings.
 */
export function checkMail(
  figures: OutboxFigures | null,
  { lacksServer = lacksMailServer, runsSite = false } = {},
): Check | null {
  const to = runsSite ? '/Desk/Site#mail' : undefined
  if (lacksServer) {
    return {
      look: 'bad',
      title: 'Mail isn’t set up',
      help: 'Learners get no links to confirm their address or to set a new password. Set SMTP_URL; what waits is sent then.',
      to,
    }
  }

  const failed = figures?.failed ?? 0
  if (failed === 0) {
    return null
  }

  return {
    look: 'warn',
    title: byCount(
      failed,
      '1 email could not be delivered',
      `${formatNumber(failed)} emails could not be delivered`,
    ),
    help: `The mail server’s reasons are shown by: ${commandText('mail', 'list')}`,
    to,
  }
}
