import MarkdownIt from 'markdown-it'
import { expect, it } from 'vitest'
import { addFormulas, articleFormulaProblems } from './formula-markdown.server'

const markdown = new MarkdownIt()
addFormulas(markdown)

it('a formula in a line is one, and Markdown within it is none', () => {
  expect(markdown.render('Let $a_1 * b_2 * c$ be it.')).toMatch(/^<p>Let <math>.*<\/math> be it\.<\/p>\n$/)
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

it.each(['`$x$`', '```\n$x$\n$$\ny\n$$\n```', '    $$\n    x\n    $$', 'It costs $5 and \\$6, not $7.', '$$ x'])(
  'there is no formula in %j',
  (text) => {
    expect(markdown.render(text)).not.toContain('<math')
  },
)

it('problems name their line', () => {
  const article = 'One $x$\nand $y^$\n\n- a list\n- with $\\oops$\n\n$$\n\\frac{\n$$\n\n| a |\n|---|\n| $z^$ |\n'
  expect(articleFormulaProblems(article).map(({ line }) => line)).toEqual([2, 5, 7, 13])
})
