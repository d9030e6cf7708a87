import { expect, it } from 'vitest'
import { addEmailFrame, composeEmail } from './email-layout.server'

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' }

/** Returns what a reader sees of the HTML, with the URL of each link behind its label. */
function readHtml(html: string): string {
  const body = html.slice(html.indexOf('<body'))
  return body
    .replaceAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/g, '$2: $1')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(lt|gt|quot|amp);/g, (_, name) => entities[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

// Every email is composed by one of the two functions.
it('an email has the same sentences and complete links in both of its parts', () => {
  const email = composeEmail({
    subject: 'Tom & Ida <3',
    beforeLink: ['Tom & Ida wrote: "1 < 2".', 'A second paragraph.'],
    link: { label: 'Open “Ways & Means”', href: 'https://learn.example/a?b=1&c=%20#d' },
    afterLink: ['It works for 24 hours.'],
    unsubscribeLink: {
      sentence: 'Enough?',
      label: 'Stop',
      href: 'https://learn.example/Stop?uid=1&key=2',
    },
  })

  expect(readHtml(email.html ?? '')).toBe(email.text?.replaceAll(/\s+/g, ' ').trim())
  expect(email.text).toBe(`Hi,

Tom & Ida wrote: "1 < 2".

A second paragraph.

Open “Ways & Means”:
https://learn.example/a?b=1&c=%20#d

It works for 24 hours.

The Learnify team

Enough? Stop:
https://learn.example/Stop?uid=1&key=2
`)
})

it('an email with a body of its own has the same unsubscribe link in both of its parts', () => {
  const body = { html: '<p>Hello</p>', text: 'Hello' }
  const unsubscribeLink = {
    sentence: 'Enough?',
    label: 'Stop',
    href: 'https://learn.example/Stop?a=1&b=2',
  }
  const email = addEmailFrame('Hello', body, unsubscribeLink)

  expect(readHtml(email.html ?? '')).toBe(email.text?.replaceAll(/\s+/g, ' ').trim())
})
