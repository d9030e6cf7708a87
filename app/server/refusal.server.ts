import { createHash } from 'node:crypto'

export const busySentence = 'Learnify is very busy right now. Please try again in a few seconds.'

const style = `
:root { color-scheme: light dark; font: 1.125rem/1.6 system-ui, sans-serif; background: light-dark(#fbfaf6, #0b0d17) }
body { max-width: 34rem; margin: 18vh auto; padding: 0 1.5rem; text-align: center }
h1 { font-size: 1.75rem; line-height: 1.2 }
a { display: inline-block; margin-top: 0.5rem; padding: 0.6rem 1.4rem; border-radius: 0.7rem; font-weight: 600;
  text-decoration: none; color: light-dark(#fff, #14112e); background: light-dark(#4f3fe0, #a99bff) }
a:focus-visible { outline: 3px solid; outline-offset: 3px }
`

/** For whoever opens a page that there is no time to render. */
export const busyPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Learnify is busy</title>
<style>${style}</style>
<main>
<h1>We’ll be right back</h1>
<p>${busySentence}</p>
<a href="">Try again</a>
</main>
</html>
`

/** Allows its style and nothing else. */
export const busyPagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'`
