import MarkdownIt from 'markdown-it'
import { expect, it } from 'vitest'
import { addArticleSyntax, listHeadingAnchors, readArticleParts } from './article-markdown.server'

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

it('each problem has its line number', () => {
  const article =
    'One $x$\nand $y^$\n\n- a list\n- with $\\oops$\n\n$$\n\\frac{\n$$\n\n| a |\n|---|\n| $z^$ |\n'
  expect(readArticleParts(article).formulaProblems.map(({ line }) => line)).toEqual([2, 5, 7, 13])
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

it.each([
  ['Text <b>bold</b>', /HTML is shown as text: `<b>`/],
  ['<div class="x">\ny\n</div>', /HTML is shown as text: `<div class="x">`/],
  ['<!-- later -->', /HTML is shown as text/],
  ['---\ntitle: Loops\ntags:\n  - a\n---\nText', /front matter/],
  ['# Loops', /start at `##`/],
  ['::: danger\nText\n:::', /`::: danger` is shown as text\. Boxes are note, tip/],
])('what readers would not see as meant is found: %j', (text, sentence) => {
  expect(readArticleParts(text).oddities[0]).toMatchObject({
    line: 1,
    text: expect.stringMatching(sentence),
  })
})

it('many lines that could be front matter are read in no time if its end is missing', () => {
  const article = `---\n${'--verbose: text\n'.repeat(60)}Text`
  expect(readArticleParts(article).oddities).toEqual([])
})

it('no two headings have the same anchor', () => {
  expect(listHeadingAnchors('## Setup\n\n## Setup\n\n## Setup 2\n\n## Setup')).toEqual([
    'setup',
    'setup-2',
    'setup-2-2',
    'setup-3',
  ])
})

it('code, quotations and rules are not reported', () => {
  const text =
    '```html\n<b>\n# a\n::: x\n```\n\n`<b>` and <https://x.example>\n\n---\n\n## Part\n\n1 < 2 > 0'
  expect(readArticleParts(text).oddities).toEqual([])
})
