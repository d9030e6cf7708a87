import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { CelebrationCard } from './celebration-card'

function htmlOf(celebration: Parameters<typeof CelebrationCard>[0]): string {
  return renderToStaticMarkup(
    <MemoryRouter>
      <CelebrationCard {...celebration} />
    </MemoryRouter>,
  )
}

test('a celebration says what was achieved and links what comes next', () => {
  const html = htmlOf({
    icon: null,
    title: 'Lesson finished',
    text: 'Next: Names and values',
    next: { to: '/Learn/a/b', text: 'Next lesson' },
  })

  expect(html).toContain('Lesson finished</h2>')
  expect(html).toContain('>Next: Names and values</p>')
  expect(html).toMatch(/<a [^>]*href="\/Learn\/a\/b"[^>]*>Next lesson<\/a>/)
})

test('what a screen reader is told comes after the page, so that it is read out once', () => {
  const html = htmlOf({ icon: null, title: 'Lesson finished' })
  expect(html).toMatch(/<p role="status" [^>]*><\/p>/)
})

test('only a celebration that can be dismissed has a button for it', () => {
  expect(htmlOf({ icon: null, title: 'Lesson finished' })).not.toContain('<button')
  expect(htmlOf({ icon: null, title: 'Lesson finished', onDismiss() {} })).toContain(
    'aria-label="Dismiss"',
  )
})
