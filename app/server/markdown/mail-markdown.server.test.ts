import { expect, it } from 'vitest'
import { plainMailMarkdown, previewMailMarkdown, renderMailMarkdown } from './mail-markdown.server'

const url = 'https://learn.example'
const render = (text: string) => renderMailMarkdown(text, url)

it('HTML is shown as text', () => {
  expect(render('<script>alert(1)</script> <b onclick="x">b</b>')).not.toMatch(/<script|<b/)
})

it.each([
  '[x](javascript:alert(1))',
  '[x](data:text/html,x)',
  '[x](//evil.example)',
  '![x](javascript:alert(1))',
])('%s is no link', (text) => {
  expect(render(text)).not.toMatch(/<a |<img/)
})

it('links have complete URLs, and plain URLs become links', () => {
  expect(render('[The course](/OneCourse/chess)')).toContain(
    'href="https://learn.example/OneCourse/chess"',
  )
  expect(render('See https://other.example/a?b=c')).toContain('href="https://other.example/a?b=c"')
  expect(plainMailMarkdown('[The course](/OneCourse/chess)', url)).toBe(
    '[The course](https://learn.example/OneCourse/chess)',
  )
})

it.each([
  [
    'See [it][1].\n\n[1]: /OneCourse/chess',
    'See [it][1].\n\n[1]: https://learn.example/OneCourse/chess',
  ],
  ['[it]: </Profile> "Yours"', '[it]: <https://learn.example/Profile> "Yours"'],
  ['> [it]:\n/Profile', '> [it]:\nhttps://learn.example/Profile'],
  ['[x]( </Profile> )', '[x]( <https://learn.example/Profile> )'],
  ['![x](/a.png)', '![x](https://learn.example/a.png)'],
  ['[1]: https://other.example/a', '[1]: https://other.example/a'],
  ['[1]: //other.example/a', '[1]: //other.example/a'],
  ['- [it]: /Profile', '- [it]: https://learn.example/Profile'],
  ['[`it`]: /Profile', '[`it`]: https://learn.example/Profile'],
  ['[`it`](/Profile)', '[`it`](https://learn.example/Profile)'],
  ['Either [x]: /y or not', 'Either [x]: /y or not'],
])('the plain text of %j has complete URLs', (text, plainText) => {
  expect(plainMailMarkdown(text, url)).toBe(plainText)
})

it.each([
  'Type `[it](/Profile)`.',
  'Type `` `[it](/Profile) ``, also `for\n[it](/Profile)`.',
  '```\n[it]: /Profile\n```',
  '````\n```\n[it](/Profile) $x^2$\n````',
  '- Type:\n\n  ~~~\n  [it](/Profile)\n  ~~~',
  'Type:\n\n    [it](/Profile) and $x^2$',
])('code stays as it is typed in the plain text of %j', (text) => {
  expect(plainMailMarkdown(text, url)).toBe(text)
})

it('a link between backticks that begin no code has a complete URL', () => {
  expect(plainMailMarkdown('\\`[it](/a)\\`, one ` [it](/b)\n\nand another `', url)).toBe(
    '\\`[it](https://learn.example/a)\\`, one ` [it](https://learn.example/b)\n\nand another `',
  )
})

it('a picture becomes a link, because loading it would tell its host about the reader', () => {
  expect(render('![A board](https://pictures.example/a.png)')).toMatch(
    /^<p[^>]*><a href="https:\/\/pictures.example\/a.png"[^>]*>A board<\/a><\/p>\n$/,
  )
})

it('an email has inline styles, and its preview has none', () => {
  const text =
    '# Hello\n\nA **word**\nand a line\n\n- one\n\n| a | b |\n|:-:|---|\n| 1 | 2 |\n\n::: tip\nTry it.\n:::\n'

  expect(render(text)).toMatch(
    /<h1 style=.*<p style=.*<strong>word<\/strong><br>.*<ul style=.*<th style=.*<div style=/s,
  )
  expect(previewMailMarkdown(text, url)).not.toContain('style=')
  expect(previewMailMarkdown(text, url)).toContain('<div class="callout callout-tip"')
})

it('formulas are readable text in both parts of an email, also where a mail program shows no MathML', () => {
  const text = 'Learn why $x^2$ grows for \\$5.\n\n$$\n\\frac{1}{2}\n$$\n\nSee `$x^2$`.'

  expect(render(text).replaceAll(/ style="[^"]*"/g, '')).toBe(
    '<p>Learn why x² grows for $5.</p>\n<p>1/2</p>\n<p>See <code>$x^2$</code>.</p>\n',
  )
  expect(plainMailMarkdown(text, url)).toBe('Learn why x² grows for $5.\n\n1/2\n\nSee `$x^2$`.')
  expect(previewMailMarkdown(text, url)).toContain('<p>1/2</p>')
})

it('a formula that text can’t show is its source', () => {
  const formula = '$\\begin{matrix} a & b \\\\ c & d \\end{matrix}$'

  expect(render(formula)).toContain('<code>\\begin{matrix} a &amp; b')
  expect(plainMailMarkdown(formula, url)).toBe(formula)
})
