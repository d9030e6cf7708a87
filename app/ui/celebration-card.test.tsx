import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { CelebrationCard } from './celebration-card'

function renderCard(celebration: Parameters<typeof CelebrationCard>[0]): string {
  return renderToStaticMarkup(
    <MemoryRouter>
      <CelebrationCard {...celebration} />
    </MemoryRouter>,
  )
}

test('a celebration shows the achievement and links to the next step', () => {
  const html = renderCard({
    icon: null,
    title: 'Lesson finished',
    text: 'Next: Names and values',
    next: { to: '/Learn/a/b', text: 'Next lesson' },
  })

  expect(html).toContain('Lesson finished</h2>')
  expect(html).toContain('>Next: Names and values</p>')
  expect(html).toMatch(/<a [^>]*href="\/Learn\/a\/b"[^>]*>Next lesson<\/a>/)
})

test('the text for screen readers is added after the page has loaded, so that it is announced once', () => {
  const html = renderCard({ icon: null, title: 'Lesson finished' })
  expect(html).toMatch(/<p role="status" [^>]*><\/p>/)
})

test('only a celebration that can be dismissed has a button for it', () => {
  expect(renderCard({ icon: null, title: 'Lesson finished' })).not.toContain('<button')
  expect(renderCard({ icon: null, title: 'Lesson finished', onDismiss() {} })).toContain(
    'aria-label="Dismiss"',
  )
})
