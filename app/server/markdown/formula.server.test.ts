import fc from 'fast-check'
import temml from 'temml'
import { describe, expect, it, vi } from 'vitest'
import {
  findFormulaProblem,
  renderFormula,
  renderFormulaForReaders,
  renderFormulaTexts,
  splitFormulas,
} from './formula.server'

const listFormulas = (text: string) =>
  splitFormulas(text).flatMap((part) => (typeof part === 'string' ? [] : [part.tex]))
const listTexts = (text: string) => splitFormulas(text).filter((part) => typeof part === 'string')

describe('dollar signs', () => {
  it.each([
    'A jacket costs $40.',
    'It sells for $5 and costs $3.',
    'Between $3-$4, or $1,200/$900.',
    'It is $5 per unit for US$ accounts.',
    'from US$20 to US$30',
    'a $ sign, and another $ sign',
    'The variable $HOME is empty.',
    'Set "$HOME" and "$PATH".',
    'Add $HOME/bin:$PATH to it.',
    `"$${'{HOME}'}" and "$${'{PATH}'}"`,
    '$HOME costs nothing, unlike a "$".',
    'R$ 12 or R$12 (US$2), and 5$/month or 6$.',
    '$12 (or US$) a month',
    '“$5” or “$”',
    '$this->add($other)',
    '$',
    '$$',
    '$$ $$',
  ])('are dollars in: %s', (text) => {
    expect(splitFormulas(text)).toEqual([text])
    expect(renderFormulaTexts(text)).toEqual({})
  })

  it.each([
    ['What is $x^2$?', ['x^2']],
    ['$a$, $b$ and $c$.', ['a', 'b', 'c']],
    ['$$\\sum_i x_i$$', ['\\sum_i x_i']],
    ['$2 \\times 3$', ['2 \\times 3']],
    ['The $n$th of $k$-means, and two $x$s.', ['n', 'k', 'x']],
    ['公式$x^2$は($y$)です', ['x^2', 'y']],
    ['$\\text{if it rains } p \\text{ or so}$', ['\\text{if it rains } p \\text{ or so}']],
    ['It costs \\$5 if $x > 0$.', ['x > 0']],
    ['The price is $\\$5 \\cdot n$.', ['\\$5 \\cdot n']],
  ])('are formulas in: %s', (text, formulas) => {
    expect(listFormulas(text)).toEqual(formulas)
  })

  it('with a backslash are dollars, and the backslash is removed', () => {
    expect(splitFormulas('From \\$5 to \\$6 each')).toEqual(['From $5 to $6 each'])
    expect(renderFormulaTexts('From \\$5 to \\$6 each')).toEqual({
      'From \\$5 to \\$6 each': 'From $5 to $6 each',
    })
  })

  it('after a blank line do not close a formula', () => {
    expect(listFormulas('$$a\n\nb$$')).toEqual([])
  })

  it('do not lose or add characters of a text without backslashes', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('$', 'a', ' ', '1', '\n', '^') }), (text) => {
        const parts = splitFormulas(text)
        let remainingText = text
        for (const part of parts) {
          const partText = typeof part === 'string' ? part : part.tex
          const index = remainingText.indexOf(partText)
          expect(index).toBeGreaterThanOrEqual(0)
          expect(remainingText.slice(0, index)).toMatch(/^[$\s]*$/)
          remainingText = remainingText.slice(index + partText.length)
        }

        expect(remainingText).toMatch(/^[$\s]*$/)
        expect(listTexts(text).join('').length).toBeLessThanOrEqual(text.length)
      }),
    )
  })
})

// Each of these texts took a minute or more before the patterns took linear time.
it.each([
  ['letters', 'a'.repeat(300_000)],
  ['digits', '1'.repeat(300_000)],
])('a formula of 300,000 %s is found without delay', (_, tex) => {
  expect(listFormulas(`$${tex}x$`)).toHaveLength(1)
})

