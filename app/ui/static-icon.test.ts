import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import createLucideIcon from './static-icon'

it('an icon as lucide describes it is one element with its shapes', async () => {
  // As the installed version calls it: another one may hand over something else, and then no page renders.
  const { __iconNode } = await import('../../node_modules/lucide-react/dist/esm/icons/x.mjs' as string)
  const markup = renderToStaticMarkup(createElement(createLucideIcon('x', __iconNode), { size: 20 }))
  expect(markup).toMatch(
    /^<svg width="20" height="20" viewBox="0 0 24 24" aria-hidden="true"><g fill="none".*><path d="M18 6 6 18"\/><path/,
  )
})
