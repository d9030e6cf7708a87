import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Stars } from './stars'

it.each([
  [5, 5, 0],
  [4.9, 4, 1],
  [4.2, 4, 1],
  [4, 4, 0],
  [0.5, 0, 1],
])('shows the rating %d as %i whole stars and %i empty ones', (rating, whole, empty) => {
  const html = renderToString(<Stars rating={rating} />)

  expect(html.match(/data-star="whole"/g) ?? []).toHaveLength(whole)
  expect(html.match(/data-star="empty"/g) ?? []).toHaveLength(empty)
})