describe('a formula', () => {
  it.each([
    'x_i^2',
    '\\frac{1}{n}\\sum_{i=1}^n (y_i - \\hat{y}_i)^2',
    '\\begin{aligned} a &= b \\\\ c &= d \\end{aligned}',
    '\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}',
    '\\color{red}{x} \\fbox{y} \\rule{1em}{1em} \\colorbox{red}{z} \\text{where } \\sqrt[3]{x}',
    '\\mathbf{w}^\\top \\mathbf{x} + b \\in \\mathbb{R}, \\mathcal{L}, \\boldsymbol{\\theta}',
  ])('becomes MathML without a style of its own: %s', (tex) => {
    const html = renderFormula({ tex, isBlock: true })

    expect(html).toMatch(/^<math display="block"[^>]*>.*<\/math>$/s)
    expect(html).not.toMatch(/ style=|<span|mathvariant=/)
  })

  it('has special letters for bold, double-struck and script', () => {
    expect(renderFormula({ tex: '\\mathbf{x}', isBlock: false })).toContain('<mi>𝐱</mi>')
    expect(renderFormula({ tex: '\\mathbb{R}', isBlock: false })).toContain('ℝ')
    expect(renderFormula({ tex: '\\mathcal{L}', isBlock: false })).toContain('ℒ')
    expect(renderFormula({ tex: '\\boldsymbol{\\theta}', isBlock: false })).toContain('𝜽')
  })

  it.each([
    ['\\def\\a{xx}\\a\\a', /can’t be drawn: It defines a macro\. Correct it/],
    ['\\newcommand{\\a}{xx}\\a', /can’t be drawn: It defines a macro\. Correct it/],
    ['x^', /`x\^` can’t be drawn: Something is missing in it\. Correct it/],
    ['\\frac{a}{', /can’t be drawn: .* at end of input\. Correct it/],
    ['\\nothing{x}', /can’t be drawn: Unsupported function name: \\nothing at position 1\./],
    ['\\href{javascript:alert(1)}{x}', /Unsupported function name: \\href/],
    ['\\includegraphics{https://x.example/a.png}', /"\\includegraphics" is not trusted/],
    ['\\class{a}{x}', /"\\class" is not trusted/],
    ['\\htmlStyle{color: red}{x}', /Unsupported function name/],
  ])('that cannot be drawn is a problem: %s', (tex, problem) => {
    expect(findFormulaProblem({ tex, isBlock: false })).toMatch(problem)
  })

  it('of more than 2,000 characters is a problem, and is shown as it was written', () => {
    const tex = `\\begin{matrix}${'&'.repeat(100_000)}\\end{matrix}`

    expect(findFormulaProblem({ tex, isBlock: true })).toBe(
      `The formula \`${tex.slice(0, 40)}…\` can’t be drawn: It has more than 2,000 characters. Correct it, or write \\$ if it’s a dollar.`,
    )
    expect(renderFormulaForReaders({ tex, isBlock: true })).toMatch(/^<code>.*<\/code>$/)
    expect(findFormulaProblem({ tex: 'x'.repeat(2_000), isBlock: true })).toBeNull()
  })

  it('contains no HTML of its text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const html of Object.values(
          renderFormulaTexts(`<b>${text}</b> $x$ $\\text{<script>}$`),
        )) {
          expect(html).not.toMatch(/<(script|b|img)\b/)
        }
      }),
    )
  })
})

it('texts with formulas are found anywhere in the data of a page', () => {
  const questions = [
    {
      question: 'What is $x$?',
      options: [{ text: '$1$', correct: true }, { text: '$5' }],
      hint: undefined,
    },
  ]

  expect(Object.keys(renderFormulaTexts({ questions, sitting: null, number: 3 }))).toEqual([
    'What is $x$?',
    '$1$',
  ])
})

it('a dollar sign in code between backticks starts no formula', () => {
  const html = (text: string) => renderFormulaTexts([text])[text]

  expect(html('What does `a < $b$` print?')).toBe('What does <code>a &lt; $b$</code> print?')
  expect(html('``x `y` z`` and `n`')).toBe('<code>x `y` z</code> and <code>n</code>')
  expect(html('`$x$` is $x$')).toMatch(/^<code>\$x\$<\/code> is <math/)
  expect(html('One ` alone & more')).toBeUndefined()
})

it('a formula of several pages is rendered once', () => {
  const draw = vi.spyOn(temml, 'renderToString')
  for (const _ of [1, 2, 3]) {
    renderFormulaTexts(['Solve $q^7$.', 'Or $$q^7$$ and $q^7 + \\nonsense$'])
  }

  expect(draw).toHaveBeenCalledTimes(3)

  draw.mockRestore()
})
