import { createHash } from 'node:crypto'
import { escapeHtml } from '~/server/mail/mail-letter.server'

/** A person in the chooser. `email` is empty if the person doesn't share it. */
export type SamplePerson = { name: string; email: string; verified: boolean }

const people: SamplePerson[] = [
  { name: 'Maya Okonkwo', email: 'maya.okonkwo@example.com', verified: true },
  { name: 'Jonas Lindqvist', email: 'jonas.lindqvist@example.com', verified: true },
  { name: 'Priya Raghunathan', email: 'priya.raghunathan@example.com', verified: true },
]

const style = `
:root{color-scheme:light dark;--line:light-dark(#e5e1d8,#272b40);--edge:light-dark(#8a8797,#737998);--surface:light-dark(#fff,#151828);--ink:light-dark(#14162a,#f2f2f8);--muted:light-dark(#575a70,#a9adc6);--accent:light-dark(#5140e0,#a79dff);--on:light-dark(#fff,#14122b);--bad:light-dark(#b3243c,#ff8b9a)}
*{box-sizing:border-box}
body{margin:0;background:light-dark(#fbfaf7,#0d0f1a);color:var(--ink);font:16px/1.5 Figtree,system-ui,sans-serif}
main{max-width:26rem;margin:0 auto;padding:1.75rem 1.25rem 2.5rem}
.tag{display:inline-block;border:1px solid var(--line);border-radius:99px;padding:.1rem .75rem;color:var(--muted);font-size:.8125rem;font-weight:600}
h1{margin:.75rem 0 .25rem;font-size:1.5rem;line-height:1.2;letter-spacing:-.02em}
p{margin:0 0 1.25rem;color:var(--muted)}
button,input[type=text],input[type=email]{font:inherit;color:inherit;width:100%;min-height:2.75rem;border-radius:.75rem;border:1px solid var(--edge);background:var(--surface);padding:.5rem .9rem}
button{cursor:pointer;font-weight:600}
.person{display:flex;gap:.85rem;align-items:center;text-align:left;margin-bottom:.6rem;padding:.7rem .9rem;border-color:var(--line);font-weight:400}
.person:hover{border-color:var(--accent)}
.person span{display:block}
.person .name{font-weight:600}
.person .mail{color:var(--muted);font-size:.9rem;overflow-wrap:anywhere}
.initials{flex:none;width:2.4rem;height:2.4rem;line-height:2.4rem;border-radius:50%;text-align:center;font-weight:700;font-size:.9rem;background:light-dark(#eeebff,#232045);color:var(--accent)}
h2{margin:1.5rem 0 .75rem;font-size:1rem}
label{display:block;font-weight:500;margin:.75rem 0 .3rem}
.tick{display:flex;gap:.6rem;align-items:center;min-height:2.75rem;margin:.25rem 0}
.tick input{width:1.25rem;height:1.25rem;accent-color:var(--accent)}
.main{background:var(--accent);color:var(--on);border-color:transparent}
.quiet{margin-top:.75rem;background:none;border-color:transparent}
.error{color:var(--bad);font-weight:500;margin:.3rem 0 0}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`

/** @param origins where choosing may lead; a policy cannot name an IPv6 address. */
function policyFor(origins: string[]): string {
  const named = origins.filter((origin) => !origin.includes('['))
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    `form-action 'self' ${named.join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * @param refused the typed text, if it doesn't look like an address.
 * @param origins of the product, which on this machine has several names.
 */
export function chooserPage(
  provider: string,
  refused: SamplePerson | null,
  origins: string[],
): { html: string; policy: string } {
  const error = refused ? '<p id="email-error" class="error">Please enter a valid email, or leave it empty.</p>' : ''
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Choose an account · Sample ${provider}</title>
<style>${style}</style>
</head>
<body>
<main>
<span class="tag">Sample ${provider}, on this machine only</span>
<h1>Choose an account</h1>
<p>to continue to Learnify</p>
${people.map(personForm).join('\n')}
<h2>Use another account</h2>
<form method="post">
<label for="name">Name</label>
<input type="text" id="name" name="name" maxlength="500" value="${escapeHtml(refused?.name ?? '')}">
<label for="email">Email</label>
<input type="email" id="email" name="email" maxlength="254" value="${escapeHtml(refused?.email ?? '')}"${refused ? ' aria-invalid="true" aria-describedby="email-error"' : ''}>
${error}
<label class="tick"><input type="checkbox" name="verified"${refused && !refused.verified ? '' : ' checked'}> ${provider} has verified this address</label>
<button class="main" name="other">Continue</button>
</form>
<form method="post"><button class="quiet" name="cancel">Cancel</button></form>
</main>
</body>
</html>
`
  return { html, policy: policyFor(origins) }
}

function personForm({ name, email }: SamplePerson): string {
  const initials = name
    .split(' ')
    .map((word) => word[0])
    .join('')
  return `<form method="post">
<input type="hidden" name="name" value="${name}"><input type="hidden" name="email" value="${email}"><input type="hidden" name="verified" value="on">
<button class="person"><span class="initials" aria-hidden="true">${initials}</span><span><span class="name">${name}</span><span class="mail">${email}</span></span></button>
</form>`
}
