import { db } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { greetMailServer, lacksMailServer, sendMail } from '~/server/mail/mail.server'
import { backgroundWork } from '~/server/operations/background-work.server'
import { AnnouncementSender } from './announcement-sender.server'
import { forgetMails } from './mail-counts.server'

const hourMs = 60 * 60_000

/**
 * Starts sending. Without a mail server, scheduled announcements wait.
 *
 * @returns a function that stops it.
 */
export function startAnnouncements(): () => Promise<void> {
  const run = (mayGoOn: () => boolean) => forgetMails(db, mayGoOn)
  const stopForgetting = backgroundWork.add({ name: 'old announcements', everyMs: hourMs, run })
  const stopSending = lacksMailServer ? null : startSending()

  return async () => {
    await stopForgetting()
    await stopSending?.()
  }
}

function startSending(): () => Promise<void> {
  const greet = async () => {
    if (env.SMTP_URL) {
      await greetMailServer(env.SMTP_URL)
    }
  }
  const sender = new AnnouncementSender({
    db,
    send: sendMail,
    greet,
    mailsPerMinute: env.ANNOUNCEMENTS_PER_MINUTE,
  })

  return sender.start()
}
