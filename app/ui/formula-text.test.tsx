import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Formulas, FormulaText } from './formula-text'

it.each([
  ['a text with a formula', '$x$', '<span class="formula-text"><math>x</math></span>'],
  ['a text without a formula', 'A box', 'A box'],
  ['the name of a property that every object has', 'constructor', 'constructor'],
])('%s is shown', (_description, text, expectedHtml) => {
  const html = renderToStaticMarkup(
    <Formulas html={{ $x$: '<math>x</math>' }}>
      <FormulaText text={text} />
    </Formulas>,
  )

  expect(html).toContain(expectedHtml)
})
