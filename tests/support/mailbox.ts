import { createAccountMailComposer } from '~/features/accounts/mail/account-mails.server'
import type { Database } from '~/server/database/client.server'
import type { Mail } from '~/server/mail/mail.server'
import { MailSender } from '~/server/mail/mail-sender.server'

/** Receives the emails of the outbox, for every email address, when a test asks for them. */
export class Mailbox {
  deliveredMails: Mail[] = []
  #sender: MailSender

  constructor(db: Database, publicUrl: string) {
    const compose = createAccountMailComposer(db, publicUrl)
    const send = async (mail: Mail) => {
      this.deliveredMails.push(mail)
    }
    this.#sender = new MailSender({ db, compose, send })
  }

  deliver(): Promise<void> {
    return this.#sender.deliverDue()
  }

  /** Returns the token in the newest link that was sent to an email address. */
  async readTokenSentTo(email: string): Promise<string> {
    await this.deliver()
    const mail = this.deliveredMails.findLast(
      ({ to, text }) => to === email && text.includes('token='),
    )
    return /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
  }
}
