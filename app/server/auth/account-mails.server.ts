import type { Mail } from '../mail.server'

/** No name is used: whoever registers somebody else's address could write to them through it. */
type Recipient = { email: string }

/** The messages that the account service sends. */
export class AccountMails {
  constructor(
    private publicUrl: string,
    private send: (mail: Mail) => Promise<void>,
  ) {}

  sendReset({ email }: Recipient, token: string): Promise<void> {
    return this.send({
      to: email,
      ...letter({
        subject: 'Reset your Learnify password',
        before: [
          'Somebody, hopefully you, asked to reset the password of your Learnify account. Choose a new one here:',
        ],
        link: { label: 'Choose a new password', href: `${this.publicUrl}/ResetPassword?token=${token}` },
        after: [
          'The link works once and for one hour. Setting a new password signs you out everywhere else.',
          'You did not ask for this? Then there is nothing to do: your password stays as it is.',
        ],
      }),
    })
  }

  sendWelcome({ email }: Recipient, token: string): Promise<void> {
    return this.send({
      to: email,
      ...letter({
        subject: 'Welcome to Learnify',
        before: ['Your Learnify account is ready. Please confirm that this address is yours:'],
        link: this.#confirmation(token),
        after: [
          'The link works for 24 hours. You can learn without it, too; certificates wait until the address is confirmed.',
          'You did not make an account? The same page closes it to whoever did.',
        ],
      }),
    })
  }

  sendConfirmation({ email }: Recipient, token: string): Promise<void> {
    return this.send({
      to: email,
      ...letter({
        subject: 'Confirm your address for Learnify',
        before: ['You asked for a new link to confirm that this address is yours:'],
        link: this.#confirmation(token),
        after: [
          'The link works for 24 hours.',
          'You did not ask for this? The same page closes the account to whoever made it.',
        ],
      }),
    })
  }

  #confirmation(token: string) {
    return { label: 'Confirm my address', href: `${this.publicUrl}/ConfirmEmail?token=${token}` }
  }
}

type Letter = {
  subject: string
  before: string[]
  link: { label: string; href: string }
  after: string[]
}

/** The same words as plain text and as simple HTML, which needs no picture and no style sheet. */
function letter({ subject, before, link, after }: Letter): Omit<Mail, 'to'> {
  const greeting = 'Hello,'
  const closing = 'Learnify'
  const paragraph = (words: string) => `<p style="margin:0 0 16px">${escapeHtml(words)}</p>`
  const button = 'display:inline-block;padding:12px 20px;border-radius:10px;background:#5140e0;color:#ffffff'
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<title>${escapeHtml(subject)}</title></head>`,
    '<body style="margin:0;padding:24px;font:16px/1.6 system-ui,sans-serif;color:#14162a;background:#ffffff">',
    '<div style="max-width:560px">',
    paragraph(greeting),
    ...before.map(paragraph),
    `<p style="margin:0 0 16px"><a href="${escapeHtml(link.href)}" style="${button};text-decoration:none;font-weight:600">${escapeHtml(link.label)}</a></p>`,
    ...after.map(paragraph),
    paragraph(closing),
    '</div></body></html>',
  ].join('\n')
  const text = [greeting, ...before, link.href, ...after, closing].join('\n\n')
  return { subject, text: `${text}\n`, html }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeHtml(words: string): string {
  return words.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}
