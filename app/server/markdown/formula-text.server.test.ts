import { describe, expect, it } from 'vitest'
import { writeFormulasAsText } from './formula-text.server'

describe('a title with formulas', () => {
  it.each([
    ['The area $\\pi r^2$ of a circle', 'The area πr² of a circle'],
    ['Why $x^2$ grows', 'Why x² grows'],
    ['$$x^2$$', 'x²'],
    ['Solve $ax^2 + bx + c = 0$', 'Solve ax² + bx + c = 0'],
    ['Halves: $\\frac{1}{2}$ and $\\frac{a+b}{c}$', 'Halves: 1/2 and (a + b)/c'],
    ['$\\sqrt{2}$ and $\\sqrt{x + 1}$', '√2 and √(x + 1)'],
    ['$\\sqrt[3]{8}$', '³√8'],
    ['$x_1$ to $x_n$', 'x₁ to xₙ'],
    ['$\\sum_{i=1}^n i$', '∑ᵢ₌₁ⁿi'],
    ['$e^{-x}$', 'e⁻ˣ'],
    ['$a^{b/c}$', 'a^(b/c)'],
    ['Sorting in $O(n \\log n)$', 'Sorting in O(n log n)'],
    ['$a \\leq b$', 'a ≤ b'],
    ['$\\hat{y}$ and $\\bar{x}$', 'ŷ and x̄'],
    ['$\\text{for all } x \\in \\mathbb{R}$', 'for all x ∈ ℝ'],
    ['H$_2$O', 'H$_2$O'],
  ])('reads: %s', (title, text) => {
    expect(writeFormulasAsText(title)).toBe(text)
  })

  it('keeps a formula that is wrong, or that text can’t show, as it was written', () => {
    const titles = ['$\\frac{a}$', '$\\begin{matrix} a & b \\\\ c & d \\end{matrix}$']
    expect(titles.map(writeFormulasAsText)).toEqual(titles)
  })

  it.each([
    'From $5 to $10',
    'A course for $40',
    '$HOME and $PATH',
    'Earn $1,200/$900',
    'US$20 to US$30',
    'Costs 5 $',
  ])('keeps dollars: %s', (title) => {
    expect(writeFormulasAsText(title)).toBe(title)
  })

  it('writes an escaped dollar without its backslash', () => {
    expect(writeFormulasAsText('From \\$5 if $x > 0$')).toBe('From $5 if x > 0')
  })
})
