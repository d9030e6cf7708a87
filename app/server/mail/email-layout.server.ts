import { siteAccent, siteName } from '../site/site.server'
import type { Mail } from './mail.server'

/** What an email says. Its link is displayed as a button. */
export type EmailContent = {
  subject: string
  /** The paragraphs before the link, without the greeting. */
  beforeLink: string[]
  link: { label: string; href: string }
  /** The paragraphs after the link, without the closing. */
  afterLink: string[]
  /** Recurring emails such as reminders have an unsubscribe link. */
  unsubscribeLink?: UnsubscribeLink
}

/** A sentence, and the link that follows it. */
type UnsubscribeLink = { sentence: string; label: string; href: string }

type ComposedEmail = Omit<Mail, 'id' | 'to'>

/** Composes an email as plain text, and as simple HTML that needs no picture and no style sheet. */
export function composeEmail({
  subject,
  beforeLink,
  link,
  afterLink,
  unsubscribeLink,
}: EmailContent): ComposedEmail {
  const greeting = 'Hi,'
  const closing = `The ${siteName()} team`

  const linkText = `${link.label}:\n${link.href}`
  const text = [greeting, ...beforeLink, linkText, ...afterLink, closing].join('\n\n')
  const html = [
    renderParagraph(greeting),
    ...beforeLink.map(renderParagraph),
    renderButton(link),
    ...afterLink.map(renderParagraph),
    renderParagraph(closing),
  ].join('\n')

  return addEmailFrame(subject, { html, text }, unsubscribeLink)
}

function renderParagraph(text: string): string {
  return `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`
}

function renderButton({ label, href }: EmailContent['link']): string {
  const style = `display:inline-block;padding:12px 20px;border-radius:10px;background:${siteAccent().light};color:#ffffff;text-decoration:none;font-weight:600`
  return `<p style="margin:0 0 16px"><a href="${escapeHtml(href)}" style="${style}">${escapeHtml(label)}</a></p>`
}

/**
 * Adds the document around the body of an email, and the unsubscribe link after the body.
 *
 * @param body.html safe HTML with inline styles
 */
export function addEmailFrame(
  subject: string,
  body: { html: string; text: string },
  unsubscribeLink?: UnsubscribeLink,
): ComposedEmail {
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<title>${escapeHtml(subject)}</title></head>`,
    '<body style="margin:0;padding:24px;font:16px/1.6 system-ui,sans-serif;color:#14162a;background:#ffffff">',
    '<div style="max-width:560px">',
    body.html,
    ...(unsubscribeLink ? [renderUnsubscribeLink(unsubscribeLink)] : []),
    '</div></body></html>',
  ].join('\n')

  const paragraphs = [body.text]
  if (unsubscribeLink) {
    const { sentence, label, href } = unsubscribeLink
    paragraphs.push(`${sentence} ${label}:\n${href}`)
  }

  return { subject, text: `${paragraphs.join('\n\n')}\n`, html }
}

function renderUnsubscribeLink({ sentence, label, href }: UnsubscribeLink): string {
  return `<p style="margin:24px 0 0;font-size:14px;color:#575a70">${escapeHtml(sentence)} <a href="${escapeHtml(href)}" style="color:#575a70">${escapeHtml(label)}</a></p>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes a text for HTML, and for an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}
