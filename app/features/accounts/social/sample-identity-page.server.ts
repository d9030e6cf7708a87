import { createHash } from 'node:crypto'
import { escapeHtml } from '~/server/mail/mail-letter.server'
import { siteName } from '~/server/site/site.server'

/** A person in the chooser. `email` is empty if the person doesn't share it. */
export type SamplePerson = { name: string; email: string; verified: boolean }

const people = [
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

/** @param origins where choosing may lead; a policy can't name an IPv6 address. */
export function contentSecurityPolicyOf(origins: string[]): string {
  const named = origins.filter((origin) => !origin.includes('['))
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    `form-action 'self' ${named.join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** @param refused the typed person, if the address doesn't look like one. */
export function chooserPage(provider: string, refused: SamplePerson | null): string {
  const checked = refused && !refused.verified ? '' : 'checked'
  const wrong = refused ? 'aria-invalid="true" aria-describedby="email-error"' : ''
  const error = refused
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
${people.map(personForm).join('\n')}
<h2>Use another account</h2>
<form method="post">
<p><label for="name">Name</label>
<input type="text" id="name" name="name" maxlength="500" value="${escapeHtml(refused?.name ?? '')}">
<label for="email">Email</label>
<input type="email" id="email" name="email" maxlength="254" value="${escapeHtml(refused?.email ?? '')}" ${wrong}>
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

function personForm({ name, email }: { name: string; email: string }): string {
  return `<form method="post">
<input type="hidden" name="name" value="${name}">
<input type="hidden" name="email" value="${email}">
<input type="hidden" name="verified" value="on">
<button><strong>${name}</strong><br>${email}</button>
</form>`
}
