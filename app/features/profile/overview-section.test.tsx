import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import { hasPractice } from '~/features/learning/practice/practice-data'
import { OverviewSection } from './overview-section'

function Unreadable() {
  return (
    <OverviewSection
      firstName="Ada"
      emailVerified
      nameWasCut={false}
      record={null}
      now={new Date()}
    />
  )
}

function Unconfirmed() {
  return (
    <OverviewSection
      firstName="Ada"
      emailVerified={false}
      nameWasCut={false}
      record={null}
      now={new Date()}
    />
  )
}

test('an address that is not confirmed leads to its confirmation', () => {
  const Stub = createRoutesStub([{ path: '/Profile', Component: Unconfirmed }])
  const html = renderToStaticMarkup(<Stub initialEntries={['/Profile']} />)
  expect(html).toContain('Certificates need a confirmed email address.')
  expect(html).toContain('href="/ConfirmEmail"')
})

test('a record that cannot be read shows the default figures, and says so without losing anything', () => {
  const Stub = createRoutesStub([{ path: '/Profile', Component: Unreadable }])
  const html = renderToStaticMarkup(<Stub initialEntries={['/Profile']} />)
  const figures = [...html.matchAll(/<dd[^>]*>([^<]+)<\/dd>/g)].map(([, figure]) => figure)
  expect(figures).toEqual(['5', '2', '2', '127'])
  expect(html).toContain('role="alert"')
  expect(html).toContain('Nothing is lost.')
  expect(html).not.toContain(' style=')
})

test('practice is offered only when there is something to practice', () => {
  const today = { left: 0, practiced: 0, right: 0, nextOn: null }
  expect(hasPractice(today)).toBe(false)
  expect(
    [{ left: 1 }, { practiced: 1 }, { nextOn: '2026-11-21' }].map((more) =>
      hasPractice({ ...today, ...more }),
    ),
  ).toEqual([true, true, true])
})
