import { db } from '~/server/database/client.server'
import { env } from '~/server/env.server'
import { greetMailServer, lacksMailServer, sendMail } from '~/server/mail/mail.server'
import { AnnouncementSender } from './announcement-sender.server'

/** Without a mail server, what is scheduled waits. @returns stops it. */
export function startAnnouncements(): () => Promise<void> {
  if (lacksMailServer) return async () => {}
  const greet = async () => {
    if (env.SMTP_URL) await greetMailServer(env.SMTP_URL)
  }
  const sender = new AnnouncementSender({ db, send: sendMail, greet, mailsPerMinute: env.ANNOUNCEMENTS_PER_MINUTE })
  return sender.start()
}
