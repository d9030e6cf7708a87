import { siteAccent, siteName } from '../site/site.server'
import type { Mail } from './mail.server'

export type Letter = {
  subject: string
  before: string[]
  link: { label: string; href: string }
  after: string[]
  /** The unsubscribe link, for recurring email like reminders. */
  stop?: { words: string; label: string; href: string }
}

/** The same words as plain text and as simple HTML, which needs no picture and no style sheet. */
export function composeLetter({
  subject,
  before,
  link,
  after,
  stop,
}: Letter): Omit<Mail, 'id' | 'to'> {
  const greeting = 'Hi,'
  const closing = `The ${siteName()} team`
  const paragraph = (words: string) => `<p style="margin:0 0 16px">${escapeHtml(words)}</p>`
  const button = `display:inline-block;padding:12px 20px;border-radius:10px;background:${siteAccent().light};color:#ffffff`
  const html = [
    paragraph(greeting),
    ...before.map(paragraph),
    `<p style="margin:0 0 16px"><a href="${escapeHtml(link.href)}" style="${button};text-decoration:none;font-weight:600">${escapeHtml(link.label)}</a></p>`,
    ...after.map(paragraph),
    paragraph(closing),
  ]
  const text = [greeting, ...before, link.href, ...after, closing].join('\n\n')

  return frameLetter(subject, { html: html.join('\n'), text }, stop)
}

type Body = { html: string; text: string }

/** Frames a text that a member of staff wrote. @param body.html is safe HTML with inline styles. */
export function frameLetter(
  subject: string,
  body: Body,
  stop: Letter['stop'],
): Omit<Mail, 'id' | 'to'> {
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<title>${escapeHtml(subject)}</title></head>`,
    '<body style="margin:0;padding:24px;font:16px/1.6 system-ui,sans-serif;color:#14162a;background:#ffffff">',
    '<div style="max-width:560px">',
    body.html,
    ...(stop
      ? [
          `<p style="margin:24px 0 0;font-size:14px;color:#575a70">${escapeHtml(stop.words)} <a href="${escapeHtml(stop.href)}" style="color:#575a70">${escapeHtml(stop.label)}</a></p>`,
        ]
      : []),
    '</div></body></html>',
  ].join('\n')
  const end = stop ? [`${stop.words} ${stop.label}:\n${stop.href}`] : []
  return { subject, text: `${[body.text, ...end].join('\n\n')}\n`, html }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Also fit for a quoted attribute. */
export function escapeHtml(words: string): string {
  return words.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}
