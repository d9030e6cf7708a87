import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import createLucideIcon from './static-icon'

// As the installed version calls it: another one may hand over something else, and then no page renders.
const { __iconNode } = await import('../../node_modules/lucide-react/dist/esm/icons/x.mjs' as string)
const markupOf = (props: object) => renderToStaticMarkup(createElement(createLucideIcon('x', __iconNode), props))

it('an icon as lucide describes it is one element with its shapes, which styles make look as usual', () => {
  expect(markupOf({ size: 20 })).toMatch(
    /^<svg width="20" height="20" viewBox="0 0 24 24" aria-hidden="true" data-icon=""><path d="M18 6 6 18"\/><path/,
  )
})

it('an icon with a look of its own has all of it, without a style', () => {
  const markup = markupOf({ fill: 'currentColor' })
  expect(markup).toContain(
    'fill="currentColor" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">',
  )
  expect(markup).not.toMatch(/data-icon|style/)
})
