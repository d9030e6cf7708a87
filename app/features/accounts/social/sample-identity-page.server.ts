/** The page of the sample identity provider on which somebody chooses or enters a person. */
import { createHash } from 'node:crypto'
import { escapeHtml } from '~/server/mail/email-layout.server'
import { siteName } from '~/server/site/site.server'

/** A person whom somebody has entered or chosen. */
export type SamplePerson = {
  name: string
  /** An empty text if the person doesn't share an email. */
  email: string
  verified: boolean
}

/**
 * Returns the HTML of the page.
 *
 * @param provider the name of the provider that this one stands in for
 * @param invalidPerson the entered person if the email is invalid, otherwise null
 */
export function renderChooserPage(provider: string, invalidPerson: SamplePerson | null): string {
  const checked = invalidPerson && !invalidPerson.verified ? '' : 'checked'
  const errorAttributes = invalidPerson ? 'aria-invalid="true" aria-describedby="email-error"' : ''
  const error = invalidPerson
    ? '<p id="email-error" class="error">Please enter a valid email, or leave it empty.</p>'
    : ''

  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Choose an account · Sample ${escapeHtml(provider)}</title>
<style>${style}</style>
</head>
<body>
<main>
<small>Sample ${escapeHtml(provider)}, on this machine only</small>
<h1>Choose an account</h1>
<p>to continue to ${escapeHtml(siteName())}</p>
${offeredPeople.map(renderPersonForm).join('\n')}
<h2>Use another account</h2>
<form method="post">
<p><label for="name">Name</label>
<input type="text" id="name" name="name" maxlength="500" value="${escapeHtml(invalidPerson?.name ?? '')}">
<label for="email">Email</label>
<input type="email" id="email" name="email" maxlength="254" value="${escapeHtml(invalidPerson?.email ?? '')}" ${errorAttributes}>
<label for="subject">Subject, by which the provider knows this person; if empty, it comes from the address</label>
<input type="text" id="subject" name="subject" maxlength="100"></p>
${error}
<p><label><input type="checkbox" name="verified" ${checked}> ${escapeHtml(provider)} has verified this address</label></p>
<button name="other">Continue</button>
</form>
<form method="post"><button name="cancel">Cancel</button></form>
</main>
</body>
</html>
`
}

function renderPersonForm({ name, email }: { name: string; email: string }): string {
  return `<form method="post">
<input type="hidden" name="name" value="${name}">
<input type="hidden" name="email" value="${email}">
<input type="hidden" name="verified" value="on">
<button><strong>${name}</strong><br>${email}</button>
</form>`
}

/** The people whom the page offers. */
const offeredPeople = [
  { name: 'Maya Okonkwo', email: 'maya.okonkwo@example.com' },
  { name: 'Jonas Lindqvist', email: 'jonas.lindqvist@example.com' },
  { name: 'Priya Raghunathan', email: 'priya.raghunathan@example.com' },
]

const style = `
:root { color-scheme: light dark; --edge: light-dark(#8a8797, #737998); --accent: light-dark(#5140e0, #a79dff) }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.5 Figtree, system-ui, sans-serif }
main { max-width: 26rem; margin: 0 auto; padding: 1.75rem 1.25rem }
h1 { margin: .5rem 0 0; font-size: 1.5rem }
h2 { margin: 1.5rem 0 0; font-size: 1rem }
button, input:not([type=checkbox]) { display: block; width: 100%; min-height: 2.75rem; margin: .25rem 0 .75rem; padding: .5rem 1rem; border: 1px solid var(--edge); border-radius: .75rem; background: none; color: inherit; font: inherit; text-align: left; overflow-wrap: anywhere }
button { cursor: pointer }
.error { color: light-dark(#b3243c, #ff8b9a) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`

/** Returns the headers of the page. */
export function getPageHeaders(origins: string[]) {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': getContentSecurityPolicy(origins),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  }
}

/** @param origins to which the forms may lead. A policy can't name an IPv6 address. */
function getContentSecurityPolicy(origins: string[]): string {
  const formOrigins = origins.filter((origin) => !origin.includes('['))
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    `form-action 'self' ${formOrigins.join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
