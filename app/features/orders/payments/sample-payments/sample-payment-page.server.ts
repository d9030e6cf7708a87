import { createHash } from 'node:crypto'
import { formatMoney } from '~/features/school/money'
import { escapeHtml } from '~/server/mail/email-layout.server'
import { siteName } from '~/server/site/site.server'
import { toAmountMinor } from '../stripe-amounts'
import type { SampleSession } from './sample-payment-state.server'

const style = `
:root{color-scheme:light dark;--line:light-dark(#e5e1d8,#272b40);--edge:light-dark(#8a8797,#737998);--surface:light-dark(#fff,#151828);--ink:light-dark(#14162a,#f2f2f8);--muted:light-dark(#575a70,#a9adc6);--accent:light-dark(#5140e0,#a79dff);--on:light-dark(#fff,#14122b);--bad:light-dark(#b3243c,#ff8b9a)}
*{box-sizing:border-box}
body{margin:0;background:light-dark(#fbfaf7,#0d0f1a);color:var(--ink);font:16px/1.5 Figtree,system-ui,sans-serif}
main{max-width:26rem;margin:0 auto;padding:1.75rem 1.25rem 2.5rem}
.tag{display:inline-block;border:1px solid var(--line);border-radius:99px;padding:.1rem .75rem;color:var(--muted);font-size:.8125rem;font-weight:600}
h1{margin:.75rem 0 .25rem;font-size:1.5rem;line-height:1.2;letter-spacing:-.02em;overflow-wrap:anywhere}
p{margin:0 0 1.25rem;color:var(--muted);overflow-wrap:anywhere}
.amount{color:var(--ink);font-size:2rem;font-weight:700}
button{cursor:pointer;font:inherit;font-weight:600;color:inherit;width:100%;min-height:2.75rem;margin-bottom:.75rem;border-radius:.75rem;border:1px solid var(--edge);background:var(--surface);padding:.5rem .9rem}
.main{background:var(--accent);color:var(--on);border-color:transparent}
.error{color:var(--bad);font-weight:500}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  // The form leads back to the product, which on this machine has several host names.
  "form-action 'self' http://localhost:* http://127.0.0.1:*",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Renders the page on which a learner chooses how a sample payment ends. */
export function renderPaymentPage(
  session: SampleSession,
  { isDeclined }: { isDeclined: boolean },
): { html: string; policy: string } {
  const { title, email, amount } = session
  const currency = session.currency.toUpperCase()
  const formattedAmount = formatMoney(toAmountMinor(amount, currency), currency)
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Pay · Sample payments</title>
<style>${style}</style>
</head>
<body>
<main>
<span class="tag">Sample payments: no money moves</span>
<h1>${escapeHtml(title)}</h1>
<p class="amount">${escapeHtml(formattedAmount)}</p>
<p>${escapeHtml(email)}</p>
${isDeclined ? '<p class="error" role="alert">Your card was declined. Try again.</p>' : ''}
${renderButtons(session)}
</main>
</body>
</html>`

  return { html, policy }
}

/** Returns the HTML of what the learner can do in the session's state. */
function renderButtons({ state, successUrl, cancelUrl }: SampleSession): string {
  const name = escapeHtml(siteName())

  switch (state) {
    case 'open':
      return `<form method="post">
<button class="main" name="act" value="pay">Pay</button>
<button name="act" value="decline">Decline the card</button>
<button name="act" value="later">Pay later, as by bank debit</button>
<button name="act" value="back">Go back without paying</button>
</form>`
    case 'processing':
      return `<p>The payment is on its way, as a bank debit is for days.</p>
<form method="post">
<button class="main" name="act" value="pay">Let the money arrive</button>
<button name="act" value="fail">Let the bank refuse it</button>
</form>`
    case 'expired':
      return `<p>This page has expired. <a href="${escapeHtml(cancelUrl)}">Back to ${name}</a></p>`
    default:
      return `<p>This payment is done. <a href="${escapeHtml(successUrl)}">Back to ${name}</a></p>`
  }
}
