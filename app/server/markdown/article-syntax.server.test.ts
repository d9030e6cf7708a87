import MarkdownIt from 'markdown-it'
import { expect, it } from 'vitest'
import { addArticleSyntax } from './article-syntax.server'

const markdown = new MarkdownIt()
addArticleSyntax(markdown)

it('Markdown inside a formula is not rendered', () => {
  expect(markdown.render('Let $a_1 * b_2 * c$ be it.')).toMatch(
    /^<p>Let <math>.*<\/math> be it\.<\/p>\n$/,
  )
})

it.each(['$$\nx = 1\n- y\n$$', '$$ x = 1 - y $$', '$$x = 1\n- y$$  '])(
  'a formula of its own line can be scrolled, also with a line that looks like a list: %j',
  (text) => {
    expect(markdown.render(`Before\n${text}\nAfter`)).toMatch(
      /^<p>Before<\/p>\n<div class="formula" tabindex="0"><math display="block"[^>]*>.*<\/math><\/div>\n<p>After<\/p>\n$/s,
    )
  },
)

it('dollar signs after a backslash do not close a formula', () => {
  expect(markdown.render('$$\n\\text{\\$$x$}\n$$')).toMatch(/^<div class="formula"[^>]*><math/)
})

// Reading all following lines for each of these lines took minutes.
it('thousands of lines that start with two dollar signs are parsed without delay', () => {
  expect(markdown.render('$$x\n'.repeat(30_000))).toContain('too large to be shown')
})

it('a formula may stand in a list and in a quotation', () => {
  expect(markdown.render('- a\n\n  $$\n  x\n  $$\n')).toMatch(/<li>.*<div class="formula".*<\/li>/s)
  expect(markdown.render('> $$\n> x\n> $$\n')).toMatch(
    /<blockquote>\s*<div class="formula"[^>]*><math display="block"[^>]*><mi>x<\/mi>/,
  )
})

it.each([
  '`$x$`',
  '```\n$x$\n$$\ny\n$$\n```',
  '    $$\n    x\n    $$',
  'It costs $5 and \\$6, not $7.',
  '$$ x',
])('there is no formula in %j', (text) => {
  expect(markdown.render(text)).not.toContain('<math')
})

it.each([
  ['**「太字」**です', '<strong>「太字」</strong>です'],
  ['これは**重要：**見て', 'これは<strong>重要：</strong>見て'],
  ['请看**《书》**吧', '请看<strong>《书》</strong>吧'],
])('bold works beside punctuation of Chinese and Japanese: %s', (text, html) => {
  expect(markdown.render(text)).toBe(`<p>${html}</p>\n`)
})

it.each([
  '> [!NOTE]\n> Save **often**.',
  '> [!note]\n>\n> Save **often**.',
  '::: note\nSave **often**.\n:::',
  ':::note\n\nSave **often**.\n\n:::',
  '::: note\nSave **often**.',
])('a note is a box with its name: %j', (text) => {
  const html = markdown.render(text).replaceAll(/\n/g, '')
  expect(html).toBe(
    '<div class="callout callout-note" role="note"><p class="callout-title">Note</p><p>Save <strong>often</strong>.</p></div>',
  )
})

it('a box can contain a title, lists, code and another box', () => {
  const html = markdown.render(
    '::: warning Mind <this>\n- a\n\n```\n:\n```\n::: tip\nb\n:::\n:::\nAfter\n\n> A quotation',
  )

  expect(html).toContain('<p class="callout-title">Mind &lt;this&gt;</p>')
  expect(html).toMatch(
    /<li>a<\/li>.*<pre>.*callout-tip.*<p>b<\/p>\n<\/div>\n<\/div>\n<p>After<\/p>/s,
  )
  expect(html).toContain('<blockquote>')
})

// Copying the rest of the article for each of these quotations took minutes.
it('thousands of notes are parsed without delay', () => {
  expect(markdown.render('> [!NOTE]\n\n'.repeat(30_000))).toContain('too large to be shown')
})
