import fc from 'fast-check'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter, Link as RouterLink } from 'react-router'
import { expect, it } from 'vitest'
import { Link } from './link'

const segment = fc.stringMatching(/^[A-Za-z0-9_-]{1,8}$/)
const search = fc.dictionary(segment, fc.string({ maxLength: 8 })).map((values) => `${new URLSearchParams(values)}`)
const address = fc
  .tuple(fc.array(segment, { maxLength: 3 }), search)
  .map(([segments, query]) => `/${segments.join('/')}${query && `?${query}`}`)

it('a link has the same markup on the server as the router gives it in a browser', () => {
  const relative = fc.constantFrom('.', '?tab=reviews', '#panel', 'leave')
  fc.assert(
    fc.property(fc.oneof(address, relative), address, (to, place) => {
      const link = { to, prefetch: 'intent', preventScrollReset: true, className: 'link', children: 'Learn' } as const
      const markup = (part: ReactNode) =>
        renderToStaticMarkup(<MemoryRouter initialEntries={[place]}>{part}</MemoryRouter>)
      expect(markup(<Link {...link} />)).toBe(markup(<RouterLink {...link} discover="none" />))
    }),
  )
})
