import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { FormOutcome } from './account-page'

describe('the error of a form', () => {
  it('is announced to screen readers', () => {
    const html = renderToStaticMarkup(<FormOutcome error="Wrong code." notice={undefined} />)

    expect(html).toContain('role="alert"')
    expect(html).toContain('Wrong code.')
  })

  it('is not announced a second time on a page whose banner announces it', () => {
    const html = renderToStaticMarkup(
      <FormOutcome error="Wrong code." notice={undefined} hasBanner />,
    )

    expect(html).not.toContain('role="alert"')
    expect(html).toContain('Wrong code.')
  })
})
