import { expect, it } from 'vitest'
import { analyzeArticle } from './article-analysis.server'

it('each problem has its line number', () => {
  const article =
    'One $x$\nand $y^$\n\n- a list\n- with $\\oops$\n\n$$\n\\frac{\n$$\n\n| a |\n|---|\n| $z^$ |\n'
  expect(analyzeArticle(article).formulaProblems.map(({ line }) => line)).toEqual([2, 5, 7, 13])
})

it.each([
  ['Text <b>bold</b>', /HTML is shown as text: `<b>`/],
  ['<div class="x">\ny\n</div>', /HTML is shown as text: `<div class="x">`/],
  ['<!-- later -->', /HTML is shown as text/],
  ['---\ntitle: Loops\ntags:\n  - a\n---\nText', /front matter/],
  ['# Loops', /start at `##`/],
  ['::: danger\nText\n:::', /`::: danger` is shown as text\. Boxes are note, tip/],
])('what readers would not see as meant is found: %j', (text, sentence) => {
  expect(analyzeArticle(text).markupProblems[0]).toMatchObject({
    line: 1,
    text: expect.stringMatching(sentence),
  })
})

it('many lines that could be front matter are read in no time if its end is missing', () => {
  const article = `---\n${'--verbose: text\n'.repeat(60)}Text`
  expect(analyzeArticle(article).markupProblems).toEqual([])
})

it('code, quotations and rules are not reported', () => {
  const text =
    '```html\n<b>\n# a\n::: x\n```\n\n`<b>` and <https://x.example>\n\n---\n\n## Part\n\n1 < 2 > 0'
  expect(analyzeArticle(text).markupProblems).toEqual([])
})
